import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

const SECRET = { "x-platform-user-service-secret": "user-service-secret-of-the-test" };
let parlance: TestServer;
let serial = 0;

beforeAll(async () => {
  parlance = await startTestServer({
    USER_SERVICE_SECRET: SECRET["x-platform-user-service-secret"],
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = async (path: string, method = "GET", body?: unknown) => {
  const answer = await parlance.request(path, { method, body });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text ? JSON.parse(text) : {}) as Record<string, unknown> & { id: string; code: string },
  };
};
const aUser = async () => {
  serial += 1;
  return (
    await ask("/api/v1/users", "POST", {
      email: `person${serial}@test.example`,
      name: `Person ${serial}`,
    })
  ).body.id;
};
const aGroup = async () => {
  serial += 1;
  return (await ask("/api/v1/groups", "POST", { name: `Group ${serial}` })).body.id;
};
const members = async (id: string, effective = false) =>
  (
    (await ask(`/api/v1/groups/${id}/members?effective=${effective}`)).body["items"] as {
      userId: string;
    }[]
  ).map(({ userId }) => userId);

test("groups are made, renamed and deleted; their names are unique whatever the case", async () => {
  const made = await ask("/api/v1/groups", "POST", { name: "Sales", description: "who sells" });
  expect([made.status, made.body["name"]]).toEqual([201, "Sales"]);
  expect((await ask("/api/v1/groups", "POST", { name: "SALES" })).body.code).toBe(
    "group_name_taken",
  );
  expect(
    (await ask(`/api/v1/groups/${made.body.id}`, "PATCH", { name: "Selling" })).body["name"],
  ).toBe("Selling");
  expect((await ask(`/api/v1/groups/${made.body.id}`, "DELETE")).status).toBe(204);
  expect((await ask(`/api/v1/groups/${made.body.id}`)).body.code).toBe("group_not_found");
  expect((await ask("/api/v1/groups", "POST", { name: " " })).status).toBe(400);
});

test("members of a nested group are members of what it is in, until that ends", async () => {
  const [outer, inner, user] = [await aGroup(), await aGroup(), await aUser()];
  expect((await ask(`/api/v1/groups/${inner}/members/${user}`, "PUT")).status).toBe(204);
  expect((await ask(`/api/v1/groups/${outer}/groups/${inner}`, "PUT")).status).toBe(204);
  expect([await members(outer), await members(outer, true)]).toEqual([[], [user]]);
  expect((await ask(`/api/v1/groups/${inner}/groups/${outer}`, "PUT")).body.code).toBe(
    "group_cycle",
  );
  expect((await ask(`/api/v1/groups/${outer}/groups/${outer}`, "PUT")).body.code).toBe(
    "group_cycle",
  );
  await ask(`/api/v1/groups/${outer}/groups/${inner}`, "DELETE");
  expect(await members(outer, true)).toEqual([]);
});

test("who leaves a group, or whose group is deleted, loses what was shared with it at the next request", async () => {
  const [outer, inner, user] = [await aGroup(), await aGroup(), await aUser()];
  await ask(`/api/v1/groups/${inner}/members/${user}`, "PUT");
  await ask(`/api/v1/groups/${outer}/groups/${inner}`, "PUT");
  const resource = { resourceType: "agent", resourceId: `of ${outer}` };
  const asService = (path: string, body: object) =>
    parlance.request(path, { token: null, headers: SECRET, body });
  const { featureId } = (await (
    await asService("/api/v1/features", { ...resource, ownerId: await aUser() })
  ).json()) as {
    featureId: string;
  };
  const shares = [{ subjectType: "group", subjectId: outer, accessRole: "editor" }];
  const granted = await asService("/api/v1/features/shares", {
    featureId,
    shares,
    grantedByUserId: user,
  });
  expect(granted.status).toBe(201);
  const role = async () =>
    (
      (await (
        await asService("/api/v1/sharing/check-access", { ...resource, userId: user })
      ).json()) as { role: string }
    ).role;
  expect(await role()).toBe("editor");
  await ask(`/api/v1/groups/${inner}/members/${user}`, "DELETE");
  expect(await role()).toBeNull();
  await ask(`/api/v1/groups/${inner}/members/${user}`, "PUT");
  expect(await role()).toBe("editor");
  await ask(`/api/v1/users/${user}`, "PATCH", { disabled: true });
  expect(await role()).toBeNull();
  await ask(`/api/v1/users/${user}`, "PATCH", { disabled: false });
  expect(await role()).toBe("editor");
  await ask(`/api/v1/groups/${inner}`, "DELETE");
  expect(await role()).toBeNull();
});

test("unknown users and groups are distinguished from none", async () => {
  const group = await aGroup();
  const none = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
  expect((await ask(`/api/v1/groups/${group}/members/${none}`, "PUT")).body.code).toBe(
    "user_not_found",
  );
  expect((await ask(`/api/v1/groups/${group}/members/${none}`, "DELETE")).body.code).toBe(
    "member_not_found",
  );
  expect((await ask(`/api/v1/groups/${group}/groups/${none}`, "PUT")).body.code).toBe(
    "group_not_found",
  );
  expect((await ask(`/api/v1/groups/${none}/members`)).body.code).toBe("group_not_found");
});
