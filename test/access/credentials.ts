import { SignJWT } from "jose";
import { SECRET_HEADERS } from "../../src/platform/http/access.ts";
import type { Access, AnyRoute, SecretName } from "../../src/platform/http/route.ts";
import { connectMcpClient } from "../support/mcp-client.ts";
import { BROWSER, cookieOf } from "../support/session-cookie.ts";
import { PASSWORD, type World } from "./world.ts";

/** The result of a credential: a refusal, or access as its owner or as a service. */
export type Verdict = 401 | 403 | "as the owner" | "as a service";

/** A way to authenticate, valid or not, and what it grants. */
export interface Credential {
  name: string;
  headers: Record<string, string>;
  on(route: AnyRoute, access: readonly Access[]): Verdict;
}

export const SECRETS: Record<SecretName, string> = {
  "service-secret": "service-secret-of-the-matrix",
  "mcp-secret": "mcp-secret-of-the-matrix",
  "completion-secret": "completion-secret-of-the-matrix",
  "user-secret": "user-secret-of-the-matrix",
};
const POOR_SCOPE = "lock:read";
export const AGENT_SECRET = "agent-secret-of-the-matrix-0123456789";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const nothing = (): Verdict => 401;
const takesTokens = (access: readonly Access[]) =>
  access.some((way) => ["jwt", "session", "admin", "operator", "internal"].includes(way));
const takesKeys = (access: readonly Access[]) =>
  access.some((way) => ["jwt", "key", "admin", "operator", "internal"].includes(way));
const asToken = (_: AnyRoute, access: readonly Access[]): Verdict =>
  takesTokens(access) ? "as the owner" : 401;
/** A key without scopes permits everything except administration. */
const asKey = (route: AnyRoute, access: readonly Access[]): Verdict => {
  if (!takesKeys(access)) return 401;
  return route.permission?.endsWith(":administer")
    ? (route.notAdmin ?? 403)
    : "as the owner";
};
/** A key with a single scope, which is not the permission of any route under test alone. */
const asPoorKey = (route: AnyRoute, access: readonly Access[]): Verdict => {
  if (!takesKeys(access)) return 401;
  return ["signed-in", POOR_SCOPE].includes(route.permission ?? "")
    ? "as the owner"
    : (route.notAdmin ?? 403);
};

/** Every kind of credential, each wrong in one respect, as the owner would send it. */
export async function credentialsOf(world: World): Promise<Credential[]> {
  const { owner } = world.people;
  const wrong = async (
    name: string,
    token: Promise<string> | string,
  ): Promise<Credential> => ({
    name,
    headers: bearer(await token),
    on: nothing,
  });
  const forged = forgeries(owner.token);
  return [
    { name: "nothing", headers: {}, on: nothing },
    {
      name: "nothing, behind a proxy",
      headers: { "x-forwarded-for": "203.0.113.9" },
      on: nothing,
    },
    {
      name: "the name of another in a header",
      headers: { "x-user-id": owner.id, "x-tenant": "default" },
      on: nothing,
    },
    {
      name: "basic authentication",
      headers: { authorization: `Basic ${btoa(`owner@test.example:${PASSWORD}`)}` },
      on: nothing,
    },
    await wrong("a token that has expired", world.sign(owner.id, { expires: "-1m" })),
    await wrong("a token without an expiry", world.sign(owner.id, { expires: null })),
    await wrong(
      "a token for another audience",
      world.sign(owner.id, { audience: "another" }),
    ),
    await wrong(
      "a token of another issuer",
      world.sign(owner.id, { issuer: "https://another.example" }),
    ),
    await wrong("a token without a subject", world.sign(owner.id, { subject: null })),
    await wrong("a token of another type", world.sign(owner.id, { type: "id+jwt" })),
    ...(await Promise.all(
      Object.entries(forged).map(([name, token]) => wrong(name, token)),
    )),
    await wrong("the word null", "null"),
    await wrong("a token of an ended session", endedSession(world)),
    await wrong("a refresh token", refreshToken(world)),
    {
      name: "a token with a role that permits nothing",
      headers: bearer(await world.sign(owner.id, { roles: [await powerlessRole(world)] })),
      on: (route, access) =>
        !takesTokens(access)
          ? 401
          : route.permission === "signed-in"
            ? "as the owner"
            : (route.notAdmin ?? 403),
    },
    ...(await cookies(world)),
    {
      name: "a token, in lower case",
      headers: { authorization: `bearer ${owner.token}` },
      on: asToken,
    },
    {
      name: "a token of the agent loop's own",
      headers: bearer(await agentToken(owner.id)),
      on: (_, access) => (access.includes("agent-jwt") ? "as the owner" : 401),
    },
    ...(await keys(world)),
    {
      name: "a token of a client of MCP",
      headers: bearer(await mcpToken(world)),
      on: (_, access) => (access.includes("mcp-token") ? "as the owner" : 401),
    },
    { name: "an unknown token of a client of MCP", headers: bearer("mcp_x"), on: nothing },
    ...secrets(),
  ];
}

function forgeries(token: string): Record<string, string> {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const encode = (value: object) =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object; // a token of ours
  return {
    "a token without a signature": `${header}.${payload}.`,
    "a token of the algorithm none": `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`,
    "a token of another algorithm": `${encode({ alg: "HS256", typ: "at+jwt" })}.${payload}.${signature}`,
    "a token with changed roles": `${header}.${encode({ ...claims, roles: ["admin"] })}.${signature}`,
  };
}

function agentToken(subject: string): Promise<string> {
  return new SignJWT({ roles: ["user"], clientId: "default" })
    .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
    .setIssuer("parlance")
    .setAudience("parlance")
    .setIssuedAt()
    .setExpirationTime("1h")
    .setSubject(subject)
    .sign(new TextEncoder().encode(AGENT_SECRET));
}

async function endedSession({ parlance }: World): Promise<string> {
  const token = await parlance.signIn("owner@test.example", PASSWORD);
  await parlance.request("/api/v1/auth/logout", { method: "POST", token });
  return token;
}

async function refreshToken({ parlance }: World): Promise<string> {
  const body = { email: "owner@test.example", password: PASSWORD };
  const answer = await parlance.request("/api/v1/auth/login", { token: null, body });
  return ((await answer.json()) as { refreshToken: string }).refreshToken;
}

async function mcpToken({ parlance, people }: World): Promise<string> {
  // the grants of one name end together, and the rows end some
  const { access_token: token } = await connectMcpClient(
    parlance,
    people.owner.token,
    undefined,
    "Credential",
  );
  return token;
}

async function powerlessRole(world: World): Promise<string> {
  await world.as("admin", "POST", "/api/v1/roles", { name: "powerless", permissions: [] });
  return "powerless";
}

/** Session cookies: what a browser sends, and requests from other sites with the same cookie. */
async function cookies({ parlance, people }: World): Promise<Credential[]> {
  const cookie = await cookieOf(parlance, {
    email: "owner@test.example",
    password: PASSWORD,
  });
  const isSafe = ({ method }: AnyRoute) => method === "get";
  const onlySafe: Credential["on"] = (route, access) =>
    takesTokens(access) && !isSafe(route)
      ? (route.notAdmin ?? 403)
      : asToken(route, access);
  return [
    { name: "a session cookie", headers: { ...BROWSER, cookie }, on: asToken },
    {
      name: "a session cookie from another site",
      headers: { ...BROWSER, "sec-fetch-site": "same-site", cookie },
      on: onlySafe,
    },
    {
      name: "a session cookie without X-Parlance",
      headers: { "sec-fetch-site": "same-origin", cookie },
      on: onlySafe,
    },
    {
      name: "an unknown session cookie",
      headers: { ...BROWSER, cookie: `${cookie}x` },
      on: nothing,
    },
    {
      name: "a session cookie and a token at once",
      headers: { ...BROWSER, ...bearer(people.owner.token), cookie },
      on: nothing,
    },
  ];
}

/** API keys: valid ones in both headers, and keys that lack something. */
async function keys(world: World): Promise<Credential[]> {
  const { parlance, people } = world;
  const make = async (body: object, token = people.owner.token) =>
    (await (
      await parlance.request("/api/v1/auth/api-keys", {
        token,
        body: { name: "matrix", ...body },
      })
    ).json()) as {
      id: string;
      key: string;
    };
  const key = (name: string, value: string, on: Credential["on"]): Credential => ({
    name,
    headers: { "x-api-key": value },
    on,
  });
  const [good, poor, revoked, expired] = [
    await make({}),
    await make({ scopes: [POOR_SCOPE] }),
    await make({}),
    await make({ expiresAt: new Date(Date.now() + 1).toISOString() }),
  ];
  await world.as("owner", "DELETE", `/api/v1/auth/api-keys/${revoked.id}`);
  const email = "left@test.example";
  const left = await world.as("admin", "POST", "/api/v1/users", {
    email,
    name: "left",
    password: PASSWORD,
  });
  const orphan = await make({}, await parlance.signIn(email, PASSWORD));
  await world.as("admin", "PATCH", `/api/v1/users/${left.id}`, { disabled: true });
  return [
    key("an API key", good.key, asKey),
    { name: "an API key as a bearer", headers: bearer(good.key), on: asKey },
    key("an API key without the scope", poor.key, asPoorKey),
    key("a revoked API key", revoked.key, nothing),
    key("an API key that has expired", expired.key, nothing),
    key("an API key of a user who was shut out", orphan.key, nothing),
    key("an unknown API key", `pk_${"x".repeat(43)}`, nothing),
    {
      name: "a token and an API key at once",
      headers: { ...bearer(people.owner.token), "x-api-key": good.key },
      on: nothing,
    },
  ];
}

export function secretHeader(
  name: SecretName,
  value = SECRETS[name],
): Record<string, string> {
  return {
    [SECRET_HEADERS[name]]: name === "completion-secret" ? `Bearer ${value}` : value,
  };
}

/**
 * Each secret opens on PORT the routes that require it, and the service secret those between
 * services.
 */
function secrets(): Credential[] {
  // keys of a record of all the secrets
  const names = Object.keys(SECRETS) as SecretName[];
  return names.flatMap((name) => {
    const opens = (access: readonly Access[]) =>
      access.includes(name) || (name === "service-secret" && access.includes("internal"));
    return [
      {
        name: `the ${name}`,
        headers: secretHeader(name),
        on: (_: AnyRoute, access: readonly Access[]) =>
          (opens(access) ? "as a service" : 401) satisfies Verdict,
      },
      { name: `a wrong ${name}`, headers: secretHeader(name, "wrong"), on: nothing },
    ];
  });
}
