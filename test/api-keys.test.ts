import { afterAll, beforeAll, expect, test } from "vitest";
import { PERMISSION_NAMES } from "../src/services/users/contract-permissions.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

const PASSWORD = "a long enough password";
let parlance: TestServer;
let user: string;

beforeAll(async () => {
  parlance = await startTestServer();
  user = await signUp("user@test.example", ["user"]);
});
afterAll(() => parlance[Symbol.asyncDispose]());

async function signUp(email: string, roles: string[]): Promise<string> {
  const body = { email, name: email, password: PASSWORD, roles };
  await parlance.request("/api/v1/users", { body });
  return parlance.signIn(email, PASSWORD);
}

async function ask(path: string, options: Parameters<TestServer["request"]>[1] = {}) {
  const answer = await parlance.request(path, options);
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

async function makeKey(scopes?: string[], token = user) {
  const body = { name: "a script", ...(scopes && { scopes }) };
  const made = await ask("/api/v1/auth/api-keys", { body, token });
  const headers = { "x-api-key": String(made.body["key"]) };
  return (path: string, options: { method?: string; body?: unknown } = {}) =>
    ask(path, { ...options, token: null, headers });
}

test("a key starts a conversation, reads, exports and deletes it", async () => {
  const script = await makeKey();
  const sent = await script("/api/v1/conversation", {
    body: { content: "hello", stream: false },
  });
  expect(sent.status).toBe(200);
  const path = `/api/v1/conversation/${String(sent.body["conversationId"])}`;
  expect((await script(path)).status).toBe(200);
  expect((await script("/api/v1/conversation/chat-history")).body["total"]).toBe(1);
  expect((await script(path, { method: "DELETE" })).status).toBe(204);
});

test("scopes limit a key to the permissions that they name", async () => {
  const reader = await makeKey(["conversation:read", "document:*"]);
  expect((await reader("/api/v1/conversation/chat-history")).status).toBe(200);
  expect((await reader("/api/v1/documents")).status).toBe(200);
  const sent = await reader("/api/v1/conversation", {
    body: { content: "hello", stream: false },
  });
  expect(sent).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  expect(sent.body["error"]).toContain("conversation:create");
  expect((await reader("/api/v1/agent")).body["code"]).toBe("scope_missing");
  const { permissions } = (await reader("/api/v1/auth/me")).body as {
    permissions: string[];
  };
  const documents = PERMISSION_NAMES.filter((name) => name.startsWith("document:"));
  expect(permissions).toEqual(["conversation:read", ...documents]);
});

test("an unknown scope is refused with the list of known ones", async () => {
  const body = { name: "k", scopes: ["conversation:reed"] };
  const answer = await ask("/api/v1/auth/api-keys", { body, token: user });
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(JSON.stringify(answer.body["details"])).toContain("conversation:read");
});

test("a key cannot manage credentials, whatever its scopes", async () => {
  const script = await makeKey();
  const refused = { status: 401, body: { code: "api_key_not_accepted" } };
  expect(await script("/api/v1/auth/api-keys", { body: { name: "k" } })).toMatchObject(
    refused,
  );
  expect(await script("/api/v1/auth/api-keys")).toMatchObject(refused);
  expect(await script("/api/v1/auth/logout", { method: "POST" })).toMatchObject(refused);
  const password = { currentPassword: PASSWORD, newPassword: `${PASSWORD} again` };
  expect(await script("/api/v1/auth/password", { body: password })).toMatchObject(refused);
  expect(await script("/api/v1/langflow-users/me")).toMatchObject(refused);
});

test("a key administers only when its user is an administrator and its scopes name that", async () => {
  const path = "/api/v1/users";
  const [plain, wild] = [
    await makeKey(undefined, parlance.token),
    await makeKey(["user:*"], parlance.token),
  ];
  const named = await makeKey(["user:administer"], parlance.token);
  expect((await plain(path)).body["code"]).toBe("scope_missing");
  expect((await wild(path)).body["code"]).toBe("scope_missing");
  expect((await named(path)).status).toBe(200);
  expect((await named("/api/v1/groups")).body["code"]).toBe("scope_missing");
  const usurper = await makeKey(["user:administer"]);
  expect((await usurper(path)).body["code"]).toBe("admin_required");
});

test("a key of an administrator that names no administration has no more rights than a user", async () => {
  const plain = await makeKey(undefined, parlance.token);
  const me = (await ask("/api/v1/auth/me")).body as { id: string };
  const other = (await ask("/api/v1/auth/me", { token: user })).body as { id: string };
  const agent = { name: "Everybody's", type: "organization" };
  const provider = {
    name: "named",
    kind: "openai-compatible",
    config: { baseUrl: "http://127.0.0.1:1/v1" },
  };
  await ask("/api/v1/model-providers", { body: provider });
  const codeOf = async (answer: Promise<{ body: Record<string, unknown> }>) =>
    (await answer).body["code"];

  expect(await codeOf(plain("/api/v1/agent", { body: agent }))).toBe("admin_required");
  const named = await makeKey(["agent:*", "agent:administer"], parlance.token);
  const { status, body: made } = await named("/api/v1/agent", { body: agent });
  expect(status).toBe(201);
  const change = { body: { name: "Changed" }, method: "PATCH" };
  expect(await codeOf(plain(`/api/v1/agent/${String(made["id"])}`, change))).toBe(
    "agent_read_only",
  );

  const folder = { kind: "folder", name: "f", settings: { path: "/tmp" } };
  expect(await codeOf(plain("/api/automations/sources", { body: folder }))).toBe(
    "admin_required",
  );
  const usageOf = async (by: typeof plain) =>
    JSON.stringify((await by(`/api/v1/usage?groupBy=user&userId=${other.id}`)).body);
  expect(await usageOf(plain)).not.toContain(other.id);
  const shown = (await plain("/api/v1/model-providers/named")).body;
  expect(shown["config"] ?? {}).toEqual({});
  expect((await plain(`/api/v1/user-role/user/${other.id}`)).status).toBe(404);
  expect((await plain(`/api/v1/user-role/user/${me.id}`)).status).toBe(200);
});

test("permissions are listed with descriptions, and each caller sees their own", async () => {
  const names: string[] = [];
  for (let page = 1; names.length === (page - 1) * 50; page += 1) {
    const { body } = await ask(`/api/v1/permissions?limit=50&page=${page}`, {
      token: user,
    });
    const items = body["items"] as { name: string; description: string }[];
    for (const { name, description } of items) {
      expect(description).not.toBe("");
      names.push(name);
    }
  }
  expect(names).toEqual(PERMISSION_NAMES);
  const permissionsOf = async (token: string) =>
    (await ask("/api/v1/auth/me", { token })).body["permissions"] as string[];
  expect(await permissionsOf(parlance.token)).toEqual(PERMISSION_NAMES);
  const everyday = PERMISSION_NAMES.filter((name) => !name.endsWith(":administer"));
  expect(await permissionsOf(user)).toEqual(everyday);
  const reader = await permissionsOf(await signUp("reader@test.example", ["reader"]));
  expect(reader.map((name) => name.split(":")[1])).not.toContain("create");
});
