import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startServer, type RunningServer } from "../src/server/compose.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

/** Revocations persist: after a restart, without a cache, and in separate services. */

const PASSWORD = "a long enough password";
/** Shared by the processes. */
const SECRETS = {
  ...Object.fromEntries(
    ["USER", "MCP", "COMPLETION"].map((name) => [`${name}_SERVICE_SECRET`, "s".repeat(32)]),
  ),
  SERVICE_SECRET: "s".repeat(32),
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};
let parlance: TestServer;
let apart: RunningServer;
let serial = 0;

beforeAll(async () => {
  parlance = await startTestServer(SECRETS);
  apart = await startServer({
    services: ["documents"],
    log: silentLog(),
    env: {
      ...SECRETS,
      PORT: "0",
      DATA_DIR: `${parlance.dataDir}/apart`,
      USER_SERVICE_URL: parlance.url,
      OUTGOING_ALLOW: "127.0.0.0/8",
    },
  });
});
afterAll(async () => {
  await apart?.[Symbol.asyncDispose]();
  await parlance?.[Symbol.asyncDispose]();
});

const aUser = async (roles = ["user"]) => {
  serial += 1;
  const user = {
    email: `revoked${serial}@test.example`,
    name: "R",
    password: PASSWORD,
    roles,
  };
  const { id } = (await (
    await parlance.request("/api/v1/users", { body: user })
  ).json()) as {
    id: string;
  };
  return { id, ...user, token: await parlance.signIn(user.email, PASSWORD) };
};
type Somebody = Awaited<ReturnType<typeof aUser>>;
const here = async (token: string) =>
  (await parlance.request("/api/v1/auth/me", { token })).status;
const there = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${apart.url}/api/v1/documents`, { headers })).status;
};
const change = async ({ id }: Somebody, body: object) =>
  expect(
    (await parlance.request(`/api/v1/users/${id}`, { method: "PATCH", body })).status,
  ).toBe(200);

const WAYS: Record<string, (user: Somebody) => Promise<unknown>> = {
  "signing out": ({ token }) =>
    parlance.request("/api/v1/auth/logout", { method: "POST", token }),
  "being disabled": (user) => change(user, { disabled: true }),
  "being deleted": ({ id }) =>
    parlance.request(`/api/v1/users/${id}`, { method: "DELETE" }),
  "losing the role of an administrator": (user) => change(user, { roles: ["user"] }),
  "a new password": ({ token }) =>
    parlance.request("/api/v1/auth/password", {
      token,
      body: { currentPassword: PASSWORD, newPassword: "another long password" },
    }),
};

// before a restart, which changes the address that the process apart asks
test("a deleted API key, and roles that a user lost, count at the next request of a key that was just used", async () => {
  const user = await aUser(["admin", "user"]);
  const make = async () => {
    const body = { name: "k", scopes: ["user:administer", "document:*"] };
    const answer = await parlance.request("/api/v1/auth/api-keys", {
      token: await parlance.signIn(user.email, PASSWORD),
      body,
    });
    return (await answer.json()) as { id: string; key: string };
  };
  const statusOf = async ({ key }: { key: string }, path: string) =>
    (await parlance.request(path, { token: null, headers: { "x-api-key": key } })).status;
  const statusApart = async ({ key }: { key: string }) =>
    (await fetch(`${apart.url}/api/v1/documents`, { headers: { "x-api-key": key } }))
      .status;
  const deleted = await make();
  const kept = await make();
  expect(await statusOf(kept, "/api/v1/users")).toBe(200);
  await change(user, { roles: ["user"] });
  expect(await statusOf(kept, "/api/v1/users")).toBe(403);

  expect(await statusOf(deleted, "/api/v1/documents")).toBe(200);
  await vi.waitFor(async () => expect(await statusApart(deleted)).toBe(200), 90_000);
  const path = `/api/v1/auth/api-keys/${deleted.id}`;
  const token = await parlance.signIn(user.email, PASSWORD);
  expect((await parlance.request(path, { method: "DELETE", token })).status).toBe(204);
  expect(await statusOf(deleted, "/api/v1/documents")).toBe(401);
  await vi.waitFor(async () => expect(await statusApart(deleted)).toBe(401), 90_000);
  expect(await statusOf(kept, "/api/v1/documents")).toBe(200);
  held("revocation", 2);
});

test("a revoked token is refused at once, within a second by separate services, and after a restart", async () => {
  const users = await Promise.all(Object.keys(WAYS).map(() => aUser(["admin", "user"])));
  const bystander = await aUser();
  for (const { token } of users)
    expect([await here(token), await there(token)]).toEqual([200, 200]);
  for (const [index, revoke] of Object.values(WAYS).entries()) {
    const user = users[index];
    if (!user) throw new Error("there is a user for each way");
    await revoke(user);
    expect(await here(user.token), Object.keys(WAYS)[index]).toBe(401);
  }
  await vi.waitFor(async () => {
    for (const { token } of users) expect(await there(token)).toBe(401);
  }, 90_000);
  expect(await there(bystander.token)).toBe(200);

  await parlance.restart();
  for (const [index, { token }] of users.entries())
    expect(await here(token), Object.keys(WAYS)[index]).toBe(401);
  expect(await here(bystander.token)).toBe(200);
  held("revocation", users.length);
});

test("a user who is enabled again may sign in, and ended sessions stay ended", async () => {
  const user = await aUser();
  await change(user, { disabled: true });
  await change(user, { disabled: false });
  expect(await here(user.token)).toBe(401);
  expect(await here(await parlance.signIn(user.email, PASSWORD))).toBe(200);
});

test("API keys of disabled and deleted users are refused, before and after a restart", async () => {
  const users = await Promise.all([aUser(), aUser()]);
  const keys = await Promise.all(
    users.map(async ({ token }) => {
      const answer = await parlance.request("/api/v1/auth/api-keys", {
        token,
        body: { name: "k" },
      });
      return ((await answer.json()) as { key: string }).key;
    }),
  );
  const statuses = () =>
    Promise.all(
      keys.map(async (key) => {
        const headers = { "x-api-key": key };
        return (await parlance.request("/v1/models", { token: null, headers })).status;
      }),
    );
  expect(await statuses()).toEqual([200, 200]);
  const [first, second] = users;
  if (!first || !second) throw new Error("there are two users");
  await change(first, { disabled: true });
  await parlance.request(`/api/v1/users/${second.id}`, { method: "DELETE" });
  expect(await statuses()).toEqual([401, 401]);
  await parlance.restart();
  expect(await statuses()).toEqual([401, 401]);
  held("revocation", keys.length);
});

test("a sign-in that began before its user's sessions were ended starts none", async () => {
  const user = await aUser(["admin", "user"]);
  // in some of these the password is still being verified when the role is revoked
  const signIns = Array.from({ length: 3 }, () =>
    parlance.signIn(user.email, PASSWORD).catch(() => null),
  );
  await change(user, { roles: ["user"] });
  for (const token of await Promise.all(signIns)) {
    if (token === null) continue;
    const answer = await parlance.request("/api/v1/users", { token });
    expect([401, 403]).toContain(answer.status);
  }
});
