import type { Authenticator } from "../platform/http/access.ts";
import {
  createSharedSecretVerifier,
  createTokenVerifier,
} from "../platform/auth/access-token.ts";
import type { Revocations } from "../platform/auth/revocations.ts";
import { secretMatcher } from "../platform/auth/secrets.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { Unauthorized } from "../platform/http/errors.ts";
import { readJson } from "../platform/http/read-json.ts";
import type { SecretName } from "../platform/http/route.ts";
import type { Secrets } from "../platform/service.ts";
import { integrationsContract } from "../services/integrations/contract.ts";
import { usersContract } from "../services/users/contract.ts";
import type { ServerConfig } from "./config.ts";
import { SECRET_VARIABLES } from "./peers.ts";
import { createGroupRoles } from "./group-roles.ts";
import { createSessionTokens } from "./session-tokens.ts";
import { createUserRecorder } from "./create-user-recorder.ts";

interface Deps {
  config: ServerConfig;
  secrets: Secrets;
  revocations: Pick<Revocations, "check" | "rolesVersion">;
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
  const toCaller: ToCaller = (user) => ({
    ...user,
    isOfOperator: user.clientId === config.OPERATOR_CLIENT_ID,
  });
  return {
    publicOrigin: config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin,
    ...tokenVerifiers(deps, toCaller),
    async apiKey(key) {
      const { verifyApiKey } = usersContract;
      const options = { timeoutMs: VERIFY_TIMEOUT_MS };
      const { user } = await call(users(), verifyApiKey, { body: { key } }, options);
      return toCaller({ kind: "user", via: "key", ...user });
    },
    flowKey: (key) => verifyFlowKey(deps, toCaller, key),
    secretMatches: secretVerifier(secrets),
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
