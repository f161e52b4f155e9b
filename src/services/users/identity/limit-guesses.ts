import ipaddr from "ipaddr.js";
import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";

const QUARTER_HOUR = 15 * 60_000;
/** Source: security §4, API2. */
const PER_ACCOUNT: Limit = { name: "sign-in-account", points: 5, durationMs: QUARTER_HOUR };

/** Bounds how often passwords are guessed, for the account and for the network that guesses. */
export interface GuessLimit {
  /**
   * Asks whether a password is right. A try is counted before it is looked at and given back when it was right, so that many at once
   * are no more than one after another.
   * @returns what `verify` found, `null` standing for a wrong password. @throws TooManyRequests `sign_in_limited`, even for the right one.
   */
  tried<T>(account: string, peer: string, verify: () => Promise<T | null>): Promise<T | null>;
}

export function createGuessLimit(cache: Cache, networkPoints: number): GuessLimit {
  const perNetwork: Limit = {
    name: "sign-in-network",
    points: networkPoints,
    durationMs: QUARTER_HOUR,
  };
  const inTurn = oneAtATime();
  return {
    tried: (account, peer, verify) => {
      const network = networkOf(peer);
      // in turn, so that right passwords of many people behind one address do not refuse each other
      return inTurn(network, async () => {
        const taken: [Limit, string][] = [];
        const giveBack = () => Promise.all(taken.map(([limit, key]) => cache.giveBack(limit, key)));
        for (const [limit, key] of [
          [perNetwork, network],
          [PER_ACCOUNT, account],
        ] as const) {
          const { allowed, retryAfterMs } = await cache.take(limit, key);
          taken.push([limit, key]);
          if (allowed) continue;
          await giveBack();
          throw tooMany(retryAfterMs);
        }
        const found = await verify();
        if (found !== null) await giveBack();
        return found;
      });
    },
  };
}

function tooMany(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "sign_in_limited",
    `Too many attempts. Wait ${Math.ceil(retryAfterMs / 60_000)} minutes and try again.`,
    retryAfterMs,
  );
}

/** Work of one key waits for the one before it. */
function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key);
    const mine = before ? before.then(work, work) : work();
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** An IPv6 user has a whole /64 to rotate through. What is no address stands for itself. */
export function networkOf(peer: string): string {
  const text = peer.replace(/^\[|\](:\d+)?$/g, "");
  if (!ipaddr.isValid(text)) return peer;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
