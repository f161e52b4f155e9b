import ipaddr from "ipaddr.js";
import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** How long a network counts as one that an account signs in from. */
const FAMILIAR_NETWORK_MS = 30 * 24 * HOUR_MS;

/** Guesses at one account from one network. */
const PER_PAIR: Limit = { name: "sign-in-pair", points: 5, durationMs: QUARTER_HOUR_MS };
/** Guesses at one account from all networks. */
const PER_ACCOUNT: Limit = { name: "sign-in-account", points: 20, durationMs: HOUR_MS };

/** Limits wrong passwords per account and per network. */
export interface GuessLimit {
  /**
   * Runs `verify`, which returns null for a wrong password. An attempt counts before it is verified
   * and is given back if the password is right, so concurrent attempts cannot exceed the limit.
   * @throws TooManyRequests `sign_in_limited`, even for the right password.
   */
  verifyLimited<T>(
    account: string,
    peer: string,
    verify: () => Promise<T | null>,
  ): Promise<T | null>;
}

/** Called when a limit is reached, once in its duration. */
export type OnLimitReached = (attempt: {
  limit: string;
  account: string;
  network: string;
}) => Promise<void>;

/**
 * Three limits: account and network together, the account alone, and the network alone. The last
 * two do not apply to a network from which the account signed in before, so guesses of others do
 * not lock users out of their usual network.
 */
export function createGuessLimit(
  cache: Cache,
  networkPoints: number,
  onLimitReached: OnLimitReached,
): GuessLimit {
  const perNetwork = {
    name: "sign-in-network",
    points: networkPoints,
    durationMs: QUARTER_HOUR_MS,
  };
  const inTurn = createQueues();

  async function takeAll(limits: readonly (readonly [Limit, string])[], attempt: Attempt) {
    const taken: (readonly [Limit, string])[] = [];
    const giveBack = () =>
      Promise.all(taken.map(([limit, key]) => cache.giveBack(limit, key)));
    for (const [limit, key] of limits) {
      const { allowed, retryAfterMs } = await cache.take(limit, key);
      taken.push([limit, key]);
      if (allowed) continue;
      await giveBack();
      if (await cache.add(`${limit.name}-reached:${key}`, "1", limit.durationMs))
        await onLimitReached({ limit: limit.name, ...attempt });
      throw tooMany(retryAfterMs);
    }
    return giveBack;
  }

  return {
    verifyLimited: (account, peer, verify) => {
      const network = networkOf(peer);
      const pair = `${account} ${network}`;
      const familiar = `sign-in-familiar:${pair}`;
      // one after another, so that right passwords of many people behind one address all pass
      return inTurn(network, async () => {
        // without the cache no network is familiar
        const isFamiliar = (await cache.get(familiar).catch(() => null)) !== null;
        const accountAndNetwork = [
          [perNetwork, network],
          [PER_ACCOUNT, account],
        ] as const;
        const limits = [
          [PER_PAIR, pair] as const,
          ...(isFamiliar ? [] : accountAndNetwork),
        ];
        const giveBack = await takeAll(limits, { account, network });
        const result = await verify();
        if (result === null) return null;
        await giveBack();
        await cache.set(familiar, "1", FAMILIAR_NETWORK_MS).catch(() => {});
        return result;
      });
    },
  };
}

interface Attempt {
  account: string;
  network: string;
}

function tooMany(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "sign_in_limited",
    `Too many attempts. Wait ${Math.ceil(retryAfterMs / 60_000)} minutes and try again.`,
    retryAfterMs,
    { params: { minutes: Math.ceil(retryAfterMs / 60_000) } },
  );
}

/** Runs the work of each key one after another. */
function createQueues() {
  const lastByKey = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const previous = lastByKey.get(key);
    const current = previous ? previous.then(work, work) : work();
    lastByKey.set(key, current);
    try {
      return await current;
    } finally {
      if (lastByKey.get(key) === current) lastByKey.delete(key);
    }
  };
}

/** The address, or for IPv6 its /64, all of which one user controls. Other text stays as it is. */
export function networkOf(peer: string): string {
  const text = peer.replace(/^\[|\](:\d+)?$/g, "");
  if (!ipaddr.isValid(text)) return peer;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
