import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Administrators whom a role forbids something: they never come to do it. */
const PASSWORD = "a long enough password";
let parlance: TestServer;
let serial = 0;
let restricted: { id: string; token: string };

beforeAll(async () => {
  parlance = await startTestServer();
  await role("no-agents", [{ action: "create", subject: "agent", inverted: true }]);
});
afterAll(() => parlance[Symbol.asyncDispose]());
beforeEach(async () => {
  restricted = await someone(["admin", "no-agents"]);
});

async function ask(method: string, path: string, body?: object, token?: string) {
  const answer = await parlance.request(path, { method, body, ...(token && { token }) });
  const text = await answer.text();
  const parsed = (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: answer.status, body: parsed, code: parsed["code"] };
}
const role = (name: string, permissions: object[]) =>
  ask("POST", "/api/v1/roles", { name, permissions });
async function aGroup(fields: object = {}) {
  serial += 1;
  const made = await ask("POST", "/api/v1/groups", { name: `Group ${serial}`, ...fields });
  return String(made.body["id"]);
}
async function someone(roles: string[], clientId = "default") {
  serial += 1;
  const email = `person${serial}@test.example`;
  const user = { email, name: "Someone", password: PASSWORD, roles, clientId };
  const { body } = await ask("POST", "/api/v1/users", user);
  return { id: String(body["id"]), token: await parlance.signIn(email, PASSWORD) };
}

test("nobody takes a role away that forbids what they may not do", async () => {
  const { id, token } = restricted;
  const forbidding = await aGroup({ roles: ["no-agents"], externalName: "everybody" });
  const inner = await aGroup();
  await ask("PUT", `/api/v1/groups/${forbidding}/members/${id}`);
  await ask("PUT", `/api/v1/groups/${forbidding}/groups/${inner}`);
  const attempts = [
    await ask("PATCH", `/api/v1/users/${id}`, { roles: ["admin"] }, token),
    await ask("PATCH", `/api/v1/groups/${forbidding}`, { roles: [] }, token),
    await ask("PATCH", `/api/v1/groups/${forbidding}`, { externalName: null }, token),
    await ask("DELETE", `/api/v1/groups/${forbidding}/members/${id}`, undefined, token),
    await ask("DELETE", `/api/v1/groups/${forbidding}/groups/${inner}`, undefined, token),
    await ask("DELETE", `/api/v1/groups/${forbidding}`, undefined, token),
    await ask("PATCH", "/api/v1/roles/no-agents", { permissions: [] }, token),
    await ask("DELETE", "/api/v1/roles/no-agents", undefined, token),
  ];
  for (const { status, code } of attempts)
    expect([status, code]).toEqual([403, "role_forbids"]);
  expect((await ask("PATCH", `/api/v1/users/${id}`, { roles: ["admin"] })).status).toBe(
    200,
  );
});

test("nobody makes a role permit what they may not do", async () => {
  const { token } = restricted;
  await role("plain", [{ action: "read", subject: "agent" }]);
  const permissions = [{ action: "create", subject: "agent" }];
  const made = { name: "builders", permissions };
  const attempts = [
    await ask("POST", "/api/v1/roles", made, token),
    await ask("PATCH", "/api/v1/roles/plain", { permissions }, token),
  ];
  for (const { status, code } of attempts)
    expect([status, code]).toEqual([403, "role_too_strong"]);
  const allowed = { permissions: [{ action: "read", subject: "canvas" }] };
  expect((await ask("PATCH", "/api/v1/roles/plain", allowed, token)).status).toBe(200);
});

test("nobody changes or deletes the account of somebody who administers more", async () => {
  const { token } = restricted;
  const administrators = await aGroup({ roles: ["admin"] });
  const throughGroup = await someone(["user"]);
  await ask("PUT", `/api/v1/groups/${administrators}/members/${throughGroup.id}`);
  for (const { id } of [await someone(["admin"]), throughGroup]) {
    const path = `/api/v1/users/${id}`;
    const attempts = [
      await ask("PATCH", path, { password: "another long password" }, token),
      await ask("PATCH", path, { email: "mine@test.example" }, token),
      await ask("PATCH", path, { disabled: true }, token),
      await ask("DELETE", path, undefined, token),
    ];
    for (const { status, code } of attempts)
      expect([status, code]).toEqual([403, "user_too_strong"]);
  }
  const ordinary = `/api/v1/users/${(await someone(["user"])).id}`;
  expect((await ask("PATCH", ordinary, { name: "Renamed" }, token)).status).toBe(200);
  expect((await ask("DELETE", ordinary, undefined, token)).status).toBe(204);
});

test("the only administrator of a tenant may take a forbidding role back", async () => {
  const { id, token } = await someone(["admin", "no-agents"], "alone");
  const change = (user: string, roles: string[]) =>
    ask("PATCH", `/api/v1/users/${user}`, { roles }, token);
  const other = await someone(["no-agents"], "alone");
  expect((await change(other.id, ["user"])).status).toBe(200);
  const second = await someone(["admin"], "alone");
  expect((await change(id, ["admin"])).code).toBe("role_forbids");
  expect((await ask("DELETE", `/api/v1/users/${second.id}`, undefined, token)).code).toBe(
    "user_too_strong",
  );
  await ask("PATCH", `/api/v1/users/${second.id}`, { roles: ["user"] }, second.token);
  expect((await change(id, ["admin"])).status).toBe(200);
});

test("users are found by the role of a group", async () => {
  await role("found", []);
  const outer = await aGroup({ roles: ["found"] });
  const inner = await aGroup();
  await ask("PUT", `/api/v1/groups/${outer}/groups/${inner}`);
  const [nested, own, stranger] = [
    await someone(["user"]),
    await someone(["found"]),
    await someone(["user"]),
  ];
  await ask("PUT", `/api/v1/groups/${inner}/members/${nested.id}`);
  const { body } = await ask("GET", "/api/v1/users?role=found");
  const ids = (body["items"] as { id: string }[]).map((user) => user.id);
  expect(ids).toEqual([nested.id, own.id]);
  expect(ids).not.toContain(stranger.id);
});
