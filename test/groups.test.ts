import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

const SECRET = { "x-platform-user-service-secret": "user-service-secret-of-the-test" };
let parlance: TestServer;
let serial = 0;

beforeAll(async () => {
  parlance = await startTestServer({
    USER_SERVICE_SECRET: SECRET["x-platform-user-service-secret"],
    GROUPS_PER_TENANT: "140",
    GROUPS_PER_USER: "3",
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = async (path: string, method = "GET", body?: unknown) => {
  const answer = await parlance.request(path, { method, body });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text ? JSON.parse(text) : {}) as Record<string, unknown> & {
      id: string;
      code: string;
    },
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

test("groups can be created, renamed and deleted; their names are unique regardless of case", async () => {
  const made = await ask("/api/v1/groups", "POST", {
    name: "Sales",
    description: "who sells",
  });
  expect([made.status, made.body["name"]]).toEqual([201, "Sales"]);
  expect((await ask("/api/v1/groups", "POST", { name: "SALES" })).body.code).toBe(
    "group_name_taken",
  );
  expect(
    (await ask(`/api/v1/groups/${made.body.id}`, "PATCH", { name: "Selling" })).body[
      "name"
    ],
  ).toBe("Selling");
  expect((await ask(`/api/v1/groups/${made.body.id}`, "DELETE")).status).toBe(204);
  expect((await ask(`/api/v1/groups/${made.body.id}`)).body.code).toBe("group_not_found");
  expect((await ask("/api/v1/groups", "POST", { name: " " })).status).toBe(400);
});

test("members of a nested group are members of the outer groups while it is nested", async () => {
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

test("a user who leaves a group, or whose group is deleted, loses its shares at the next request", async () => {
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

test("at most 100 groups contain one group, directly or through others", async () => {
  const chain = [await aGroup()];
  const nest = (outer: string | undefined, inner: string | undefined) =>
    ask(`/api/v1/groups/${outer}/groups/${inner}`, "PUT");
  for (let level = 1; level <= 100; level += 1) {
    chain.push(await aGroup());
    expect((await nest(chain[level - 1], chain[level])).status).toBe(204);
  }
  const [below, above] = [await aGroup(), await aGroup()];
  for (const [outer, inner] of [
    [chain[100], below],
    [above, chain[0]],
  ]) {
    const { status, body } = await nest(outer, inner);
    expect([status, body.code]).toEqual([409, "groups_too_deep"]);
  }
  expect((await nest(above, chain[1])).body.code).toBe("groups_too_deep");
  expect((await nest(above, below)).status).toBe(204);
}, 120_000);

test("a user is in at most GROUPS_PER_USER groups, and can be added again to one of them", async () => {
  const user = await aUser();
  const ids = [await aGroup(), await aGroup(), await aGroup(), await aGroup()];
  const add = (id: string | undefined) =>
    ask(`/api/v1/groups/${id}/members/${user}`, "PUT");
  const added = await Promise.all(ids.map(add));
  expect(added.map(({ status }) => status).sort()).toEqual([204, 204, 204, 409]);
  const refused = added.find(({ status }) => status === 409);
  expect(refused?.body.code).toBe("too_many_groups_of_user");
  const kept = ids.filter((_, index) => added[index]?.status === 204);
  expect((await add(kept[0])).status).toBe(204);
});

test("an organisation has at most GROUPS_PER_TENANT groups", async () => {
  const { total } = (await ask("/api/v1/groups")).body as unknown as { total: number };
  for (let count = total; count < 140; count += 1) await aGroup();
  const refused = await ask("/api/v1/groups", "POST", { name: "One more" });
  expect([refused.status, refused.body.code]).toEqual([409, "too_many_groups"]);
});
