import { afterAll, beforeAll, expect, test } from "vitest";
import { type Automations, automationsOf } from "./support/automations.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
let user: Automations;
let agent: string;

beforeAll(async () => {
  parlance = await startTestServer();
  const email = "user@test.example";
  const password = "a long enough password";
  await parlance.request("/api/v1/users", { body: { email, name: "User", password } });
  user = automationsOf(parlance, await parlance.signIn(email, password));
  agent = await user.agent("one");
});
afterAll(() => parlance[Symbol.asyncDispose]());

const kinds = [
  ["", "too_many_rules", () => ({ name: "Rule", type: "x", agents: [agent] })],
  ["/sources", "too_many_sources", () => ({ kind: "webhook", name: "Hook" })],
  [
    "/schedules",
    "too_many_schedules",
    () => ({ name: "Plan", cron: "0 9 * * *", input: "Go.", agents: [agent] }),
  ],
] as const;

test.each(kinds)(
  "a user has at most 100 of %s, also when asked for at once",
  async (path, code, body) => {
    const answers = await Promise.all(
      Array.from({ length: 105 }, () =>
        user.ask("POST", `/api/automations${path}`, body()),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map((answer) => answer.body.code)).toEqual(
      Array.from({ length: 5 }, () => code),
    );
  },
);
