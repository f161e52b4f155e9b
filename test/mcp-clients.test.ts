import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  agreeTo,
  askToken,
  CALLBACK,
  codeForm,
  connectMcpClient,
  type McpTokens,
  registerMcpClient,
} from "./support/mcp-client.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** What users grant to clients of MCP, and what comes of it. */

let parlance: TestServer;
let users = 0;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const PASSWORD = "correct horse battery";

/** A user of their own for each test. */
async function newUser() {
  users += 1;
  const email = `user${users}@test.example`;
  const body = { email, name: email, password: PASSWORD };
  const made = await parlance.request("/api/v1/users", { body });
  const { id } = (await made.json()) as { id: string };
  return { id, token: await parlance.signIn(email, PASSWORD) };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};
const askMcp = (token: string | null) =>
  parlance.request("/mcp", {
    token,
    body: initialize,
    headers: { accept: "application/json, text/event-stream" },
  });
const connect = (token: string, scopes?: string[]) =>
  connectMcpClient(parlance, token, scopes);
const refresh = (of: Awaited<ReturnType<typeof connect>>, token = of.refresh_token) =>
  askToken(parlance, {
    grant_type: "refresh_token",
    refresh_token: token,
    client_id: of.client.id,
  });
const errorIn = async (answer: Response) =>
  ((await answer.json()) as { error: string }).error;

test("the client of the official SDK finds the sign-in, registers, and lists tools", async () => {
  const user = await newUser();
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let sent: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "SDK", redirect_uris: [CALLBACK] },
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (sent = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
  };
  const serverUrl = new URL(`${parlance.url}/mcp`);
  expect(await auth(provider, { serverUrl })).toBe("REDIRECT");
  expect(sent?.pathname).toBe("/oauth/authorize");
  const request = Object.fromEntries(sent?.searchParams ?? []);
  // all that there is, so that the user may choose
  expect(request["scope"]).toBe("tool:use tool:approve");
  const decided = await parlance.request("/api/v1/oauth/authorization", {
    token: user.token,
    body: { request, scopes: ["tool:use"] },
  });
  const back = new URL(((await decided.json()) as { url: string }).url).searchParams;
  expect(back.get("iss")).toBe(parlance.url);
  const authorizationCode = back.get("code") ?? "";
  expect(await auth(provider, { serverUrl, authorizationCode })).toBe("AUTHORIZED");
  const mcp = new Client({ name: "sdk", version: "1" });
  const transport = new StreamableHTTPClientTransport(serverUrl, {
    authProvider: provider,
  });
  // its optional fields are declared wider than the interface's
  await mcp.connect(transport as Parameters<Client["connect"]>[0]);
  expect(Array.isArray((await mcp.listTools()).tools)).toBe(true);
  await mcp.close();
});

test("a refusal says where to sign in, and a token works at /mcp alone", async () => {
  const user = await newUser();
  const { access_token: token, scope } = await connect(user.token);
  expect(scope).toBe("tool:use");
  expect((await askMcp(token)).status).toBe(200);
  const refused = await askMcp(null);
  expect(refused.status).toBe(401);
  const found = `resource_metadata="${parlance.url}/.well-known/oauth-protected-resource/mcp"`;
  expect(refused.headers.get("www-authenticate")).toContain(found);
  for (const unknown of ["mcp_unknown", `mcp_${"x".repeat(5_000)}`]) {
    const answer = await askMcp(unknown);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", ${found}`,
    );
  }
  for (const path of ["/api/v1/auth/me", "/api/v1/tools", "/v1/models"])
    expect((await parlance.request(path, { token })).status, path).toBe(401);
  const asKey = { "x-api-key": token };
  expect((await parlance.request("/mcp", { token: null, headers: asKey })).status).toBe(
    401,
  );
});

test("a code counts once, and whoever sends it again ends what it gave", async () => {
  const user = await newUser();
  const client = await registerMcpClient(parlance);
  const form = codeForm(client, (await agreeTo(parlance, user.token, client)).get("code"));
  const first = await askToken(parlance, form);
  const { access_token: token } = (await first.json()) as McpTokens;
  expect(first.headers.get("cache-control")).toContain("no-store");
  expect((await askMcp(token)).status).toBe(200);
  const second = await askToken(parlance, form);
  expect([second.status, await errorIn(second)]).toEqual([400, "invalid_grant"]);
  expect((await askMcp(token)).status).toBe(401);
});

test.each([
  ["another verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
  ["another client", { client_id: "https://other.example/client.json" }, "invalid_grant"],
  ["an unknown client", { client_id: "mcp_client_other" }, "invalid_client"],
  ["another address", { redirect_uri: "http://127.0.0.1:9/other" }, "invalid_grant"],
  ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
  ["another kind", { grant_type: "password" }, "unsupported_grant_type"],
])("a code with %s gives nothing", async (_, change, error) => {
  const user = await newUser();
  const client = await registerMcpClient(parlance);
  const form = codeForm(client, (await agreeTo(parlance, user.token, client)).get("code"));
  expect(await errorIn(await askToken(parlance, { ...form, ...change }))).toBe(error);
});

test.each([
  ["without PKCE", { code_challenge: "" }, "mcp_request_invalid"],
  ["with plain PKCE", { code_challenge_method: "plain" }, "mcp_request_invalid"],
  ["for a token at once", { response_type: "token" }, "mcp_request_invalid"],
  [
    "for another resource",
    { resource: "https://other.example/mcp" },
    "mcp_request_invalid",
  ],
  [
    "to a foreign address",
    { redirect_uri: "https://evil.example/" },
    "mcp_redirect_foreign",
  ],
  ["to a script", { redirect_uri: "javascript:alert(1)" }, "mcp_redirect_foreign"],
  ["of an unknown client", { client_id: "mcp_client_other" }, "mcp_client_unknown"],
  [
    "of a private document",
    { client_id: "https://10.0.0.1/c.json" },
    "address_not_allowed",
  ],
])("a request %s is refused before anything is asked", async (_, change, code) => {
  const client = await registerMcpClient(parlance);
  const body = { request: { ...client.request, ...change }, scopes: ["tool:use"] };
  const answer = await parlance.request("/api/v1/oauth/authorization", { body });
  expect(await answer.json()).toMatchObject({ code });
});

test("a program of this machine comes back to any port, and a refusal says so", async () => {
  const client = await registerMcpClient(parlance, ["http://127.0.0.1/callback"]);
  const request = { ...client.request, redirect_uri: "http://127.0.0.1:50123/callback" };
  const answer = await parlance.request("/api/v1/oauth/authorization", {
    body: { request, scopes: [] },
  });
  const { url } = (await answer.json()) as { url: string };
  expect(url).toMatch(
    /^http:\/\/127\.0\.0\.1:50123\/callback\?error=access_denied&state=state/,
  );
});

test("a token renews, and an access token does not", async () => {
  const user = await newUser();
  const granted = await connect(user.token);
  const renewed = (await (await refresh(granted)).json()) as McpTokens;
  expect((await askMcp(renewed.access_token)).status).toBe(200);
  expect(await errorIn(await refresh(granted, renewed.access_token))).toBe("invalid_grant");
  expect((await refresh(granted, renewed.refresh_token)).status).toBe(200);
});

test("a client that repeats no address gets its tokens, and an unknown one is to register", async () => {
  const user = await newUser();
  const client = await registerMcpClient(parlance);
  const code = (await agreeTo(parlance, user.token, client)).get("code");
  const { redirect_uri: _, ...form } = codeForm(client, code);
  const refused = await askToken(parlance, { ...form, client_id: "mcp_client_gone" });
  expect([refused.status, await errorIn(refused)]).toEqual([401, "invalid_client"]);
  expect((await askToken(parlance, form)).status).toBe(200);
});

test("who may run tools unasked may use them", async () => {
  const user = await newUser();
  const { access_token: token, scope } = await connect(user.token, ["tool:approve"]);
  expect(scope).toBe("tool:use tool:approve");
  expect((await askMcp(token)).status).toBe(200);
});

test.each([
  ["a foreign scheme", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
  ["no address", { client_name: "Editor" }, "invalid_client_metadata"],
  [
    "a name without end",
    { redirect_uris: [CALLBACK], client_name: "n".repeat(300) },
    "invalid_client_metadata",
  ],
])("a registration with %s is refused in OAuth's words", async (_, body, error) => {
  const answer = await parlance.request("/api/v1/oauth/register", { token: null, body });
  expect([answer.status, await errorIn(answer)]).toEqual([400, error]);
});

test("a user sees and ends what they granted, and nobody else does", async () => {
  const [ada, ben] = [await newUser(), await newUser()];
  const { access_token: token } = await connect(ada.token, ["tool:use", "tool:approve"]);
  const list = async (of: string) =>
    (await (await parlance.request("/api/v1/oauth/grants", { token: of })).json()) as {
      items: { id: string }[];
    };
  const { items } = await list(ada.token);
  expect(items).toMatchObject([
    { clientName: "Editor", clientHost: null, scopes: ["tool:use", "tool:approve"] },
  ]);
  expect(await list(ben.token)).toMatchObject({ items: [] });
  const path = `/api/v1/oauth/grants/${items[0]?.id}`;
  const end = (of: string) => parlance.request(path, { method: "DELETE", token: of });
  expect((await end(ben.token)).status).toBe(404);
  expect((await end(ada.token)).status).toBe(204);
  expect((await askMcp(token)).status).toBe(401);
  const log = await parlance.request(`/api/v1/audit?action=mcp_client.&actorId=${ada.id}`);
  expect(await log.json()).toMatchObject({
    items: [{ action: "mcp_client.revoked" }, { action: "mcp_client.granted" }],
  });
});

interface Grants {
  total: number;
  items: { id: string; connections: number; userEmail?: string }[];
}
const grantsOf = async (token: string | undefined, path = "/api/v1/oauth/grants") =>
  (await (
    await parlance.request(path, token === undefined ? {} : { token })
  ).json()) as Grants;

test("a client that connects again is listed once, and its earlier grant has ended", async () => {
  const user = await newUser();
  const first = await connect(user.token);
  const back = await agreeTo(parlance, user.token, first.client);
  const again = await askToken(parlance, codeForm(first.client, back.get("code")));
  const { access_token: token } = (await again.json()) as McpTokens;
  expect((await askMcp(first.access_token)).status).toBe(401);
  expect((await askMcp(token)).status).toBe(200);
  expect(await grantsOf(user.token)).toMatchObject({
    total: 1,
    items: [{ connections: 1 }],
  });
});

test("a client that registers again is listed with its earlier self, and both end together", async () => {
  const user = await newUser();
  const [one, other] = [await connect(user.token), await connect(user.token)];
  const { total, items } = await grantsOf(user.token);
  expect([total, items[0]?.connections]).toEqual([1, 2]);
  const path = `/api/v1/oauth/grants/${items[0]?.id}`;
  await parlance.request(path, { method: "DELETE", token: user.token });
  for (const { access_token: token } of [one, other])
    expect((await askMcp(token)).status).toBe(401);
});

test("an administrator lists and ends what users granted, and the log says who did", async () => {
  const [ada, ben] = [await newUser(), await newUser()];
  const { access_token: token } = await connect(ada.token);
  await connect(ben.token);
  const listed = await grantsOf(undefined, `/api/v1/mcp-grants?userId=${ada.id}`);
  expect(listed).toMatchObject({ total: 1, items: [{ userId: ada.id, connections: 1 }] });
  expect((await grantsOf(undefined, "/api/v1/mcp-grants?limit=1")).total).toBeGreaterThan(
    1,
  );
  const path = `/api/v1/mcp-grants/${listed.items[0]?.id}`;
  const end = (as?: { token: string }) =>
    parlance.request(path, { method: "DELETE", ...as });
  expect((await end({ token: ben.token })).status).toBe(403);
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(404);
  expect((await askMcp(token)).status).toBe(401);
  const log = await parlance.request(
    `/api/v1/audit?action=mcp_client.revoked&resourceId=${listed.items[0]?.id}`,
  );
  const { items } = (await log.json()) as { items: { actorId: string; details: object }[] };
  expect(items[0]).toMatchObject({ details: { why: "administrator" } });
  expect(items[0]?.actorId).not.toBe(ada.id);
});

test.each(["an administrator", "the user"])(
  "when %s ends all sessions, what was granted ends, too",
  async (who) => {
    const user = await newUser();
    const granted = await connect(user.token);
    const ask =
      who === "the user"
        ? parlance.request("/api/v1/auth/sessions", { method: "DELETE", token: user.token })
        : parlance.request(`/api/v1/users/${user.id}/sessions`, { method: "DELETE" });
    expect((await ask).ok).toBe(true);
    expect((await askMcp(granted.access_token)).status).toBe(401);
    expect(await errorIn(await refresh(granted))).toBe("invalid_grant");
  },
);

test.each([
  ["https://app.example/callback", true],
  ["http://localhost:4000/callback", true],
  ["http://127.0.0.1/callback", true],
  ["com.example.editor:/callback", true],
  ["cursor://anysphere.cursor-mcp/oauth/callback", true],
  ["http://app.example/callback", false],
  ["javascript:alert(1)", false],
  ["data:text/html,x", false],
  ["file:///etc/passwd", false],
  ["blob:https://app.example/1", false],
  ["intent://x", false],
  ["ms-settings:privacy", false],
  ["mailto:a@b.example", false],
])("a client may come back to %s: %s", async (uri, isAllowed) => {
  const body = { client_name: "Editor", redirect_uris: [uri] };
  const answer = await parlance.request("/api/v1/oauth/register", { token: null, body });
  expect(answer.status).toBe(isAllowed ? 201 : 400);
});

test("a disabled user's clients are refused at once, and a deleted user's have nothing left", async () => {
  const user = await newUser();
  const granted = await connect(user.token);
  const path = `/api/v1/users/${user.id}`;
  await parlance.request(path, { method: "PATCH", body: { disabled: true } });
  expect((await askMcp(granted.access_token)).status).toBe(401);
  expect(await errorIn(await refresh(granted))).toBe("invalid_grant");
  await parlance.request(path, { method: "PATCH", body: { disabled: false } });
  expect((await askMcp(granted.access_token)).status).toBe(200);
  await parlance.request(path, { method: "DELETE" });
  expect((await askMcp(granted.access_token)).status).toBe(401);
  expect(await errorIn(await refresh(granted))).toBe("invalid_grant");
});

test("a client ends what it was given", async () => {
  const user = await newUser();
  const granted = await connect(user.token);
  expect((await askMcp(granted.access_token)).status).toBe(200);
  await fetch(`${parlance.url}/api/v1/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({
      token: granted.refresh_token,
      client_id: granted.client.id,
    }),
  });
  expect((await askMcp(granted.access_token)).status).toBe(401);
});

test("where registration is closed no client registers, and the metadata says so", async () => {
  await using closed = await startTestServer({ MCP_CLIENT_REGISTRATION: "false" });
  const metadata = await closed.request("/.well-known/oauth-authorization-server", {
    token: null,
  });
  const said = (await metadata.json()) as Record<string, unknown>;
  expect(said["registration_endpoint"]).toBeUndefined();
  expect(said["client_id_metadata_document_supported"]).toBe(true);
  const refused = await closed.request("/api/v1/oauth/register", {
    token: null,
    body: { redirect_uris: [CALLBACK] },
  });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    error_description: expect.stringContaining("cannot register here"),
  });
});
