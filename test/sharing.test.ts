import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../src/platform/http/call.ts";
import type { AnyRoute, RouteInput } from "../src/platform/http/route.ts";
import { sharingContract as contract } from "../src/services/users/contract-sharing.ts";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

const SECRET = "user-service-secret-of-the-test";
let parlance: TestServer;
let people: Record<"anne" | "beth" | "carl", { id: string; token: string }>;
let serial = 0;

beforeAll(async () => {
  parlance = await startTestServer({ USER_SERVICE_SECRET: SECRET });
  const make = (name: string) => newPerson(parlance, name);
  people = { anne: await make("anne"), beth: await make("beth"), carl: await make("carl") };
});
afterAll(() => parlance[Symbol.asyncDispose]());

/** Requests as a service. */
const asService = <R extends AnyRoute>(route: R, input: RouteInput<R>) =>
  call(
    (request) =>
      fetch(
        new Request(
          parlance.url + new URL(request.url).pathname + new URL(request.url).search,
          request,
        ),
      ),
    route,
    input,
    { headers: { "x-platform-user-service-secret": SECRET } },
  );
const aConversation = async (ownerId: string) => {
  serial += 1;
  const resource = {
    resourceType: "conversation",
    resourceId: `conversation-${serial}`,
  } as const;
  await asService(contract.registerFeature, { body: { ...resource, ownerId } });
  return resource;
};
const roleOf = async (
  userId: string,
  resource: { resourceType: "conversation" | "folder" | "document"; resourceId: string },
) => (await asService(contract.checkAccess, { body: { ...resource, userId } })).role;
const toBeth = (accessRole: string) => [
  { subjectType: "user", subjectId: people.beth.id, accessRole },
];

test("an owner shares, changes the role by sharing again, and revokes; each applies to the next request", async () => {
  const { anne, beth } = people;
  const resource = await aConversation(anne.id);
  const share = (accessRole: string) =>
    parlance.request("/api/v1/sharing/share", {
      token: anne.token,
      body: { ...resource, shares: toBeth(accessRole) },
    });
  expect(await roleOf(anne.id, resource)).toBe("owner");
  expect(await roleOf(beth.id, resource)).toBeNull();
  const first = await share("viewer");
  expect(first.status).toBe(201);
  expect(await roleOf(beth.id, resource)).toBe("viewer");
  await share("editor");
  expect(await roleOf(beth.id, resource)).toBe("editor");
  const listed = await parlance.request(
    `/api/v1/sharing/shares/conversation/${resource.resourceId}`,
    { token: anne.token },
  );
  const { items, total } = (await listed.json()) as {
    items: { id: string }[];
    total: number;
  };
  const expected = { accessRole: "editor", name: "beth", grantedByName: "anne" };
  expect([total, items[0]]).toEqual([1, expect.objectContaining(expected)]);
  expect(
    (
      await parlance.request(`/api/v1/sharing/shares/${items[0]?.id}`, {
        method: "DELETE",
        token: people.carl.token,
      })
    ).status,
  ).toBe(404);
  expect(
    (
      await parlance.request(`/api/v1/sharing/shares/${items[0]?.id}`, {
        method: "DELETE",
        token: anne.token,
      })
    ).status,
  ).toBe(204);
  expect(await roleOf(beth.id, resource)).toBeNull();
});

test("only an owner shares: weaker roles get a 403, and strangers a 404", async () => {
  const { anne, beth, carl } = people;
  const resource = await aConversation(anne.id);
  await parlance.request("/api/v1/sharing/share", {
    token: anne.token,
    body: { ...resource, shares: toBeth("editor") },
  });
  const attempt = async (token: string, of: object) => {
    const answer = await parlance.request("/api/v1/sharing/share", {
      token,
      body: { ...of, shares: toBeth("owner") },
    });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  expect(await attempt(beth.token, resource)).toEqual([403, "role_insufficient"]);
  expect(await attempt(carl.token, resource)).toEqual([404, "resource_not_found"]);
  expect(await attempt(carl.token, { ...resource, resourceId: "none" })).toEqual([
    404,
    "resource_not_found",
  ]);
  const unknown = [
    {
      subjectType: "user",
      subjectId: "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0",
      accessRole: "viewer",
    },
  ];
  const answer = await parlance.request("/api/v1/sharing/share", {
    token: anne.token,
    body: { ...resource, shares: unknown },
  });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    400,
    "subject_not_found",
  ]);
});

test("a document inherits its folder's shares, and loses them when it is moved or the share is revoked", async () => {
  const { anne, beth } = people;
  const register = (
    resourceType: "folder" | "document",
    resourceId: string,
    parentId?: string,
  ) =>
    asService(contract.registerFeature, {
      body: { resourceType, resourceId, ownerId: anne.id, parentId },
    });
  await register("folder", "top");
  await register("folder", "middle", "top");
  await register("document", "paper", "middle");
  const paper = { resourceType: "document", resourceId: "paper" } as const;
  await parlance.request("/api/v1/sharing/share", {
    token: anne.token,
    body: { resourceType: "folder", resourceId: "top", shares: toBeth("commenter") },
  });
  expect(await roleOf(beth.id, paper)).toBe("commenter");
  const shared = await asService(contract.sharedWith, {
    params: { userId: beth.id },
    query: { resourceType: "document" },
  });
  expect(shared.items).toEqual([{ ...paper, role: "commenter", inherited: true }]);
  await expect(register("folder", "top", "middle")).rejects.toMatchObject({
    status: 409,
    code: "folder_cycle",
  });
  await register("folder", "middle");
  expect(await roleOf(beth.id, paper)).toBeNull();
  await register("folder", "middle", "top");
  expect(await roleOf(beth.id, paper)).toBe("commenter");
  await asService(contract.deleteFeature, {
    params: { resourceType: "folder", resourceId: "top" },
  });
  expect(await roleOf(beth.id, paper)).toBeNull();
});

test("what is shared with a user says whose it is, and through which user or group shares", async () => {
  const { anne, beth } = people;
  const resource = { resourceType: "document" as const, resourceId: "described" };
  await asService(contract.registerFeature, { body: { ...resource, ownerId: anne.id } });
  await parlance.request("/api/v1/sharing/share", {
    token: anne.token,
    body: { ...resource, shares: toBeth("viewer") },
  });
  const made = await parlance.request("/api/v1/groups", {
    body: { name: "Readers of described" },
  });
  const { id: groupId } = (await made.json()) as { id: string };
  await parlance.request(`/api/v1/groups/${groupId}/members/${beth.id}`, { method: "PUT" });
  const group = { subjectType: "group", subjectId: groupId, accessRole: "editor" };
  const shared = await parlance.request("/api/v1/sharing/share", {
    token: anne.token,
    body: { ...resource, shares: [group] },
  });
  expect(shared.status).toBe(201);
  const listed = await parlance.request(
    "/api/v1/sharing/shared-with-me?resourceType=document",
    {
      token: beth.token,
    },
  );
  const { items } = (await listed.json()) as { items: { resourceId: string }[] };
  expect(items.find(({ resourceId }) => resourceId === "described")).toMatchObject({
    role: "editor",
    ownerName: "anne",
    through: [
      { subjectType: "group", name: "Readers of described", grantedByName: "anne" },
      { subjectType: "user", name: "", grantedByName: "anne" },
    ],
  });
});

test("what was shared since a time is listed, the newest first, without what is older", async () => {
  const { anne, beth } = people;
  const shareNew = async (resourceId: string) => {
    const resource = { resourceType: "document" as const, resourceId };
    await asService(contract.registerFeature, { body: { ...resource, ownerId: anne.id } });
    await parlance.request("/api/v1/sharing/share", {
      token: anne.token,
      body: { ...resource, shares: toBeth("viewer") },
    });
  };
  const sharedSince = async (since: string) => {
    const path = `/api/v1/sharing/shared-with-me?since=${encodeURIComponent(since)}`;
    const listed = await parlance.request(path, { token: beth.token });
    const { items } = (await listed.json()) as {
      items: { resourceId: string; through: { createdAt: string }[] }[];
    };
    return items;
  };
  await shareNew("shared before");
  const [before] = await sharedSince("2020-01-01T00:00:00Z");
  expect(before?.resourceId).toBe("shared before");
  const at = Date.parse(before?.through[0]?.createdAt ?? "");
  await shareNew("shared first");
  await shareNew("shared second");
  // times are shown in milliseconds, and kept more exactly
  const items = await sharedSince(new Date(at + 1).toISOString());
  expect(items.map(({ resourceId }) => resourceId)).toEqual([
    "shared second",
    "shared first",
  ]);
});

test("a list of shares has the same total on each page, and beyond the last one", async () => {
  const { anne, carl } = people;
  for (const resourceId of ["one", "two", "three"]) {
    await asService(contract.registerFeature, {
      body: { resourceType: "document", resourceId, ownerId: anne.id },
    });
    const shares = [{ subjectType: "user", subjectId: carl.id, accessRole: "viewer" }];
    await parlance.request("/api/v1/sharing/share", {
      token: anne.token,
      body: { resourceType: "document", resourceId, shares },
    });
  }
  const pageOf = async (userId: string, page: number, limit: number) => {
    const query = { resourceType: "document" as const, page, limit };
    const { items, total } = await asService(contract.sharedWith, {
      params: { userId },
      query,
    });
    return [items.length, total];
  };
  const pages = [
    await pageOf(carl.id, 1, 2),
    await pageOf(carl.id, 2, 2),
    await pageOf(carl.id, 3, 2),
  ];
  expect(pages).toEqual([
    [2, 3],
    [1, 3],
    [0, 3],
  ]);
  expect(await pageOf(carl.id, 1, 3)).toEqual([3, 3]);
  expect(await pageOf(anne.id, 1, 2)).toEqual([0, 0]);
});

test("a link admits the organisation or listed users, until it expires or is switched off", async () => {
  const { anne, beth, carl } = people;
  const resource = await aConversation(anne.id);
  const set = (body: object) =>
    parlance.request(`/api/v1/sharing/links/conversation/${resource.resourceId}`, {
      method: "PUT",
      token: anne.token,
      body,
    });
  const both = async () => [
    await roleOf(beth.id, resource),
    await roleOf(carl.id, resource),
  ];
  expect((await set({ enabled: true, accessLevel: "commenter" })).status).toBe(200);
  expect(await both()).toEqual(["commenter", "commenter"]);
  await set({ enabled: true, accessLevel: "viewer", allowedUsers: [beth.id] });
  expect(await both()).toEqual(["viewer", null]);
  await set({ enabled: true, accessLevel: "viewer", allowedUsers: [] });
  expect(await both()).toEqual([null, null]);
  await set({ enabled: true, expiresAt: new Date(Date.now() - 1_000).toISOString() });
  expect(await both()).toEqual([null, null]);
  await set({ enabled: false });
  expect(await both()).toEqual([null, null]);
  expect((await set({ enabled: true, accessLevel: "owner" })).status).toBe(400);
});

test("a batch answers in order, accepts 500 but not 501, and tells users only about what they may ask", async () => {
  const { anne, beth } = people;
  const resource = await aConversation(anne.id);
  const none = { resourceType: "agent", resourceId: "none" };
  const many = (count: number) => Array.from({ length: count }, () => none);
  const ask = (token: string, userId: string, resources: object[]) =>
    parlance.request("/api/v1/sharing/check-access/batch", {
      token,
      body: { userId, resources },
    });
  expect(await (await ask(anne.token, anne.id, [none, resource, none])).json()).toEqual({
    results: [
      { ...none, hasAccess: false, role: null },
      { ...resource, hasAccess: true, role: "owner" },
      { ...none, hasAccess: false, role: null },
    ],
  });
  expect((await ask(anne.token, anne.id, many(500))).status).toBe(200);
  expect((await ask(anne.token, anne.id, many(501))).status).toBe(400);
  const ofBeth = await aConversation(beth.id);
  // anne may ask about her own resource only, and learns nothing of the other
  expect(await (await ask(anne.token, beth.id, [ofBeth, resource])).json()).toEqual({
    results: [
      { ...ofBeth, hasAccess: false, role: null },
      { ...resource, hasAccess: false, role: null },
    ],
  });
  expect(await (await ask(beth.token, anne.id, [resource])).json()).toEqual({
    results: [{ ...resource, hasAccess: false, role: null }],
  });
});

test("an agent that another user has locked cannot be changed or deleted", async () => {
  const { anne, beth } = people;
  const created = await parlance.request("/api/v1/agent", {
    token: anne.token,
    body: { name: "Helper", type: "simple" },
  });
  const { id } = (await created.json()) as { id: string };
  await parlance.request("/api/v1/sharing/share", {
    token: anne.token,
    body: { resourceType: "agent", resourceId: id, shares: toBeth("editor") },
  });
  const lock = (token: string, method: string) =>
    parlance.request(`/api/v1/sharing/locks/agent/${id}`, { method, token });
  const rename = async (token: string) =>
    (
      await parlance.request(`/api/v1/agent/${id}`, {
        method: "PATCH",
        token,
        body: { name: `by ${token.slice(-5)}` },
      })
    ).status;
  expect([await rename(anne.token), await rename(beth.token)]).toEqual([200, 200]);
  expect((await lock(beth.token, "POST")).status).toBe(201);
  expect([
    await rename(anne.token),
    await rename(beth.token),
    await rename(people.carl.token),
  ]).toEqual([423, 200, 404]);
  expect(
    (await parlance.request(`/api/v1/agent/${id}`, { method: "DELETE", token: anne.token }))
      .status,
  ).toBe(423);
  expect((await lock(beth.token, "DELETE")).status).toBe(204);
  expect(await rename(anne.token)).toBe(200);
});

test("folders and documents can be named as sources: shared, opened by a link, checked and locked", async () => {
  const { anne, beth, carl } = people;
  serial += 1;
  const folder = { resourceType: "folder", resourceId: `source-folder-${serial}` } as const;
  const file = { resourceType: "document", resourceId: `source-file-${serial}` } as const;
  for (const one of [folder, file])
    await asService(contract.registerFeature, { body: { ...one, ownerId: anne.id } });
  const asSource = ({ resourceId }: { resourceId: string }) =>
    ({ resourceType: "source", resourceId }) as const;
  const ask = (path: string, token: string, options: { method?: string; body?: unknown }) =>
    parlance.request(`/api/v1/sharing/${path}`, { token, ...options });

  const body = { ...asSource(folder), shares: toBeth("editor") };
  expect((await ask("share", anne.token, { body })).status).toBe(201);
  expect(await roleOf(beth.id, folder)).toBe("editor");
  const open = { method: "PUT", body: { enabled: true, accessLevel: "viewer" } };
  const link = await ask(`links/source/${file.resourceId}`, anne.token, open);
  expect(link.status).toBe(200);
  expect(await roleOf(carl.id, file)).toBe("viewer");
  const listed = await ask(`shares/source/${folder.resourceId}`, anne.token, {});
  expect(await listed.json()).toMatchObject({ items: [{ subjectId: beth.id }] });

  const unknown = asSource({ resourceId: "never-registered" });
  const resources = [asSource(folder), asSource(file), unknown];
  const question = { userId: beth.id, resources };
  const { results } = await asService(contract.checkAccessBatch, { body: question });
  expect(results).toEqual([
    { ...asSource(folder), hasAccess: true, role: "editor" },
    { ...asSource(file), hasAccess: true, role: "viewer" },
    { ...unknown, hasAccess: false, role: null },
  ]);

  const lock = `locks/source/${folder.resourceId}`;
  expect((await ask(lock, beth.token, { method: "POST" })).status).toBe(201);
  const own = `locks/folder/${folder.resourceId}`;
  expect((await ask(own, anne.token, { method: "POST" })).status).toBe(423);
  expect((await ask(lock, beth.token, { method: "DELETE" })).status).toBe(204);
});

test("access is explained to who has it: owner, share, group, folder and link, strongest first", async () => {
  const { anne, beth, carl } = people;
  serial += 1;
  const folder = { resourceType: "folder", resourceId: `folder-${serial}` } as const;
  const document = { resourceType: "document", resourceId: `document-${serial}` } as const;
  await asService(contract.registerFeature, { body: { ...folder, ownerId: anne.id } });
  await asService(contract.registerFeature, {
    body: { ...document, ownerId: anne.id, parentId: folder.resourceId },
  });
  const made = await parlance.request("/api/v1/groups", { body: { name: "Readers" } });
  const { id: groupId } = (await made.json()) as { id: string };
  await parlance.request(`/api/v1/groups/${groupId}/members/${beth.id}`, { method: "PUT" });
  const share = (resource: object, subjectType: string, subjectId: string, role: string) =>
    parlance.request("/api/v1/sharing/share", {
      token: anne.token,
      body: { ...resource, shares: [{ subjectType, subjectId, accessRole: role }] },
    });
  await share(folder, "group", groupId, "editor");
  await share(document, "user", beth.id, "viewer");
  const link = `/api/v1/sharing/links/document/${document.resourceId}`;
  await parlance.request(link, {
    method: "PUT",
    token: anne.token,
    body: { enabled: true, accessLevel: "commenter" },
  });
  const explain = async (token: string) => {
    const path = `/api/v1/sharing/access/document/${document.resourceId}`;
    const answer = await parlance.request(path, { token });
    return { status: answer.status, body: (await answer.json()) as object };
  };
  const shared = {
    groupName: null,
    folderId: null,
    grantedByName: "anne",
    since: expect.any(String) as string,
  };
  const bare = { groupName: null, grantedByName: null, since: null };
  const { resourceId: folderId } = folder;
  expect((await explain(beth.token)).body).toEqual({
    role: "editor",
    ownerName: "anne",
    grounds: [
      { ...shared, kind: "group", role: "editor", folderId, groupName: "Readers" },
      { ...bare, kind: "link", role: "commenter", folderId: null },
      { ...shared, kind: "user", role: "viewer" },
    ],
  });
  expect((await explain(anne.token)).body).toMatchObject({
    role: "owner",
    grounds: [
      { kind: "owner", role: "owner", folderId: null },
      { kind: "owner", role: "owner", folderId },
      { kind: "link" },
    ],
  });
  expect((await explain(carl.token)).body).toMatchObject({
    role: "commenter",
    grounds: [{ kind: "link" }],
  });
  await parlance.request(link, {
    method: "PUT",
    token: anne.token,
    body: { enabled: true, allowedUsers: [] },
  });
  expect((await explain(carl.token)).status).toBe(404);
  await parlance.request(`/api/v1/groups/${groupId}/members/${beth.id}`, {
    method: "DELETE",
  });
  expect((await explain(beth.token)).body).toMatchObject({
    role: "viewer",
    grounds: [{ kind: "user" }],
  });
});
