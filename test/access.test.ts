import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVICES } from "../src/house/compose.ts";
import { houseContract } from "../src/house/contract.ts";
import type { AnyRoute } from "../src/platform/http/route.ts";
import type { ServiceDefinition } from "../src/platform/service.ts";
import { ADMIN, type TestHouse, testHouse } from "./support/house.ts";

let house: TestHouse;
let user: string;
let routes: AnyRoute[];
beforeAll(async () => {
  house = await testHouse();
  await house.request("/api/v1/users", {
    body: { email: "user@test.example", name: "User", password: "a long enough password" },
  });
  user = await house.signIn("user@test.example", "a long enough password");
  const definitions = await Promise.all(
    Object.values(SERVICES).map(async (load) => (await load()).default as unknown as ServiceDefinition),
  ); // each is made by defineService
  routes = [...definitions.flatMap(({ contract }) => Object.values(contract)), ...Object.values(houseContract)];
});
afterAll(() => house[Symbol.asyncDispose]());

const ways = (route: AnyRoute) => (typeof route.access === "string" ? [route.access] : [...route.access]);
const ask = (route: AnyRoute, token: string | null, headers: Record<string, string> = {}) =>
  house.request(route.path.replace(/:\w+/g, "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0"), {
    method: route.method.toUpperCase(),
    token,
    headers,
    ...(route.body && { body: {} }),
  });

test("every route that is not public refuses a stranger, and one behind a proxy refuses him too where services are let in", async () => {
  const proxied = { "x-forwarded-for": "203.0.113.9" };
  for (const route of routes) {
    const { status } = await ask(route, null, proxied);
    if (ways(route).includes("public")) expect([route.path, status]).not.toEqual([route.path, 401]);
    else expect([route.method, route.path, status]).toEqual([route.method, route.path, 401]);
  }
});

test("after a proxy was seen, the routes between services stay shut on PORT and open on INTERNAL_PORT", async () => {
  expect((await house.request("/api/v1/services-config/models-providers", { token: null })).status).toBe(401);
  expect((await fetch(`${house.internalUrl}/api/v1/services-config/models-providers`)).status).toBe(200);
  expect(
    (await fetch(`${house.internalUrl}/api/v1/services-config/models-providers`, { headers: { origin: "http://evil.example" } }))
      .status,
  ).toBe(401);
});

test("every route for administrators alone refuses a user with 403", async () => {
  for (const route of routes.filter((one) => ways(one).includes("admin"))) {
    expect([route.method, route.path, (await ask(route, user)).status]).toEqual([route.method, route.path, 403]);
  }
});

test("forged and foreign credentials are refused on every route that takes tokens", async () => {
  const [header = "", payload = "", signature = ""] = house.token.split(".");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object; // a token of ours
  const forged = [
    `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`,
    `${encode({ alg: "HS256", typ: "at+jwt" })}.${payload}.${signature}`,
    `${header}.${encode({ ...claims, roles: ["admin"], sub: "x" })}.${signature}`,
    `${header}.${payload}.`,
    "pk_unknown",
    "null",
  ];
  for (const route of routes.filter((one) => ways(one).includes("jwt"))) {
    for (const token of forged) expect([route.path, (await ask(route, token)).status]).toEqual([route.path, 401]);
  }
});

test("an API key works where keys are taken and nowhere else, and not after it was revoked", async () => {
  const made = (await (await house.request("/api/v1/auth/api-keys", { body: { name: "test" } })).json()) as {
    id: string;
    key: string;
  };
  const withKey = (path: string, body?: object) =>
    house.request(path, { token: null, headers: { "x-api-key": made.key }, ...(body && { body }) });
  expect((await withKey("/api/v1/conversation", { content: "hello", stream: false })).status).toBe(200);
  expect((await withKey("/api/v1/conversation/chat-history")).status).toBe(401);
  expect((await house.request(`/api/v1/auth/api-keys/${made.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await withKey("/api/v1/conversation", { content: "hello", stream: false })).status).toBe(401);
});

test("sessions end at the next request: by sign-out, by disabling, by a used refresh token", async () => {
  const signIn = async () =>
    (await (
      await house.request("/api/v1/auth/login", {
        token: null,
        body: { email: "user@test.example", password: "a long enough password" },
      })
    ).json()) as { accessToken: string; refreshToken: string };
  const me = (token: string) => house.request("/api/v1/auth/me", { token }).then(({ status }) => status);
  const refresh = (refreshToken: string) => house.request("/api/v1/auth/refresh", { token: null, body: { refreshToken } });
  const first = await signIn();
  expect(await me(first.accessToken)).toBe(200);
  await house.request("/api/v1/auth/logout", { method: "POST", token: first.accessToken });
  expect(await me(first.accessToken)).toBe(401);

  const second = await signIn();
  const renewed = (await (await refresh(second.refreshToken)).json()) as { accessToken: string };
  expect(await me(renewed.accessToken)).toBe(200);
  expect((await refresh(second.refreshToken)).status).toBe(401);
  expect(await me(renewed.accessToken)).toBe(401);

  const third = await signIn();
  const { id } = (await (await house.request("/api/v1/auth/me", { token: third.accessToken })).json()) as { id: string };
  await house.request(`/api/v1/users/${id}`, { method: "PATCH", body: { disabled: true } });
  expect(await me(third.accessToken)).toBe(401);
  expect(
    (
      await house.request("/api/v1/auth/login", {
        token: null,
        body: { email: "user@test.example", password: "a long enough password" },
      })
    ).status,
  ).toBe(401);
});

test("guessing a password is slowed down for the account, and the last administrator stays", async () => {
  const guess = () =>
    house.request("/api/v1/auth/login", { token: null, body: { email: "nobody@test.example", password: "wrong" } });
  const statuses = [];
  for (let n = 0; n < 7; n += 1) statuses.push((await guess()).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect(Number((await guess()).headers.get("retry-after"))).toBeGreaterThan(0);
  const { id } = (await (await house.request("/api/v1/auth/me")).json()) as { id: string };
  expect((await house.request(`/api/v1/users/${id}`, { method: "DELETE" })).status).toBe(409);
  expect(await house.signIn(ADMIN.email, ADMIN.password)).toBeTruthy();
});

test("every answer carries the security headers and a request id, and wrong input is told by path", async () => {
  const response = await house.request("/api/v1/conversation", { body: { content: 7 }, headers: { "x-request-id": "abc-123" } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "validation_failed",
    requestId: "abc-123",
    details: [{ path: "body.content" }],
  });
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect(
    (await house.request("/api/v1/conversation", { method: "POST", headers: { "content-type": "text/plain" } })).status,
  ).toBe(415);
  expect((await house.request("/api/v1/nowhere")).status).toBe(404);
});
