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
import { retryUntilSettled } from "./settle.ts";
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
  /** Returns the user's account and creates it if there is none. */
  ensureAccount(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
  ): Promise<{ account: Account; created: boolean }>;
  /** Returns tokens that are still valid; refreshes them or signs in otherwise. */
  ensureTokens(provider: Provider, userId: string, signal: AbortSignal): Promise<TokenSet>;
  /**
   * Renews tokens even if they are still valid. `refreshed` is false if there was no token to
   * refresh, or refreshing failed, so the user was signed in.
   */
  refreshTokens(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
  ): Promise<{ tokens: TokenSet; refreshed: boolean }>;
  /** The user's account if there is one. */
  findAccount(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
  ): Promise<Account | undefined>;
  /** Calls `work` with the user's key. A key that the provider refuses is replaced once. */
  withKey<T>(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
    work: (key: string) => Promise<T>,
  ): Promise<T>;
  /** Drops the user's tokens. */
  forget(provider: Provider, userId: string): void;
}

/** Errors of a sign-in right after the account was created or changed. */
const isRefusal = (error: unknown) =>
  error instanceof CredentialsRefused ||
  (error instanceof ApiError && error.code === "provider_account_inactive");

/** Creating an account takes several requests, limited each and together. */
const PROVISION_TIMEOUT_MS = 80_000;
const LEASE_WAIT_MS = 60_000;
const busy = () =>
  new Unavailable(
    "account_busy",
    "Your account at the flow provider is being created. Try again in a moment.",
  );
const KEY_NAME = "parlance";

export function createAccounts({ leases, log, tokens = createTokenCache() }: Deps): Accounts {
  const share = createShare();
  const keyOf = (provider: Provider, userId: string) => `${provider.name}:${userId}`;
  const createTimeout = () => AbortSignal.timeout(PROVISION_TIMEOUT_MS);

  /** At most one sign-in or refresh per user runs at a time. */
  const signIn = (
    provider: Provider,
    userId: string,
    { username, password }: AccountRecord,
    signal: AbortSignal,
  ) =>
    share(`login ${keyOf(provider, userId)}`, signal, async () =>
      tokens.put(
        keyOf(provider, userId),
        await provider.users.login(username, password, createTimeout()),
      ),
    );

  /** Creates the account, or repairs an incomplete one. The caller holds the lease. */
  async function provision(
    provider: Provider,
    userId: string,
    existing: AccountRecord | undefined,
  ): Promise<Account> {
    const signal = createTimeout();
    const username = existing?.username ?? provider.users.usernameFor(userId);
    let password = existing?.password ?? randomBytes(32).toString("base64url");
    let set: TokenSet | undefined;
    try {
      if (existing) set = await signIn(provider, userId, existing, signal);
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      log.warn({ userId }, "the flow provider no longer has an account: it is created again");
      password = randomBytes(32).toString("base64url");
    }
    if (!set) {
      await provider.users.create(username, password, signal);
      const newAccount = { username, password, apiKey: null };
      set = await retryUntilSettled(
        () => signIn(provider, userId, newAccount, signal),
        isRefusal,
        signal,
      );
    }
    const apiKey = await provider.users.createKey(set, KEY_NAME, signal);
    const account = { username, password, apiKey };
    await provider.records.save(userId, account, existing !== undefined, signal);
    return account;
  }

  /** `refused`: a key that the provider refused. */
  const readUsable = async (
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
      const current = await readUsable(provider, userId, refused);
      if (current.account) return { account: current.account, created: false };
      const lease = `flow account ${provider.name} ${userId}`;
      return leases.run(lease, { waitMs: LEASE_WAIT_MS, busy }, async () => {
        // another replica may have created it meanwhile
        const { record, account } = await readUsable(provider, userId, refused);
        if (account) return { account, created: false };
        return {
          account: await provision(provider, userId, record),
          created: record === undefined,
        };
      });
    });

  /** Refreshes tokens, or signs in. Creates an account that the provider lost again. */
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
      const limit = createTimeout();
      const { account } = await obtain(provider, userId, undefined, limit);
      // creating the account signs in
      const fresh = tokens.get(keyOf(provider, userId));
      if (fresh) return { tokens: fresh, refreshed: false };
      try {
        return { tokens: await signIn(provider, userId, account, limit), refreshed: false };
      } catch (error) {
        if (!(error instanceof CredentialsRefused)) throw error;
        const replaced = await obtain(provider, userId, account.apiKey, limit);
        return {
          tokens:
            tokens.get(keyOf(provider, userId)) ??
            (await signIn(provider, userId, replaced.account, limit)),
          refreshed: false,
        };
      }
    });

  /** Refreshes tokens; `undefined` if that fails, whatever the reason: then the user signs in. */
  const refresh = (provider: Provider, userId: string, cached: TokenSet) =>
    share(`login ${keyOf(provider, userId)}`, createTimeout(), async () =>
      tokens.put(keyOf(provider, userId), await provider.users.refresh(cached, createTimeout())),
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
      const current = tokens.get(keyOf(provider, userId));
      return renew(provider, userId, signal, (set) => set !== current);
    },
    findAccount: async (provider, userId, signal) =>
      (await readUsable(provider, userId, undefined, signal)).account,
    async withKey(provider, userId, signal, work) {
      const { account } = await obtain(provider, userId, undefined, signal);
      try {
        return await work(account.apiKey);
      } catch (error) {
        if (!(error instanceof CredentialsRefused)) throw error;
        const replaced = await obtain(provider, userId, account.apiKey, signal);
        return work(replaced.account.apiKey);
      }
    },
    forget: (provider, userId) => tokens.delete(keyOf(provider, userId)),
  };
}
