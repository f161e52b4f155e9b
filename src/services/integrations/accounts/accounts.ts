import { randomBytes } from "node:crypto";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import type { Leases } from "../../../platform/lease/leases.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  type AccountRecord,
  CredentialsRefused,
  type Provider,
  type TokenSet,
} from "../providers/provider.ts";
import { settled } from "./settle.ts";
import { createShare } from "./share.ts";
import { createTokenCache, type TokenCache } from "./token-cache.ts";

interface Deps {
  leases: Leases;
  log: Logger;
  tokens?: TokenCache;
}

/** An account that can be used. */
export type Account = AccountRecord & { apiKey: string };

export interface Accounts {
  /** Source: requirements 3, "Account ensure rules". */
  ensureAccount(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
  ): Promise<{ account: Account; created: boolean }>;
  /** Source: requirements 3, "Token ensure rules". */
  ensureTokens(provider: Provider, userId: string, signal: AbortSignal): Promise<TokenSet>;
  /**
   * Renews tokens though they may still hold. `refreshed` false: there were none to refresh, or it
   * failed, and the user was signed in.
   */
  refreshTokens(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
  ): Promise<{ tokens: TokenSet; refreshed: boolean }>;
  /** The user's account where there is one; none is made. */
  findAccount(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
  ): Promise<Account | undefined>;
  /** Works with the user's key. One that the provider does not take any more is replaced, once. */
  withKey<T>(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
    work: (key: string) => Promise<T>,
  ): Promise<T>;
  /** Forgets the user's tokens. */
  forget(provider: Provider, userId: string): void;
}

/** What a sign-in gets right after the account was made or changed. */
const isRefusal = (error: unknown) =>
  error instanceof CredentialsRefused ||
  (error instanceof ApiError && error.code === "provider_account_inactive");

/** Making an account takes several requests. Each is bounded, and so is all of it. */
const PROVISION_TIMEOUT_MS = 80_000;
const LEASE_WAIT_MS = 60_000;
const busy = () =>
  new Unavailable(
    "account_busy",
    "Your account at the flow provider is being made. Try again in a moment.",
  );
const KEY_NAME = "parlance";

export function createAccounts({ leases, log, tokens = createTokenCache() }: Deps): Accounts {
  const share = createShare();
  const keyOf = (provider: Provider, userId: string) => `${provider.name}:${userId}`;
  const bounded = () => AbortSignal.timeout(PROVISION_TIMEOUT_MS);

  /** At most one sign-in or refresh of a user is under way. */
  const signIn = (
    provider: Provider,
    userId: string,
    { username, password }: AccountRecord,
    signal: AbortSignal,
  ) =>
    share(`login ${keyOf(provider, userId)}`, signal, async () =>
      tokens.put(
        keyOf(provider, userId),
        await provider.users.login(username, password, bounded()),
      ),
    );

  /** Makes the account, or mends what is left of it. Under the lease. */
  async function provision(
    provider: Provider,
    userId: string,
    existing: AccountRecord | undefined,
  ): Promise<Account> {
    const signal = bounded();
    const username = existing?.username ?? provider.users.usernameFor(userId);
    let password = existing?.password ?? randomBytes(32).toString("base64url");
    let set: TokenSet | undefined;
    try {
      if (existing) set = await signIn(provider, userId, existing, signal);
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      log.warn({ userId }, "the flow provider does not know an account any more: it is made anew");
      password = randomBytes(32).toString("base64url");
    }
    if (!set) {
      await provider.users.create(username, password, signal);
      const made = { username, password, apiKey: null };
      set = await settled(() => signIn(provider, userId, made, signal), isRefusal, signal);
    }
    const apiKey = await provider.users.createKey(set, KEY_NAME, signal);
    const account = { username, password, apiKey };
    await provider.records.save(userId, account, existing !== undefined, signal);
    return account;
  }

  /** `refused`: the key that the provider did not take. */
  const usable = async (
    provider: Provider,
    userId: string,
    refused: string | undefined,
    signal?: AbortSignal,
  ) => {
    const record = await provider.records.get(userId, signal);
    const { apiKey } = record ?? {};
    const account = record && apiKey && apiKey !== refused ? { ...record, apiKey } : undefined;
    return { record, account };
  };

  const obtain = (
    provider: Provider,
    userId: string,
    refused: string | undefined,
    signal: AbortSignal,
  ) =>
    share(`account ${keyOf(provider, userId)} ${refused ?? ""}`, signal, async () => {
      const before = await usable(provider, userId, refused);
      if (before.account) return { account: before.account, created: false };
      const lease = `flow account ${provider.name} ${userId}`;
      return leases.run(lease, { waitMs: LEASE_WAIT_MS, busy }, async () => {
        // another replica may have been first
        const { record, account } = await usable(provider, userId, refused);
        if (account) return { account, created: false };
        return {
          account: await provision(provider, userId, record),
          created: record === undefined,
        };
      });
    });

  /** From the refresh token, else by signing in; an account that is gone is made anew. */
  const renew = (
    provider: Provider,
    userId: string,
    signal: AbortSignal,
    usableIf: (set: TokenSet) => boolean,
  ) =>
    share(`tokens ${keyOf(provider, userId)}`, signal, async () => {
      const cached = tokens.get(keyOf(provider, userId));
      if (cached && usableIf(cached)) return { tokens: cached, refreshed: true };
      if (cached) {
        const refreshed = await refresh(provider, userId, cached);
        if (refreshed) return { tokens: refreshed, refreshed: true };
        tokens.delete(keyOf(provider, userId));
      }
      const limit = bounded();
      const { account } = await obtain(provider, userId, undefined, limit);
      // making the account signs in
      const fresh = tokens.get(keyOf(provider, userId));
      if (fresh) return { tokens: fresh, refreshed: false };
      try {
        return { tokens: await signIn(provider, userId, account, limit), refreshed: false };
      } catch (error) {
        if (!(error instanceof CredentialsRefused)) throw error;
        const anew = await obtain(provider, userId, account.apiKey, limit);
        return {
          tokens:
            tokens.get(keyOf(provider, userId)) ??
            (await signIn(provider, userId, anew.account, limit)),
          refreshed: false,
        };
      }
    });

  /** `undefined` when it fails, for whatever reason: then a sign-in is tried, as the rules say. */
  const refresh = (provider: Provider, userId: string, cached: TokenSet) =>
    share(`login ${keyOf(provider, userId)}`, bounded(), async () =>
      tokens.put(keyOf(provider, userId), await provider.users.refresh(cached, bounded())),
    ).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      log.debug({ err: error, userId }, "tokens could not be refreshed");
      return undefined;
    });

  return {
    ensureAccount: (provider, userId, signal) => obtain(provider, userId, undefined, signal),
    async ensureTokens(provider, userId, signal) {
      const cached = tokens.get(keyOf(provider, userId));
      if (cached && tokens.isFresh(cached)) return cached;
      return (await renew(provider, userId, signal, tokens.isFresh)).tokens;
    },
    refreshTokens: (provider, userId, signal) => {
      const before = tokens.get(keyOf(provider, userId));
      return renew(provider, userId, signal, (set) => set !== before);
    },
    findAccount: async (provider, userId, signal) =>
      (await usable(provider, userId, undefined, signal)).account,
    async withKey(provider, userId, signal, work) {
      const { account } = await obtain(provider, userId, undefined, signal);
      try {
        return await work(account.apiKey);
      } catch (error) {
        if (!(error instanceof CredentialsRefused)) throw error;
        const mended = await obtain(provider, userId, account.apiKey, signal);
        return work(mended.account.apiKey);
      }
    },
    forget: (provider, userId) => tokens.delete(keyOf(provider, userId)),
  };
}
