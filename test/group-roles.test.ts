import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Roles that members have through a group: on every way in, and until they leave it. */
const PASSWORD = "a long enough password";
const SECRET = { "x-platform-user-service-secret": "user-service-secret-of-the-test" };
let parlance: TestServer;
let serial = 0;
let member: { id: string; token: string; key: string };
let group: string;

beforeAll(async () => {
  parlance = await startTestServer({
    USER_SERVICE_SECRET: SECRET["x-platform-user-service-secret"],
  });
  await role("nothing", []);
  await role("builder", [{ action: "create", subject: "agent" }]);
});
afterAll(() => parlance[Symbol.asyncDispose]());
beforeEach(async () => {
  member = await someone(["nothing"]);
  group = await aGroup({ roles: ["user"] });
});

async function ask(path: string, options: Parameters<TestServer["request"]>[1] = {}) {
  const answer = await parlance.request(path, options);
  const text = await answer.text();
  const body = (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: answer.status, body };
}
const role = (name: string, permissions: object[]) =>
  ask("/api/v1/roles", { body: { name, permissions } });
async function aGroup(fields: object = {}, token?: string): Promise<string> {
  serial += 1;
  const body = { name: `Group ${serial}`, ...fields };
  return String(
    (await ask("/api/v1/groups", { body, ...(token && { token }) })).body["id"],
  );
}
async function someone(roles: string[], clientId = "default") {
  serial += 1;
  const email = `person${serial}@test.example`;
  const user = { email, name: "Someone", password: PASSWORD, roles, clientId };
  const id = String((await ask("/api/v1/users", { body: user })).body["id"]);
  const token = await parlance.signIn(email, PASSWORD);
  const made = await ask("/api/v1/auth/api-keys", { token, body: { name: "k" } });
  return { id, token, key: String(made.body["key"]) };
}
const put = (path: string) => ask(path, { method: "PUT" });
const remove = (path: string) => ask(path, { method: "DELETE" });
const change = (id: string, body: object, token?: string) =>
  ask(`/api/v1/groups/${id}`, { method: "PATCH", body, ...(token && { token }) });
const join = (id = group) => put(`/api/v1/groups/${id}/members/${member.id}`);

/** The status of a request on each way in. */
async function everyWay(): Promise<number[]> {
  const byKey = { token: null, headers: { "x-api-key": member.key } };
  const mcp = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const answers = [
    await ask("/api/v1/agent?limit=1", { token: member.token }),
    await ask("/api/v1/agent?limit=1", byKey),
    await ask("/v1/models", byKey),
    await ask("/mcp", {
      token: null,
      headers: { ...byKey.headers, accept: "application/json, text/event-stream" },
      body: mcp,
    }),
  ];
  return answers.map(({ status }) => status);
}
const rolesForServices = async () =>
  (await ask(`/api/v1/users/${member.id}/standing`, { token: null, headers: SECRET })).body[
    "roles"
  ];
const ALLOWED = [200, 200, 200, 200];

test("members have the roles of a group on every way in, from the next request on", async () => {
  const before = await everyWay();
  expect(before).not.toContain(200);
  await join();
  expect(await everyWay()).toEqual(ALLOWED);
  expect(await rolesForServices()).toEqual(["nothing", "user"]);
  await remove(`/api/v1/groups/${group}/members/${member.id}`);
  expect(await everyWay()).toEqual(before);
  expect(await rolesForServices()).toEqual(["nothing"]);
});

test("a change of the roles of a group, and its deletion, apply to the next request", async () => {
  await join();
  expect((await change(group, { roles: [] })).body["roles"]).toEqual([]);
  expect(await everyWay()).not.toContain(200);
  await change(group, { roles: ["user", "user"] });
  expect(await everyWay()).toEqual(ALLOWED);
  await remove(`/api/v1/groups/${group}`);
  expect(await everyWay()).not.toContain(200);
});

test("members of a nested group have the roles of the outer groups while it is nested", async () => {
  const inner = await aGroup();
  await join(inner);
  await put(`/api/v1/groups/${group}/groups/${inner}`);
  expect(await everyWay()).toEqual(ALLOWED);
  await remove(`/api/v1/groups/${group}/groups/${inner}`);
  expect(await everyWay()).not.toContain(200);
});

test("administrators read from which group a role comes", async () => {
  await join();
  const { body } = await ask(`/api/v1/users/${member.id}/permissions`);
  expect(body).toMatchObject({
    roles: ["nothing", "user"],
    rolesOfGroups: [{ role: "user", groupId: group, groupName: `Group ${serial}` }],
  });
  const own = await ask(`/api/v1/user-role/user/${member.id}`, { token: member.token });
  const me = await ask("/api/v1/auth/me", { token: member.token });
  expect([own.body["roles"], me.body["roles"]]).toEqual([
    ["nothing", "user"],
    ["nothing", "user"],
  ]);
});

test("a group may make its members administrators, until they leave it", async () => {
  const administrators = await aGroup({ roles: ["admin"] });
  const list = async () => (await ask("/api/v1/users", { token: member.token })).status;
  await join(administrators);
  expect(await list()).toBe(200);
  await remove(`/api/v1/groups/${administrators}/members/${member.id}`);
  expect(await list()).toBe(403);
});

test("unknown roles are refused, and a role that a group has cannot be deleted", async () => {
  expect((await change(group, { roles: ["no-such-role"] })).body["code"]).toBe(
    "role_unknown",
  );
  await role("kept", []);
  await change(group, { roles: ["kept"] });
  const kept = await remove("/api/v1/roles/kept");
  expect([kept.status, kept.body["code"]]).toEqual([409, "role_in_use_by_groups"]);
  await change(group, { roles: [] });
  expect((await remove("/api/v1/roles/kept")).status).toBe(204);
});

test("nobody gives a role that permits more than their own, in whatever way", async () => {
  await role("no-agents", [{ action: "create", subject: "agent", inverted: true }]);
  const { token } = await someone(["admin", "no-agents"]);
  const builders = await aGroup({ roles: ["builder"] });
  const plain = await aGroup();
  const attempts = await Promise.all([
    ask("/api/v1/groups", { token, body: { name: "Mine", roles: ["builder"] } }),
    change(plain, { roles: ["builder"] }, token),
    change(builders, { externalName: "everybody" }, token),
    ask(`/api/v1/groups/${builders}/members/${member.id}`, { token, method: "PUT" }),
    ask(`/api/v1/groups/${builders}/groups/${plain}`, { token, method: "PUT" }),
    ask(`/api/v1/users/${member.id}`, {
      token,
      method: "PATCH",
      body: { roles: ["admin"] },
    }),
    ask("/api/v1/users", {
      token,
      body: { email: "strong@test.example", name: "Strong", roles: ["builder"] },
    }),
  ]);
  for (const { status, body } of attempts)
    expect([status, body["code"]]).toEqual([403, "role_too_strong"]);
  expect((await change(plain, { roles: ["nothing"] }, token)).status).toBe(200);
});

test("groups of another tenant stay out of reach, and changes are in the audit log", async () => {
  const { token } = await someone(["admin"], "elsewhere");
  expect((await change(group, { roles: [] }, token)).status).toBe(404);
  await change(group, { roles: ["builder"] });
  const path = `/api/v1/audit?resourceType=group&resourceId=${group}&action=group.changed`;
  expect((await ask(path)).body["items"]).toMatchObject([
    { details: { roles: ["builder"] } },
  ]);
});
