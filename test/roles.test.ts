import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, type TestServer, startTestServer } from "./support/server.ts";

const SECRET = { "x-platform-user-service-secret": "user-service-secret-of-the-test" };
let parlance: TestServer;
let serial = 0;

beforeAll(async () => {
  parlance = await startTestServer({
    USER_SERVICE_SECRET: SECRET["x-platform-user-service-secret"],
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = async (path: string, method = "GET", body?: unknown, token?: string) => {
  const answer = await parlance.request(path, { method, body, ...(token && { token }) });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text ? JSON.parse(text) : {}) as Record<string, unknown> & {
      id: string;
      code: string;
    },
  };
};
const aUser = async (roles: string[]) => {
  serial += 1;
  const email = `person${serial}@test.example`;
  const { body } = await ask("/api/v1/users", "POST", {
    email,
    name: email,
    roles,
    password: "a long enough password",
  });
  return { id: body.id, token: await parlance.signIn(email, "a long enough password") };
};
const say = (token: string, model?: string) =>
  ask(
    "/api/v1/conversation",
    "POST",
    { content: "hello", stream: false, ...(model && { model }) },
    token,
  );

test("the role reader permits only reading; the role user permits both", async () => {
  const [reader, user] = [await aUser(["reader"]), await aUser(["user"])];
  const history = (token: string) =>
    ask("/api/v1/conversation/chat-history", "GET", undefined, token);
  expect([
    (await history(reader.token)).status,
    (await history(user.token)).status,
  ]).toEqual([200, 200]);
  expect((await say(reader.token)).body.code).toBe("permission_missing");
  expect((await say(user.token)).status).toBe(200);
});

test("a custom role permits by the fields of the request, and a change applies to the next request", async () => {
  const permissions = [
    { action: "read", subject: "all" },
    {
      action: "create",
      subject: "conversation",
      conditions: { model: { $in: ["offline/echo"] } },
    },
  ];
  const made = await ask("/api/v1/roles", "POST", {
    name: "intern",
    description: "one model",
    permissions,
  });
  expect(made.status).toBe(201);
  const intern = await aUser(["intern"]);
  expect((await say(intern.token)).status).toBe(403);
  expect((await say(intern.token, "openai/other")).status).toBe(403);
  expect((await say(intern.token, "offline/echo")).status).not.toBe(403);
  await ask("/api/v1/roles/intern", "PATCH", {
    permissions: [
      { action: "create", subject: "conversation" },
      { action: "use", subject: "model" },
    ],
  });
  expect((await say(intern.token)).status).toBe(200);
  await ask("/api/v1/roles/intern", "PATCH", {
    permissions: [
      { action: "manage", subject: "all" },
      { action: "create", subject: "conversation", inverted: true },
    ],
  });
  expect((await say(intern.token)).status).toBe(403);
  expect((await ask("/api/v1/roles/intern", "DELETE")).body.code).toBe("role_in_use");
  await ask(`/api/v1/users/${intern.id}`, "PATCH", { roles: ["user"] });
  expect((await ask("/api/v1/roles/intern", "DELETE")).status).toBe(204);
});

test("another role does not override a prohibition", async () => {
  await ask("/api/v1/roles", "POST", {
    name: "quiet",
    permissions: [{ action: "create", subject: "conversation", inverted: true }],
  });
  for (const roles of [
    ["quiet", "user"],
    ["user", "quiet"],
  ])
    expect((await say((await aUser(roles)).token)).status).toBe(403);
});

test("built-in roles cannot be deleted, and unknown roles and costly conditions are refused", async () => {
  expect((await ask("/api/v1/roles/user", "DELETE")).body.code).toBe("role_built_in");
  expect((await ask("/api/v1/roles/admin", "PATCH", { permissions: [] })).body.code).toBe(
    "role_built_in",
  );
  expect((await ask("/api/v1/roles", "POST", { name: "user" })).body.code).toBe(
    "role_exists",
  );
  expect(
    (
      await ask("/api/v1/users", "POST", {
        email: "x@test.example",
        name: "x",
        roles: ["none"],
      })
    ).body.code,
  ).toBe("role_unknown");
  const withConditions = (conditions: unknown) =>
    ask("/api/v1/roles", "POST", {
      name: "odd",
      permissions: [{ action: "read", subject: "all", conditions }],
    });
  expect((await withConditions({ model: { $regex: "(a+)+$" } })).status).toBe(400);
  expect((await withConditions({ $where: "1" })).status).toBe(400);
  expect(
    (await ask("/api/v1/role-permissions/roles", "POST", { roles: ["\0"] })).status,
  ).toBe(400);
  expect((await withConditions(JSON.parse('{"__proto__": {"$eq": 1}}'))).status).toBe(400);
});

test("users see only their own roles and permissions; services see everyone's", async () => {
  const [anne, beth] = [await aUser(["user", "reader"]), await aUser(["user"])];
  const rolesOf = (id: string, token: string) =>
    ask(`/api/v1/user-role/user/${id}`, "GET", undefined, token);
  expect((await rolesOf(anne.id, anne.token)).body["roles"]).toEqual(["user", "reader"]);
  expect((await rolesOf(anne.id, beth.token)).status).toBe(404);
  expect((await rolesOf(anne.id, parlance.token)).status).toBe(200);
  expect(
    (await ask("/api/v1/role-permissions/roles", "POST", { roles: ["admin"] }, beth.token))
      .status,
  ).toBe(403);
  const answer = await parlance.request("/api/v1/role-permissions/roles", {
    token: null,
    headers: SECRET,
    body: { roles: ["reader", "none"] },
  });
  expect(await answer.json()).toEqual({
    roles: [
      {
        name: "reader",
        permissions: [
          { action: "read", subject: "all" },
          { action: "export", subject: "all" },
          { action: "update", subject: "account" },
        ],
      },
    ],
  });
});

test("the audit log lists administrators' actions at every service, with filters and an export", async () => {
  const { id } = await aUser(["user"]);
  await ask(`/api/v1/users/${id}`, "PATCH", { name: '=cmd|"!A1' });
  const of = async (query: string) =>
    (await ask(`/api/v1/audit?${query}`)).body["items"] as {
      action: string;
      actorId: string;
      details: object;
    }[];
  const admin = ((await ask("/api/v1/auth/me")).body as { id: string }).id;
  expect(
    (await of(`resourceType=user&resourceId=${id}`)).map(({ action, actorId }) => [
      action,
      actorId,
    ]),
  ).toEqual([
    ["user.changed", admin],
    ["user.created", admin],
  ]);
  expect((await of("action=role.")).length).toBeGreaterThan(0);
  expect(await of("action=role.none")).toEqual([]);
  expect(await of(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  const csv = await parlance.request(`/api/v1/audit/export?resourceId=${id}`);
  expect(csv.headers.get("content-disposition")).toContain("audit.csv");
  expect((await csv.text()).trimEnd().split("\r\n")).toHaveLength(3);
  const lines = (
    await (
      await parlance.request(`/api/v1/audit/export?format=json&resourceId=${id}`)
    ).text()
  )
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
    "user.changed",
    "user.created",
  ]);
  const everything = await (
    await parlance.request("/api/v1/audit/export?format=json")
  ).text();
  expect(everything).not.toContain("a long enough password");
  expect(everything).not.toContain(ADMIN.password);
});
