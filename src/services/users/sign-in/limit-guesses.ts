import ipaddr from "ipaddr.js";
import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";
import { FairLine } from "./fair-line.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** How long a network counts as one that an account signs in from. */
const FAMILIAR_NETWORK_MS = 30 * 24 * HOUR_MS;

/** Guesses at one account from one network. */
const PER_PAIR: Limit = { name: "sign-in-pair", points: 5, durationMs: QUARTER_HOUR_MS };
/** Guesses at one account from all networks. */
const PER_ACCOUNT: Limit = { name: "sign-in-account", points: 20, durationMs: HOUR_MS };

/** Each sign-in takes a hash of about 0.1 s. Sites take turns: one with many waits for itself. */
const SIGN_INS = { maxRunning: 2, maxWaiting: { perKey: 100, total: 1_000 } };

/** Limits wrong passwords per account and per network. */
export interface GuessLimit {
  /**
   * Runs `verify`, which returns null for a wrong password. An attempt counts before it is verified
   * and is given back if the password is right, so concurrent attempts cannot exceed the limit.
   * @throws TooManyRequests `sign_in_limited`, even for the right password; Unavailable
   * `sign_in_busy`.
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
  const line = new FairLine(SIGN_INS);

  async function takeAll(limits: readonly (readonly [Limit, string])[], attempt: Attempt) {
    const taken: (readonly [Limit, string])[] = [];
    const giveBack = () =>
      Promise.all(taken.map(([limit, key]) => cache.giveBack(limit, key)));
    for (const [limit, key] of limits) {
      const { allowed, retryAfterMs } = await cache.take(limit, key);
      taken.push([limit, key]);
      if (allowed) continue;
      await giveBack();
      if (
        await cache.add(
          `${limit.name}-reached:${key}`,
          "1",
          limit.durationMs,
          attempt.network,
        )
      )
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
      return line.run(siteOf(peer), async () => {
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
        // the network counts as unfamiliar once more
        await cache.set(familiar, "1", FAMILIAR_NETWORK_MS, account).catch(() => {});
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

/** The leading parts of an IPv6 address that one user controls, and that one site has. */
const NETWORK_PARTS = 4;
const SITE_PARTS = 3;

/** The address, or for IPv6 its /64, all of which one user controls. Other text stays as it is. */
export function networkOf(peer: string): string {
  return prefixOf(peer, NETWORK_PARTS);
}

/** The block of addresses that one may have cheaply: a /24, or for IPv6 a /64. */
export function blockOf(peer: string): string {
  const network = networkOf(peer);
  return ipaddr.IPv4.isValid(network) ? network.replace(/\.\d+$/, ".0/24") : network;
}

/** The address, or for IPv6 its /48, which providers give to one site. */
export function siteOf(peer: string): string {
  return prefixOf(peer, SITE_PARTS);
}

function prefixOf(peer: string, parts: number): string {
  if (!ipaddr.isValid(peer)) return peer;
  const address = ipaddr.process(peer);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const kept = address.parts.map((part, at) => (at < parts ? part : 0));
  return `${new ipaddr.IPv6(kept).toString()}/${parts * 16}`;
}
