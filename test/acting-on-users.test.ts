import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { held } from "./support/held.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/**
 * What administrators do to other users, by who they are: `weaker` may not read or start
 * conversations, `equal` and `stronger` may do everything.
 */
const SECRET = "secret-of-the-users-service";
const PASSWORD = "a long enough password";
let parlance: TestServer;
let serial = 0;
let groupId: string;
const tokens: Record<string, string> = {};

type Answer = { status: number; code: unknown; body: Record<string, unknown> };
async function ask(method: string, path: string, body?: object, token?: string) {
  const answer = await parlance.request(path, { method, body, ...(token && { token }) });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const parsed = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: answer.status, body: parsed, code: parsed["code"] } satisfies Answer;
}
async function someone(roles: string[], clientId = "default") {
  const email = `person${(serial += 1)}@test.example`;
  const user = { email, name: `Person ${serial}`, password: PASSWORD, roles, clientId };
  return { id: String((await ask("POST", "/api/v1/users", user)).body["id"]), email };
}
const enter = async (roles: string[], clientId?: string) =>
  parlance.signIn((await someone(roles, clientId)).email, PASSWORD);

beforeAll(async () => {
  parlance = await startTestServer({ USER_SERVICE_SECRET: SECRET });
  const permissions = [{ action: "manage", subject: "conversation", inverted: true }];
  await ask("POST", "/api/v1/roles", { name: "no-conversations", permissions });
  groupId = String((await ask("POST", "/api/v1/groups", { name: "A group" })).body["id"]);
  tokens["a weaker administrator"] = await enter(["admin", "no-conversations"]);
  tokens["an equal administrator"] = await enter(["admin"]);
  tokens["an administrator of another tenant"] = await enter(["admin"], "another");
  tokens["a member"] = await enter(["user"]);
});
afterAll(() => parlance[Symbol.asyncDispose]());

/** Everything that an administrator can do to a user, and whether it gets at the user's data. */
const ACTS: Record<
  string,
  { gets: boolean; run: (id: string, by: string) => Promise<Answer> }
> = {
  "exports the data": {
    gets: true,
    run: (id, by) => ask("GET", `/api/v1/users/${id}/export`, undefined, by),
  },
  "sets a password": {
    gets: true,
    run: (id, by) =>
      ask("PATCH", `/api/v1/users/${id}`, { password: "another long password" }, by),
  },
  "changes the email": {
    gets: true,
    run: (id, by) => ask("PATCH", `/api/v1/users/${id}`, { email: `${id}@x.example` }, by),
  },
  "deletes the user and takes the data": {
    gets: true,
    run: async (id, by) => {
      const self = decodeJwt(by).sub;
      return ask("DELETE", `/api/v1/users/${id}?transferTo=${self}`, undefined, by);
    },
  },
  "deletes the user and the data": {
    gets: false,
    run: (id, by) => ask("DELETE", `/api/v1/users/${id}`, undefined, by),
  },
  "ends the sessions": {
    gets: false,
    run: (id, by) => ask("DELETE", `/api/v1/users/${id}/sessions`, undefined, by),
  },
  "renames the user": {
    gets: false,
    run: (id, by) => ask("PATCH", `/api/v1/users/${id}`, { name: "Renamed" }, by),
  },
  "disables the account": {
    gets: false,
    run: (id, by) => ask("PATCH", `/api/v1/users/${id}`, { disabled: true }, by),
  },
  "changes the roles": {
    gets: false,
    run: (id, by) =>
      ask("PATCH", `/api/v1/users/${id}`, { roles: ["user", "no-conversations"] }, by),
  },
  "adds the user to a group": {
    gets: false,
    run: (id, by) => ask("PUT", `/api/v1/groups/${groupId}/members/${id}`, undefined, by),
  },
  "takes the user from a group": {
    gets: false,
    run: async (id, by) => {
      await ask("PUT", `/api/v1/groups/${groupId}/members/${id}`);
      return ask("DELETE", `/api/v1/groups/${groupId}/members/${id}`, undefined, by);
    },
  },
};
const TARGETS = {
  "a stronger administrator": ["admin"],
  "an equal administrator": ["admin", "no-conversations"],
  "a member who may read conversations": ["user"],
  "a member who may not": ["user", "no-conversations"],
};

describe.each(Object.entries(ACTS))("%s", (_, { gets, run }) => {
  test.each(Object.entries(TARGETS))("of %s", async (target, roles) => {
    const answerTo = async (who: string) => {
      const { status, code } = await run((await someone(roles)).id, tokens[who] ?? "");
      held("acting-on-users", 1);
      return status < 300 ? "done" : code;
    };
    const isStronger = target === "a stronger administrator";
    expect(await answerTo("a weaker administrator")).toBe(
      isStronger ? "user_too_strong" : gets ? "beyond_own_roles" : "done",
    );
    expect(await answerTo("an equal administrator")).toBe("done");
    expect(await answerTo("a member")).toBe("admin_required");
    expect(["user_not_found", "group_not_found"]).toContain(
      await answerTo("an administrator of another tenant"),
    );
  });
});

test("so it is with users of another issuer", async () => {
  const by = tokens["a weaker administrator"] ?? "";
  const body = { userId: "external-1", clientId: "default", email: "", name: "External" };
  const headers = { "x-platform-user-service-secret": SECRET };
  await parlance.request("/api/v1/users/seen", { body, token: null, headers });
  const path = "/api/v1/users/external/external-1";
  const transfer = `${path}?transferTo=${decodeJwt(by).sub}`;
  expect((await ask("DELETE", transfer, undefined, by)).code).toBe("beyond_own_roles");
  expect((await ask("DELETE", path, undefined, by)).status).toBe(204);
});

test("a person sees who did what to the account, until they have read it", async () => {
  const { id, email } = await someone(["user"]);
  const told = async (token: string) =>
    (await ask("GET", "/api/v1/auth/me/notices", undefined, token)).body["items"];
  expect(await told(await parlance.signIn(email, PASSWORD))).toEqual([]);
  await ask("GET", `/api/v1/users/${id}/export`);
  const password = "another long password";
  await ask("PATCH", `/api/v1/users/${id}`, { password });
  const token = await parlance.signIn(email, password);
  const notices = (isRead: boolean) => [
    expect.objectContaining({ action: "user.changed", fields: ["password"], isRead }),
    expect.objectContaining({
      action: "user.exported",
      actorName: expect.any(String),
      isRead,
    }),
  ];
  expect(await told(token)).toEqual(notices(false));
  await ask("POST", "/api/v1/auth/me/notices/read", undefined, token);
  expect(await told(token)).toEqual(notices(true));
});
