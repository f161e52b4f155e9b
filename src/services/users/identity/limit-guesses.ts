import ipaddr from "ipaddr.js";
import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** How long a network counts as one that an account signs in from. */
const FAMILIAR_MS = 30 * 24 * HOUR_MS;

/**
 * One account from one network: whoever guesses elsewhere, or other accounts from here, does not
 * count.
 */
const PER_PAIR: Limit = { name: "sign-in-pair", points: 5, durationMs: QUARTER_HOUR_MS };
/** One account from anywhere: higher, and slower to recover. */
const PER_ACCOUNT: Limit = { name: "sign-in-account", points: 20, durationMs: HOUR_MS };

/** Bounds how often passwords are guessed, for the account and for the network that guesses. */
export interface GuessLimit {
  /**
   * Asks whether a password is right. A try is counted before it is verified and given back when it
   * was right, so that many at once are no more than one after another.
   * @returns what `verify` found, `null` standing for a wrong password. @throws TooManyRequests
   * `sign_in_limited`, even for the right one.
   */
  tried<T>(account: string, peer: string, verify: () => Promise<T | null>): Promise<T | null>;
}

/** Told once in each limit's duration that it was reached. */
export type LimitReached = (event: {
  limit: string;
  account: string;
  network: string;
}) => Promise<void>;

/**
 * Three limits: account and network together, the account alone, the network alone. The last two do
 * not hold for a network from which the account signed in before, so guesses of others lock nobody
 * out at their usual place.
 */
export function createGuessLimit(
  cache: Cache,
  networkPoints: number,
  limitReached: LimitReached,
): GuessLimit {
  const perNetwork = {
    name: "sign-in-network",
    points: networkPoints,
    durationMs: QUARTER_HOUR_MS,
  };
  const inTurn = oneAtATime();

  async function takeAll(limits: readonly (readonly [Limit, string])[], event: Event) {
    const taken: (readonly [Limit, string])[] = [];
    const giveBack = () => Promise.all(taken.map(([limit, key]) => cache.giveBack(limit, key)));
    for (const [limit, key] of limits) {
      const { allowed, retryAfterMs } = await cache.take(limit, key);
      taken.push([limit, key]);
      if (allowed) continue;
      await giveBack();
      if (await cache.add(`${limit.name}-reached:${key}`, "1", limit.durationMs))
        await limitReached({ limit: limit.name, ...event });
      throw tooMany(retryAfterMs);
    }
    return giveBack;
  }

  return {
    tried: (account, peer, verify) => {
      const network = networkOf(peer);
      const pair = `${account} ${network}`;
      const familiar = `sign-in-familiar:${pair}`;
      // in turn, so that right passwords of many people behind one address do not refuse each other
      return inTurn(network, async () => {
        // a cache that is away makes every network a strange one
        const isFamiliar = (await cache.get(familiar).catch(() => null)) !== null;
        const wide = [
          [perNetwork, network],
          [PER_ACCOUNT, account],
        ] as const;
        const limits = [[PER_PAIR, pair] as const, ...(isFamiliar ? [] : wide)];
        const giveBack = await takeAll(limits, { account, network });
        const found = await verify();
        if (found === null) return null;
        await giveBack();
        await cache.set(familiar, "1", FAMILIAR_MS).catch(() => {});
        return found;
      });
    },
  };
}

interface Event {
  account: string;
  network: string;
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
