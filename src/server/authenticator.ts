import type { Authenticator } from "../platform/http/access.ts";
import {
  createSharedSecretVerifier,
  createTokenVerifier,
} from "../platform/auth/access-token.ts";
import type { Revocations } from "../platform/auth/revocations.ts";
import { hashToken, secretMatcher } from "../platform/auth/secrets.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { Unauthorized, Forbidden } from "../platform/http/errors.ts";
import { readJson } from "../platform/http/read-json.ts";
import type { SecretName } from "../platform/http/route.ts";
import type { Secrets } from "../platform/service.ts";
import { integrationsContract } from "../services/integrations/contract.ts";
import { usersContract } from "../services/users/contract.ts";
import type { ServerConfig } from "./config.ts";
import { SECRET_VARIABLES } from "./peers.ts";
import { createApiKeys } from "./api-keys.ts";
import { createGroupRoles } from "./group-roles.ts";
import { sessionsContract } from "../services/users/contract-sessions.ts";
import { shortenText } from "../platform/shorten-text.ts";
import { knownUsersContract } from "../services/users/contract-known-users.ts";
import { RoleName } from "../services/users/contract-roles.ts";
import { mcpClientsContract } from "../services/users/contract-mcp-clients.ts";
import { scimTokensContract } from "../services/users/contract-scim-tokens.ts";

interface Deps {
  config: ServerConfig;
  secrets: Secrets;
  revocations: Pick<Revocations, "check" | "rolesVersion">;
  /** The number of INTERNAL_PORT where it asks for no credential. */
  openInternalPort: number | undefined;
  publicUrl: string;
  /** Whether this process can reach a users service. */
  hasUsers: boolean;
  /**
   * The users service, which holds API keys and, unless configured otherwise, the keys of access
   * tokens.
   */
  users: () => Fetch;
  /** The integrations service, which holds the keys of flows. */
  integrations: () => Fetch;
}

/** The time limit for another service to verify a credential. */
const VERIFY_TIMEOUT_MS = 5_000;

/**
 * Verifies every credential that reaches this process: tokens offline, API keys at the users
 * service, secrets in constant time.
 */
export function createAuthenticator(deps: Deps): Authenticator {
  const { config, secrets, users } = deps;
  const userOfKey = createApiKeys(deps);
  const toCaller: ToCaller = (user) => ({
    ...user,
    isOfOperator: user.clientId === config.OPERATOR_CLIENT_ID,
  });
  return {
    publicOrigin: config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin,
    ...tokenVerifiers(deps, toCaller),
    apiKey: async (key) => toCaller(await userOfKey(key)),
    // only the users service signs people in
    mcpMetadata: deps.hasUsers
      ? `${deps.publicUrl}/.well-known/oauth-protected-resource/mcp`
      : undefined,
    async mcpToken(token) {
      const { verifyMcpToken } = mcpClientsContract;
      const options = { timeoutMs: VERIFY_TIMEOUT_MS };
      const { user } = await call(users(), verifyMcpToken, { body: { token } }, options);
      return toCaller({ kind: "user", via: "mcp", ...user });
    },
    async scimToken(token) {
      const { verifyScimToken } = scimTokensContract;
      const options = { timeoutMs: VERIFY_TIMEOUT_MS };
      const { tokenId, clientId } = await call(
        users(),
        verifyScimToken,
        { body: { token } },
        options,
      );
      return { kind: "scim", tokenId, clientId };
    },
    flowKey: (key) => verifyFlowKey(deps, toCaller, key),
    secretMatches: secretVerifier(secrets),
    openInternalPort: deps.openInternalPort,
  };
}

type ToCaller = (user: User) => User;

function tokenVerifiers(
  { config, revocations, hasUsers, users }: Deps,
  toCaller: ToCaller,
): Pick<Authenticator, "session" | "agentToken" | "accessToken"> {
  const tokens = createTokenVerifier({
    ...(config.JWT_PUBLIC_KEY
      ? { publicKeyPem: config.JWT_PUBLIC_KEY }
      : { jwks: () => fetchKeys(config.JWT_JWKS_URL, users) }),
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    revocations,
  });
  const { AGENT_JWT_SECRET: secret, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = config;
  const agentTokens = secret
    ? createSharedSecretVerifier({ secret, issuer, audience })
    : async () => undefined;
  const recordUser = hasUsers ? createUserRecorder(users) : async () => {};
  const addGroupRoles = hasUsers ? createGroupRoles({ users, revocations }) : keepRoles;
  const isExternal = Boolean(config.JWT_PUBLIC_KEY ?? config.JWT_JWKS_URL);
  const sessionTokens = createSessionTokens(users);
  return {
    async session(cookie) {
      const token = await sessionTokens(cookie);
      const user = await addGroupRoles(await tokens.verify(token));
      return { user: toCaller(user), token };
    },
    async agentToken(token) {
      const user = await agentTokens(token);
      if (!user) return undefined;
      revocations.check(user.userId);
      await recordUser(user);
      return toCaller(await addGroupRoles(user));
    },
    async accessToken(token) {
      const user = await tokens.verify(token);
      if (isExternal) await recordUser(user, user.roles);
      return toCaller(await addGroupRoles(user));
    },
  };
}

const keepRoles = async (user: User) => user;

async function verifyFlowKey(
  { integrations, revocations }: Deps,
  toCaller: ToCaller,
  key: string,
): Promise<User> {
  const { user } = await call(
    integrations(),
    integrationsContract.verifyFlowKey,
    { body: { key } },
    { timeoutMs: VERIFY_TIMEOUT_MS },
  );
  if (!user)
    throw new Unauthorized(
      "flow_key_invalid",
      "The flow key is not valid. Read your own from GET /api/v1/flowengine/api-key.",
    );
  // the integrations service may not know yet that the user was disabled or deleted
  revocations.check(user.userId);
  return toCaller({ kind: "user", via: "flow-key", ...user });
}

function secretVerifier(secrets: Secrets): Authenticator["secretMatches"] {
  const matcher = (name: SecretName) => secretMatcher(secrets[SECRET_VARIABLES[name]]);
  const matchers: Record<SecretName, (given: string) => boolean> = {
    "service-secret": matcher("service-secret"),
    "mcp-secret": matcher("mcp-secret"),
    "completion-secret": matcher("completion-secret"),
    "user-secret": matcher("user-secret"),
  };
  return (name, given) => matchers[name](given);
}

/** Far above what an issuer publishes. */
const JWKS_LIMITS = { maxBytes: 1024 * 1024, maxValues: 5_000 };

async function fetchKeys(url: string | undefined, users: () => Fetch) {
  if (url === undefined) return call(users(), usersContract.jwks, {}, { timeoutMs: 5_000 });
  const response = await fetch(url, {
    signal: AbortSignal.timeout(5_000),
    redirect: "error",
  });
  return readJson(response, JWKS_LIMITS);
}

/** A token is replaced after this time, so that new roles of a user take effect. */
const MAX_AGE_MS = 60_000;
/** A token is replaced this long before it expires, or after half of its lifetime. */
const EXPIRY_MARGIN_MS = 60_000;
const MAX_CACHED_SESSIONS = 10_000;

interface Entry {
  token: Promise<string>;
  /** By `performance.now()`, which no correction of the clock moves. */
  until: number;
  /** By the clock. */
  endsAt: number;
}

/**
 * Exchanges session cookies for access tokens at the users service. Requests that a browser sends
 * at once share one exchange.
 */
function createSessionTokens(users: () => Fetch): (cookie: string) => Promise<string> {
  const cache = new Map<string, Entry>();
  return (cookie) => {
    const key = hashToken(cookie);
    const cached = cache.get(key);
    const isYoung = cached && performance.now() < cached.until;
    if (isYoung && Date.now() < cached.endsAt) return cached.token;
    cache.delete(key);
    const until = performance.now() + MAX_AGE_MS;
    const entry: Entry = { token: exchange(), until, endsAt: Infinity };
    if (cache.size >= MAX_CACHED_SESSIONS) cache.delete(cache.keys().next().value ?? "");
    cache.set(key, entry);
    entry.token.catch(() => cache.get(key) === entry && cache.delete(key));
    return entry.token;

    async function exchange(): Promise<string> {
      const route = sessionsContract.exchangeCookie;
      const answer = await call(users(), route, { body: { cookie } }, { timeoutMs: 5_000 });
      const lifetimeMs = Date.parse(answer.expiresAt) - Date.now();
      const usableMs = Math.max(lifetimeMs - EXPIRY_MARGIN_MS, lifetimeMs / 2);
      entry.endsAt = Date.now() + usableMs;
      return answer.accessToken;
    }
  };
}

/** A user is recorded again after this time, or at once when the token has other claims. */
const RECORD_INTERVAL_MS = 600_000;
const MAX_CACHED_USERS = 10_000;

/**
 * Records users of an external token issuer in the users service before their first request runs:
 * sharing, grants and keys apply to known users only.
 */
function createUserRecorder(users: () => Fetch) {
  const recorded = new Map<string, { until: number; done: Promise<void> }>();
  /** `roles` are those that the issuer's token names; they apply to background work too. */
  return async (user: User, roles?: readonly string[]): Promise<void> => {
    const { userId, clientId, email, name } = user;
    const key = JSON.stringify([userId, clientId, email, name, roles]);
    const cached = recorded.get(key);
    if (cached && cached.until > performance.now()) return cached.done;
    const done = record(users(), user, roles);
    recorded.delete(key);
    if (recorded.size >= MAX_CACHED_USERS)
      recorded.delete(recorded.keys().next().value ?? "");
    recorded.set(key, { until: performance.now() + RECORD_INTERVAL_MS, done });
    done.catch(() => recorded.delete(key));
    return done;
  };
}

/** @throws Forbidden `user_disabled`, `tenant_mismatch`. */
async function record(
  users: Fetch,
  { userId, clientId, email, name }: User,
  roles: readonly string[] | undefined,
): Promise<void> {
  const body = {
    userId,
    clientId,
    email: email.slice(0, 320),
    name: shortenText(name, 200),
    // an external issuer may send names that are no valid role names
    roles: roles?.filter((role) => RoleName.safeParse(role).success),
  };
  const known = await call(
    users,
    knownUsersContract.seeUser,
    { body },
    { timeoutMs: 5_000 },
  );
  if (!known.active)
    throw new Forbidden(
      "user_disabled",
      "This account is disabled. Ask your administrator.",
    );
  if (known.clientId !== clientId)
    throw new Forbidden(
      "tenant_mismatch",
      "This account belongs to another tenant. Ask your administrator for an account in this one.",
    );
}
