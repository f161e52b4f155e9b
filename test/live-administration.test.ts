import { afterAll, beforeAll, expect, test } from "vitest";
import { type Changes, parseStream } from "./support/read-changes.ts";
import { BROWSER, cookieOf } from "./support/session-cookie.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

const PASSWORD = "a long enough password";

let parlance: TestServer;
let colleague: string;
let member: string;
beforeAll(async () => {
  parlance = await startTestServer();
  colleague = await signedUp("colleague", ["admin"]);
  member = await signedUp("member", ["user"]);
});
afterAll(() => parlance[Symbol.asyncDispose]());

/** Creates a user. @returns the cookie of their session. */
async function signedUp(name: string, roles: string[]): Promise<string> {
  const email = `${name}@test.example`;
  await change("POST", "/users", { email, password: PASSWORD, name, roles });
  return cookieOf(parlance, { email, password: PASSWORD });
}

/** Changes something as the administrator, and expects success. */
async function change<Answer>(method: string, path: string, body?: unknown) {
  const answer = await parlance.request(`/api/v1${path}`, { method, body });
  expect([path, answer.status, answer.ok]).toEqual([path, answer.status, true]);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer;
}

async function follow(cookie: string): Promise<Changes> {
  const options = { token: null, headers: { ...BROWSER, cookie } };
  const changes = parseStream(await parlance.request("/api/v1/events", options));
  expect((await changes.next()).event).toBe("ready");
  return changes;
}

test("an administrator receives events of what another one changes, kind by kind", async () => {
  await using changes = await follow(colleague);
  const user = await change<{ id: string }>("POST", "/users", {
    email: "new@test.example",
    password: PASSWORD,
    name: "New",
  });
  await changes.until("user", null);
  await change("PATCH", `/users/${user.id}`, { name: "Newer" });
  await changes.until("user", user.id);
  const group = await change<{ id: string }>("POST", "/groups", { name: "Staff" });
  await changes.until("group", null);
  await change("PUT", `/groups/${group.id}/members/${user.id}`);
  await changes.until("group", group.id);
  await change("POST", "/roles", { name: "helper", description: "", permissions: [] });
  await changes.until("role", null);
  await change("PATCH", "/roles/helper", { description: "Helps" });
  await changes.until("role", "helper");
  const budget = await change<{ id: string }>("POST", "/budgets", {
    name: "All",
    subjectType: "user",
    subjectId: "*",
    unit: "tokens",
    amount: 1_000,
    period: "month",
  });
  await changes.until("budget", null);
  await change("DELETE", `/budgets/${budget.id}`);
  await changes.until("budget", budget.id);
  const server = { name: "tools", url: "http://127.0.0.1:1/mcp" };
  await change("POST", "/mcp-servers", server);
  await changes.until("tool-server", null);
  await change("PUT", "/mcp-servers/tools", server);
  await changes.until("tool-server", "tools");
  await change("PATCH", "/app/branding", { name: "Ours" });
  await changes.until("app", null);
});

test("others receive events of models, which they may read, and of nothing else", async () => {
  await using changes = await follow(member);
  await change("POST", "/users", {
    email: "other@test.example",
    password: PASSWORD,
    name: "Other",
  });
  await change("POST", "/groups", { name: "Others" });
  await change("POST", "/mcp-servers", { name: "more", url: "http://127.0.0.1:1/mcp" });
  await change("POST", "/model-providers", {
    kind: "openai-compatible",
    name: "own",
    displayName: "Own",
    config: { baseUrl: "http://127.0.0.1:1/v1" },
  });
  expect((await changes.next()).event).toBe("provider");
});

test("a role through a group counts from when it is given until it is taken", async () => {
  await using changes = await follow(member);
  const group = await change<{ id: string }>("POST", "/groups", {
    name: "Deputies",
    roles: ["admin"],
  });
  const { items } = await change<{ items: { id: string }[] }>(
    "GET",
    "/users?query=member@test.example",
  );
  const membership = `/groups/${group.id}/members/${items[0]?.id}`;
  await change("PUT", membership);
  const until = async (expected: boolean) => {
    for (;;) {
      await change("POST", "/roles", {
        name: `role-${crypto.randomUUID()}`,
        description: "",
        permissions: [],
      });
      await change("PATCH", "/app/branding", { name: "Ours" });
      let wasHeard = false;
      for (let event = ""; event !== "app";) {
        ({ event } = await changes.next());
        wasHeard ||= event === "role";
      }
      if (wasHeard === expected) return;
    }
  };
  await until(true);
  await change("DELETE", membership);
  await until(false);
}, 90_000);
