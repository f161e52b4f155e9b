import { type Caller, isAdmin, isOperator, type ScimClient, type User } from "./caller.ts";
import type { Connection } from "./context.ts";
import { ApiError, Forbidden, Unauthorized } from "./errors.ts";
import { beyondScopes, scopesCover } from "./guard.ts";
import {
  type Access,
  type AnyRoute,
  FLOW_KEY,
  MCP_TOKEN,
  SCIM_TOKEN,
  type SecretName,
  waysInto,
} from "./route.ts";
import { readSessionCookie, requireSameOrigin } from "./session-cookie.ts";

/** Proves credentials. Each function throws `Unauthorized`. */
export interface Authenticator {
  accessToken(token: string): Promise<User>;
  apiKey(key: string): Promise<User>;
  flowKey(key: string): Promise<User>;
  scimToken(token: string): Promise<ScimClient>;
  mcpToken(token: string): Promise<User>;
  /** Where clients of MCP read who signs users in; undefined where nobody can. */
  mcpMetadata?: string | undefined;
  /**
   * A token signed with a shared secret; `undefined` where none is configured, or for a token of
   * another kind.
   */
  agentToken(token: string): Promise<User | undefined>;
  /** The user of a session cookie, and an access token that stands for it. */
  session(cookie: string): Promise<{ user: User; token: string }>;
  /** The origin at which browsers reach the server, where it is configured. */
  publicOrigin?: string | undefined;
  secretMatches(name: SecretName, given: string): boolean;
  /** The number of INTERNAL_PORT where it answers services without a credential. */
  openInternalPort?: number | undefined;
}

/** The header of each shared secret. The completion service takes its secret as a bearer token. */
export const SECRET_HEADERS: Record<SecretName, string> = {
  "service-secret": "x-platform-service-secret",
  "mcp-secret": "x-platform-mcp-service-secret",
  "user-secret": "x-platform-user-service-secret",
  "completion-secret": "authorization",
};

/** The kinds of access that accept an access token, and those that accept an API key. */
const TOKEN_WAYS: readonly Access[] = ["jwt", "session", "admin", "operator", "internal"];
const KEY_WAYS: readonly Access[] = ["jwt", "key", "admin", "operator", "internal"];

const SERVICE: Caller = { kind: "service" };

interface Credential {
  kind: "token" | "key" | "session" | "mcp";
  value: string;
}

/**
 * What requests came with. A session cookie is replaced by an access token once it is read, and an
 * open stream is admitted again each second.
 */
const readCredentials = new WeakMap<Request, readonly Credential[]>();

/**
 * Returns the caller, if one of the route's kinds of access admits it. A route between services
 * admits a request without a credential only on a trusted connection.
 * @throws Unauthorized (401) for a missing or invalid credential, Forbidden (403) for a known user
 * without the role or scope.
 */
export async function admit(
  route: AnyRoute,
  request: Request,
  connection: Connection,
  auth: Authenticator,
): Promise<Caller> {
  const ways = waysInto(route);
  const secret = ways.find((way) => isSecret(way) && hasSecret(request, way, auth));
  if (secret || (ways.includes("local") && connection.isLocal)) return SERVICE;

  if (ways.includes("internal")) {
    const isInProcess = connection.listener === "in-process";
    if (isInProcess || hasSecret(request, "service-secret", auth)) return SERVICE;
    if (connection.trusted && credentialsOf(request, connection).length === 0)
      return { kind: "anonymous" };
  }
  if (ways.includes("public") && ways.length === 1) return { kind: "anonymous" };

  if (ways.includes("scim-token")) return scimClientOf(request, auth);
  const user = await userOf(route, request, connection, auth).catch((error: unknown) => {
    throw ways.includes("mcp-token") ? withMetadata(error, request, auth) : error;
  });
  if (user === undefined) {
    if (ways.includes("public")) return { kind: "anonymous" };
    const missing = new Unauthorized("credentials_required", whatIsNeeded(ways, auth));
    throw ways.includes("mcp-token") ? withMetadata(missing, request, auth) : missing;
  }
  if (ways.includes("public") && ways.includes("admin") && !isAdmin(user))
    return { kind: "anonymous" };
  if (!ways.includes("jwt")) requireAdministrator(route, ways, user);
  return user;
}

const INVALID = ["mcp_token_invalid", "token_expired", "token_invalid", "token_revoked"];

/** Says to a client of MCP where its user signs in. Source: RFC 9728, section 5.1. */
function withMetadata(
  error: unknown,
  { url }: Request,
  { mcpMetadata }: Authenticator,
): unknown {
  // the users service's own refusal comes as a plain ApiError
  if (error instanceof ApiError && error.status === 401 && mcpMetadata !== undefined) {
    const invalid = INVALID.includes(error.code) ? 'error="invalid_token", ' : "";
    error.headers["www-authenticate"] =
      `Bearer ${invalid}resource_metadata="${mcpMetadata}${serverIn(url)}"`;
  }
  return error;
}

/** Clients want the metadata of the very address that they call: `/mcp/<server>` has its own. */
function serverIn(url: string): string {
  const [, server] = /^\/mcp(\/[\w.-]{1,64})$/.exec(new URL(url).pathname) ?? [];
  return server ?? "";
}

function requireAdministrator(route: AnyRoute, ways: readonly Access[], user: User): void {
  const isForAdmins = ways.includes("admin") || ways.includes("operator");
  if (isForAdmins && !isAdmin(user)) {
    const sentence = "Only an administrator may do this. Ask one, or sign in as one.";
    throw route.notAdmin === 401
      ? new Unauthorized("admin_required", sentence)
      : new Forbidden("admin_required", sentence);
  }
  if (ways.includes("operator") && !isOperator(user))
    throw new Forbidden(
      "operator_required",
      "All tenants share this: only an administrator of the installation may do it. Ask one.",
    );
}

async function userOf(
  route: AnyRoute,
  request: Request,
  connection: Connection,
  auth: Authenticator,
): Promise<User | undefined> {
  const ways = waysInto(route);
  const given = credentialsOf(request, connection);
  if (given.length > 1)
    throw new Unauthorized(
      "credentials_ambiguous",
      "Send one credential: a bearer token, an API key or a session cookie.",
    );
  const [credential] = given;
  if (credential === undefined) return undefined;
  if (credential.kind === "key") {
    if (ways.includes("flow-key") && credential.value.startsWith(FLOW_KEY))
      return auth.flowKey(credential.value);
    if (!ways.some((way) => KEY_WAYS.includes(way)))
      throw new Unauthorized(
        "api_key_not_accepted",
        "This endpoint takes an access token, not an API key. Sign in and send the token.",
      );
    return requireScope(route, await auth.apiKey(credential.value));
  }
  if (credential.kind === "mcp") {
    if (ways.includes("mcp-token"))
      return requireScope(route, await auth.mcpToken(credential.value));
    throw new Unauthorized(
      "mcp_token_not_accepted",
      "A token of a client of MCP works at /mcp alone. Sign in, or use an API key.",
    );
  }
  const takesTokens = ways.some((way) => TOKEN_WAYS.includes(way));
  if (!takesTokens)
    throw new Unauthorized("credentials_required", whatIsNeeded(ways, auth));
  if (credential.kind === "session") return userOfSession(request, credential.value, auth);
  const agent = ways.includes("agent-jwt")
    ? await auth.agentToken(credential.value)
    : undefined;
  return agent ?? auth.accessToken(credential.value);
}

/** @throws what `beyondScopes` returns. */
function requireScope({ permission }: AnyRoute, user: User): User {
  if (permission && permission !== "signed-in" && !scopesCover(user, permission))
    throw beyondScopes(user, permission);
  return user;
}

/**
 * Admits a browser by its cookie, and replaces the cookie with an access token, so that handlers
 * and the services that they call handle only tokens.
 */
async function userOfSession(
  request: Request,
  cookie: string,
  auth: Authenticator,
): Promise<User> {
  requireSameOrigin(request, auth.publicOrigin);
  const { user, token } = await auth.session(cookie);
  request.headers.delete("cookie");
  request.headers.set("authorization", `Bearer ${token}`);
  return user;
}

/**
 * Returns all user credentials in the request. An API key may also be sent as a bearer token, as
 * OpenAI clients do. Cookies count only on the public listener.
 */
function credentialsOf(request: Request, connection: Connection): readonly Credential[] {
  const read = readCredentials.get(request) ?? readCredentialsOf(request, connection);
  readCredentials.set(request, read);
  return read;
}

function readCredentialsOf(request: Request, { listener }: Connection): Credential[] {
  const given: Credential[] = [];
  const cookie = listener === "public" ? readSessionCookie(request) : undefined;
  if (cookie !== undefined) given.push({ kind: "session", value: cookie });
  const authorization = request.headers.get("authorization");
  const key = request.headers.get("x-api-key");
  if (authorization !== null) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer === undefined)
      throw new Unauthorized(
        "credentials_invalid",
        'The Authorization header must be "Bearer" and one token.',
      );
    given.push({ kind: kindOf(bearer), value: bearer });
  }
  if (key !== null) given.push({ kind: "key", value: key });
  return given;
}

function kindOf(bearer: string): Credential["kind"] {
  if (bearer.startsWith(MCP_TOKEN)) return "mcp";
  return bearer.startsWith("pk_") || bearer.startsWith(FLOW_KEY) ? "key" : "token";
}

/** Whoever sends cookies or keys beside it is no identity provider; only the header counts. */
function scimClientOf({ headers }: Request, auth: Authenticator): Promise<ScimClient> {
  const token = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (token === undefined || !token.startsWith(SCIM_TOKEN))
    throw new Unauthorized(
      "scim_token_required",
      'Send a SCIM token as "Authorization: Bearer scim_…". Administrators make one at ' +
        "POST /api/v1/scim-tokens.",
    );
  return auth.scimToken(token);
}

function isSecret(way: Access): way is SecretName {
  return way in SECRET_HEADERS;
}

function hasSecret(request: Request, name: SecretName, auth: Authenticator): boolean {
  const header = request.headers.get(SECRET_HEADERS[name]);
  if (header === null) return false;
  const given =
    name === "completion-secret" ? (/^Bearer +(\S+)$/i.exec(header)?.[1] ?? "") : header;
  return auth.secretMatches(name, given);
}

function whatIsNeeded(
  ways: readonly Access[],
  { openInternalPort }: Pick<Authenticator, "openInternalPort">,
): string {
  const key = ways.some((way) => KEY_WAYS.includes(way))
    ? " or an API key in X-API-Key"
    : "";
  const signIn = `Sign in at POST /api/v1/auth/login and send "Authorization: Bearer <accessToken>"${key}`;
  if (ways.includes("internal")) {
    const where =
      openInternalPort === undefined
        ? "INTERNAL_PORT asks for it, too."
        : `Only INTERNAL_PORT (${openInternalPort}) answers services without a credential.`;
    return `${signIn}, or send the service secret in ${SECRET_HEADERS["service-secret"]}. ${where}`;
  }
  const secret = ways.find(isSecret);
  if (ways.some((way) => TOKEN_WAYS.includes(way)))
    return secret
      ? `${signIn}, or send the shared secret in the header ${SECRET_HEADERS[secret]}.`
      : `${signIn}.`;
  return secret
    ? `Send the shared secret in the header ${SECRET_HEADERS[secret]}${key}.`
    : "Sign in first.";
}
