import { randomToken } from "../../../platform/auth/secrets.ts";
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
import { singleFlightByKey } from "../../../platform/single-flight.ts";

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

export function createAccounts({
  leases,
  log,
  tokens = createTokenCache(),
}: Deps): Accounts {
  return new ManagedAccounts({ leases, log, tokens });
}

class ManagedAccounts implements Accounts {
  readonly #leases: Leases;
  readonly #log: Logger;
  readonly #tokens: TokenCache;
  readonly #share = singleFlightByKey();

  constructor({ leases, log, tokens }: Required<Deps>) {
    this.#leases = leases;
    this.#log = log;
    this.#tokens = tokens;
  }

  ensureAccount(provider: Provider, userId: string, signal: AbortSignal) {
    return this.#obtain(provider, userId, undefined, signal);
  }

  async ensureTokens(provider: Provider, userId: string, signal: AbortSignal) {
    const cached = this.#tokens.get(keyOf(provider, userId));
    if (cached && this.#tokens.isFresh(cached)) return cached;
    return (await this.#renew(provider, userId, signal, this.#tokens.isFresh)).tokens;
  }

  refreshTokens(provider: Provider, userId: string, signal: AbortSignal) {
    const current = this.#tokens.get(keyOf(provider, userId));
    return this.#renew(provider, userId, signal, (set) => set !== current);
  }

  async findAccount(provider: Provider, userId: string, signal: AbortSignal) {
    return (await readUsable(provider, userId, undefined, signal)).account;
  }

  async withKey<T>(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
    work: (key: string) => Promise<T>,
  ): Promise<T> {
    const { account } = await this.#obtain(provider, userId, undefined, signal);
    try {
      return await work(account.apiKey);
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      const replaced = await this.#obtain(provider, userId, account.apiKey, signal);
      return work(replaced.account.apiKey);
    }
  }

  forget(provider: Provider, userId: string): void {
    this.#tokens.delete(keyOf(provider, userId));
  }

  /** Returns a usable account, and creates it under a lease if there is none. */
  #obtain(
    provider: Provider,
    userId: string,
    refused: string | undefined,
    signal: AbortSignal,
  ) {
    const shared = `account ${keyOf(provider, userId)} ${refused ?? ""}`;
    return this.#share(shared, signal, async () => {
      const current = await readUsable(provider, userId, refused);
      if (current.account) return { account: current.account, created: false };
      const lease = `flow account ${provider.name} ${userId}`;
      return this.#leases.run(lease, { waitMs: LEASE_WAIT_MS, busy }, async () => {
        // another replica may have created it in the meantime
        const { record, account } = await readUsable(provider, userId, refused);
        if (account) return { account, created: false };
        const provisioned = await this.#provision(provider, userId, record);
        return { account: provisioned, created: record === undefined };
      });
    });
  }

  /** Creates the account, or repairs an incomplete one. The caller holds the lease. */
  async #provision(
    provider: Provider,
    userId: string,
    existing: AccountRecord | undefined,
  ): Promise<Account> {
    const signal = createTimeout();
    const username = existing?.username ?? provider.users.usernameFor(userId);
    let password = existing?.password ?? randomToken();
    let set: TokenSet | undefined;
    try {
      if (existing) set = await this.#signIn(provider, userId, existing, signal);
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      this.#log.warn(
        { userId },
        "the flow provider no longer has an account: it is created again",
      );
      password = randomToken();
    }
    if (!set) {
      await provider.users.create(username, password, signal);
      const created = { username, password, apiKey: null };
      const signIn = () => this.#signIn(provider, userId, created, signal);
      set = await retryUntilSettled(signIn, isRefusal, signal);
    }
    const apiKey = await provider.users.createKey(set, KEY_NAME, signal);
    const account = { username, password, apiKey };
    await provider.records.save(userId, account, existing !== undefined, signal);
    return account;
  }

  /** At most one sign-in or refresh per user runs at a time. */
  #signIn(
    provider: Provider,
    userId: string,
    { username, password }: AccountRecord,
    signal: AbortSignal,
  ) {
    const key = keyOf(provider, userId);
    return this.#share(`login ${key}`, signal, async () =>
      this.#tokens.put(
        key,
        await provider.users.login(username, password, createTimeout()),
      ),
    );
  }

  /** Refreshes tokens; `undefined` if that fails, whatever the reason: then the user signs in. */
  #refresh(provider: Provider, userId: string, cached: TokenSet) {
    const key = keyOf(provider, userId);
    const refreshed = this.#share(`login ${key}`, createTimeout(), async () =>
      this.#tokens.put(key, await provider.users.refresh(cached, createTimeout())),
    );
    return refreshed.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      this.#log.debug({ err: error, userId }, "tokens could not be refreshed");
      return undefined;
    });
  }

  /** Refreshes tokens, or signs in. Creates an account that the provider lost again. */
  #renew(
    provider: Provider,
    userId: string,
    signal: AbortSignal,
    usableIf: (set: TokenSet) => boolean,
  ) {
    const key = keyOf(provider, userId);
    return this.#share(`tokens ${key}`, signal, async () => {
      const cached = this.#tokens.get(key);
      if (cached && usableIf(cached)) return { tokens: cached, refreshed: true };
      if (cached) {
        const refreshed = await this.#refresh(provider, userId, cached);
        if (refreshed) return { tokens: refreshed, refreshed: true };
        this.#tokens.delete(key);
      }
      return { tokens: await this.#signInAgain(provider, userId), refreshed: false };
    });
  }

  /** Signs in with the stored account. One whose sign-in is refused is created again. */
  async #signInAgain(provider: Provider, userId: string): Promise<TokenSet> {
    const key = keyOf(provider, userId);
    const limit = createTimeout();
    const { account } = await this.#obtain(provider, userId, undefined, limit);
    // creating the account signs in
    const fresh = this.#tokens.get(key);
    if (fresh) return fresh;
    try {
      return await this.#signIn(provider, userId, account, limit);
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      const replaced = await this.#obtain(provider, userId, account.apiKey, limit);
      const signedIn = this.#tokens.get(key);
      return signedIn ?? (await this.#signIn(provider, userId, replaced.account, limit));
    }
  }
}

/** A token that expires within this time counts as expired, so that it outlasts its request. */
const EXPIRY_MARGIN_MS = 30_000;
/** Beyond this number the tokens of the oldest users are dropped; they sign in again. */
const MAX_USERS = 10_000;

/** Tokens, held only in the memory of this process. */
export function createTokenCache(now: () => number = Date.now) {
  const entries = new Map<string, TokenSet>();
  return {
    get: (key: string): TokenSet | undefined => entries.get(key),
    isFresh: (tokens: TokenSet): boolean => tokens.expiresAt - EXPIRY_MARGIN_MS > now(),
    put(key: string, tokens: TokenSet): TokenSet {
      entries.delete(key);
      entries.set(key, tokens);
      const [oldest] = entries.keys();
      if (entries.size > MAX_USERS && oldest !== undefined) entries.delete(oldest);
      return tokens;
    },
    delete: (key: string): void => void entries.delete(key),
  };
}

type TokenCache = ReturnType<typeof createTokenCache>;

const keyOf = (provider: Provider, userId: string) => `${provider.name}:${userId}`;
const createTimeout = () => AbortSignal.timeout(PROVISION_TIMEOUT_MS);

/** `refused`: a key that the provider refused. */
async function readUsable(
  provider: Provider,
  userId: string,
  refused: string | undefined,
  signal?: AbortSignal,
) {
  const record = await provider.records.get(userId, signal);
  const { apiKey } = record ?? {};
  const account =
    record && apiKey && apiKey !== refused ? { ...record, apiKey } : undefined;
  return { record, account };
}
