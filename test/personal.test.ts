import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

const SECRET = { "x-platform-user-service-secret": "user-service-secret-of-the-test" };
let parlance: TestServer;
let anne: { id: string; token: string };
let beth: { id: string; token: string };

beforeAll(async () => {
  parlance = await startTestServer({
    USER_SERVICE_SECRET: SECRET["x-platform-user-service-secret"],
  });
  const make = (name: string) => newPerson(parlance, name);
  [anne, beth] = [await make("anne"), await make("beth")];
});
afterAll(() => parlance[Symbol.asyncDispose]());

type Answer = { status: number; body: Record<string, unknown> };
const read = async (answer: Response): Promise<Answer> => {
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
};
const as = async (token: string, path: string, method = "GET", body?: unknown) =>
  read(await parlance.request(path, { token, method, body }));
const asService = async (path: string, method = "GET", body?: unknown) =>
  read(await parlance.request(path, { token: null, headers: SECRET, method, body }));

test.each(["pins", "favorites"])(
  "%s are one's own, and are there once however often they are set",
  async (name) => {
    const path = `/api/v1/${name}/conversation/c-1`;
    expect([
      (await as(anne.token, path, "PUT")).status,
      (await as(anne.token, path, "PUT")).status,
    ]).toEqual([204, 204]);
    await as(anne.token, `/api/v1/${name}/agent/a-1`, "PUT");
    const list = async (token: string, query = "") =>
      (await as(token, `/api/v1/${name}${query}`)).body;
    expect(await list(anne.token)).toMatchObject({
      total: 2,
      items: [{ resourceId: "a-1" }, { resourceId: "c-1" }],
    });
    expect(await list(anne.token, "?resourceType=agent")).toMatchObject({ total: 1 });
    expect(await list(beth.token, `?userId=${anne.id}`)).toMatchObject({ total: 0 });
    expect((await asService(`/api/v1/${name}?userId=${anne.id}`)).body).toMatchObject({
      total: 2,
    });
    expect((await asService(`/api/v1/${name}`)).status).toBe(400);
    expect((await as(anne.token, path, "DELETE")).status).toBe(204);
    expect((await as(anne.token, path, "DELETE")).status).toBe(404);
  },
);

test("tags are replaced as a whole, counted, and searchable", async () => {
  const path = "/api/v1/tags/conversation/c-1";
  const set = (tags: string[]) => as(anne.token, path, "PUT", { tags });
  expect((await set(["work", "2026", "work"])).body).toEqual({ tags: ["2026", "work"] });
  expect((await set(["work", "later"])).body).toEqual({ tags: ["later", "work"] });
  await as(anne.token, "/api/v1/tags/document/d-1", "PUT", { tags: ["work"] });
  expect((await as(anne.token, "/api/v1/tags")).body["items"]).toEqual([
    { tag: "later", count: 1 },
    { tag: "work", count: 2 },
  ]);
  expect(
    (await as(anne.token, "/api/v1/tags/work?resourceType=document")).body["items"],
  ).toEqual([{ resourceType: "document", resourceId: "d-1" }]);
  expect((await as(beth.token, path)).body).toEqual({ tags: [] });
  expect((await set(["\0"])).status).toBe(400);
});

test("preferences change one by one; null removes one, and they have a limit", async () => {
  const change = (body: object) => as(anne.token, "/api/v1/preferences", "PATCH", body);
  expect((await change({ theme: "dark", language: "de" })).body).toEqual({
    theme: "dark",
    language: "de",
  });
  expect((await change({ theme: null, size: 2 })).body).toEqual({
    language: "de",
    size: 2,
  });
  expect((await as(anne.token, "/api/v1/preferences")).body).toEqual({
    language: "de",
    size: 2,
  });
  expect((await as(beth.token, "/api/v1/preferences")).body).toEqual({});
  const half = "x".repeat(20_000);
  expect([(await change({ a: half })).status, (await change({ b: half })).status]).toEqual([
    200, 413,
  ]);
  expect((await change({ c: "x".repeat(40_000) })).status).toBe(400);
});

test("names are visible within the organisation, emails to services only", async () => {
  const path = `/api/v1/user-info?ids=${beth.id},01a1fb8b-2522-72b4-a6e7-60a70d8e06b0`;
  expect((await as(anne.token, path)).body).toEqual({
    items: [{ id: beth.id, name: "beth" }],
  });
  expect((await asService(path)).body).toEqual({
    items: [{ id: beth.id, name: "beth", email: "beth@test.example" }],
  });
  expect(
    (
      await as(anne.token, "/api/v1/auth/me", "PATCH", {
        name: "Anne B.",
        roles: ["admin"],
      })
    ).body["name"],
  ).toBe("Anne B.");
  expect((await as(anne.token, "/api/v1/auth/me")).body).toMatchObject({
    name: "Anne B.",
    roles: ["user"],
  });
});

test("an account at the flow provider is stored once, changed, and read only by its owner and by services", async () => {
  const account = { userId: anne.id, username: "anne-1", password: "planted-password" };
  expect((await as(anne.token, "/api/v1/langflow-users/me")).status).toBe(404);
  expect((await asService("/api/v1/langflow-users", "POST", account)).body).toMatchObject({
    ...account,
    apiKey: null,
  });
  expect((await asService("/api/v1/langflow-users", "POST", account)).status).toBe(409);
  const changed = await asService(`/api/v1/langflow-users/${anne.id}`, "PATCH", {
    apiKey: "planted-key",
  });
  expect(changed.body).toMatchObject({ ...account, apiKey: "planted-key" });
  expect((await as(anne.token, "/api/v1/langflow-users/me")).body).toMatchObject({
    username: "anne-1",
    apiKey: "planted-key",
  });
  expect((await as(beth.token, `/api/v1/langflow-users/me?userId=${anne.id}`)).status).toBe(
    404,
  );
  expect((await as(anne.token, "/api/v1/langflow-users", "POST", account)).status).toBe(
    401,
  );
  expect(
    (await asService(`/api/v1/langflow-users/${beth.id}`, "PATCH", { username: "x" }))
      .status,
  ).toBe(404);
  expect(
    (await asService(`/api/v1/langflow-users/${anne.id}`, "PATCH", { apiKey: null })).body[
      "apiKey"
    ],
  ).toBeNull();
});
