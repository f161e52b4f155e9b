import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

interface Found {
  items: { id: string; name: string; userId?: string; sources: object[] }[];
  total: number;
}

const PASSWORD = "a long enough password";
const ask = async <Answer>(
  path: string,
  method = "GET",
  body?: unknown,
  token?: string,
) => {
  const answer = await parlance.request(path, { method, body, ...(token && { token }) });
  expect(answer.status).toBeLessThan(300);
  const text = await answer.text();
  return (text ? JSON.parse(text) : undefined) as Answer;
};
const aUser = (name: string, email: string, roles = ["user"]) =>
  ask<{ id: string }>("/api/v1/users", "POST", { name, email, roles, password: PASSWORD });
const aGroup = (name: string, externalName?: string) =>
  ask<{ id: string }>("/api/v1/groups", "POST", { name, externalName });
const names = async (path: string) =>
  (await ask<Found>(path)).items.map(({ name }) => name);

test("users are found by a part of the name or email, by role and by state", async () => {
  const jorg = await aUser("Jörg Müller", "jm@harbour.example");
  await aUser("Anna Krüger", "anna@harbour.example", ["reader"]);
  expect(await names("/api/v1/users?query=muller")).toEqual(["Jörg Müller"]);
  expect(await names("/api/v1/users?query=HARBOUR&sort=name")).toEqual([
    "Anna Krüger",
    "Jörg Müller",
  ]);
  expect(await names("/api/v1/users?query=harbour&role=reader")).toEqual(["Anna Krüger"]);
  await ask(`/api/v1/users/${jorg.id}`, "PATCH", { disabled: true });
  expect(await names("/api/v1/users?query=harbour&disabled=true")).toEqual(["Jörg Müller"]);
  expect(await names("/api/v1/users?query=harbour&disabled=false")).toEqual([
    "Anna Krüger",
  ]);
  expect(await names("/api/v1/users?query=%25")).toEqual([]);
});

test("what a user may do is explained by the roles, as they are now", async () => {
  const permissions = [{ action: "read", subject: "agent" }];
  await ask("/api/v1/roles", "POST", { name: "agent-reader", permissions });
  const { id } = await aUser("Ruth", "ruth@test.example", ["agent-reader"]);
  const explained = await ask<{ roles: string[]; permissions: object[] }>(
    `/api/v1/users/${id}/permissions`,
  );
  expect(explained.roles).toEqual(["agent-reader"]);
  expect(explained.permissions).toContainEqual(
    expect.objectContaining({ name: "agent:read", grantedBy: [{ role: "agent-reader" }] }),
  );
  const token = await parlance.signIn("ruth@test.example", PASSWORD);
  const me = await ask<{ permissions: string[] }>(
    "/api/v1/auth/me",
    "GET",
    undefined,
    token,
  );
  expect(me.permissions).toEqual(["agent:read"]);
});

test("groups say through what a user is in them; members are found by name", async () => {
  const [outer, inner] = [await aGroup("Everybody"), await aGroup("Harbour office")];
  const { id } = await aUser("Per Member", "per@test.example");
  await ask(`/api/v1/groups/${inner.id}/members/${id}`, "PUT");
  await ask(`/api/v1/groups/${outer.id}/groups/${inner.id}`, "PUT");
  const source = { groupId: inner.id, groupName: "Harbour office", kind: "added" };
  const ofUser = await ask<Found>(`/api/v1/users/${id}/groups`);
  expect(ofUser.items).toEqual([
    { id: outer.id, name: "Everybody", sources: [source] },
    { id: inner.id, name: "Harbour office", sources: [source] },
  ]);
  const list = (words: string) =>
    ask<Found>(
      `/api/v1/groups/${outer.id}/members?effective=true&sort=name&query=${words}`,
    );
  expect((await list("MEMBER")).items).toEqual([
    expect.objectContaining({ userId: id, sources: [source] }),
  ]);
  expect((await list("nobody")).total).toBe(0);
  const groups = await ask<Found>(`/api/v1/groups?query=every`);
  expect(groups.items).toEqual([
    expect.objectContaining({ memberCount: 0, groupCount: 1 }),
  ]);
  expect(await names(`/api/v1/groups?containing=${inner.id}`)).toEqual(["Everybody"]);
});

test("an administrator sees and ends the sessions of a user", async () => {
  const { id } = await aUser("Sam", "sam@test.example");
  const token = await parlance.signIn("sam@test.example", PASSWORD);
  expect((await ask<Found>(`/api/v1/users/${id}/sessions`)).total).toBe(1);
  await ask(`/api/v1/users/${id}/sessions`, "DELETE");
  expect((await parlance.request("/api/v1/auth/me", { token })).status).toBe(401);
  expect((await ask<Found>(`/api/v1/users/${id}/sessions`)).total).toBe(0);
});

test("a password of an administrator's counts as temporary until its owner chooses another one", async () => {
  const tokenOf = async (email: string, password: string) =>
    (await ask<{ accessToken: string }>("/api/v1/auth/login", "POST", { email, password }))
      .accessToken;
  const isTemporary = async (token: string) =>
    (
      await ask<{ passwordIsTemporary: boolean }>(
        "/api/v1/auth/me",
        "GET",
        undefined,
        token,
      )
    ).passwordIsTemporary;
  const email = "new@harbour.example";
  const { id, password } = await ask<{ id: string; password: string }>(
    "/api/v1/users",
    "POST",
    { name: "New", email },
  );
  const first = await tokenOf(email, password);
  expect(await isTemporary(first)).toBe(true);
  const change = { currentPassword: password, newPassword: PASSWORD };
  await ask("/api/v1/auth/password", "POST", change, first);
  expect(await isTemporary(await tokenOf(email, PASSWORD))).toBe(false);
  await ask(`/api/v1/users/${id}`, "PATCH", { password: "one that was handed over" });
  expect(await isTemporary(await tokenOf(email, "one that was handed over"))).toBe(true);
  const chosen = await aUser("Known", "known@harbour.example");
  expect(chosen.id).toBeTruthy();
  expect(await isTemporary(await tokenOf("known@harbour.example", PASSWORD))).toBe(false);
});
