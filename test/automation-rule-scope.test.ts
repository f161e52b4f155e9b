import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Automations, automationsOf } from "./support/automations.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { settingsOf } from "./support/scripted-server.ts";

const PASSWORD = "a long enough password";
let parlance: TestServer;
let provider: ScriptedProvider;
let admin: Automations;
let bob: Automations & { id: string };
let eve: Automations & { id: string };

beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer({
    ...settingsOf(provider),
    AUTOMATION_RETRY_WAIT: "50",
  });
  const enter = async (name: string) => {
    const email = `${name}@test.example`;
    const made = await parlance.request("/api/v1/users", {
      body: { email, name, password: PASSWORD },
    });
    const { id } = (await made.json()) as { id: string };
    return { id, ...automationsOf(parlance, await parlance.signIn(email, PASSWORD)) };
  };
  admin = automationsOf(parlance, parlance.token);
  [bob, eve] = [await enter("bob"), await enter("eve")];
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.answer(() => ({ text: ["done"] })));

const path = (rule: number, more = "") => `/api/automations/${rule}${more}`;
const share = async (agent: string, owner: Automations, userId: string) => {
  const shares = [{ subjectType: "user", subjectId: userId, accessRole: "viewer" }];
  const body = { resourceType: "agent", resourceId: agent, shares };
  const made = await owner.ask("POST", "/api/v1/sharing/share", body);
  expect(made.status).toBe(201);
  return (made.body["shares"] as { id: string }[])[0]?.id;
};

test("a user's rule matches only that user's media, and nobody else sees, changes or deletes it", async () => {
  const agent = await eve.agent("spy");
  await share(agent, eve, bob.id);
  const rule = await eve.rule({ name: "Hidden", type: "spied", agents: [agent] });
  expect((await eve.send("words", "a.txt", { type: "spied" })).body.ruleId).toBe(rule);
  expect((await bob.send("words", "a.txt", { type: "spied" })).body.ruleId).toBeNull();
  const lists = ["", "/search?type=spied", "/match"];
  for (const list of lists) {
    const answer = await (list === "/match"
      ? bob.ask("POST", `/api/automations${list}`, { type: "spied" })
      : bob.ask("GET", `/api/automations${list}`));
    expect([list, JSON.stringify(answer.body)]).not.toEqual([
      list,
      expect.stringContaining("Hidden"),
    ]);
  }
  const tried = [
    ["GET", ""],
    ["GET", "/runs"],
    ["PATCH", ""],
    ["DELETE", ""],
  ] as const;
  for (const [method, more] of tried) {
    const body = method === "PATCH" ? { agents: [agent] } : undefined;
    const answer = await bob.ask(method, path(rule, more), body);
    expect([method, more, answer.status]).toEqual([method, more, 404]);
  }
  const all = await admin.get<{ name: string }[]>("/api/automations?limit=100");
  expect(all).toContainEqual(
    expect.objectContaining({ id: rule, scope: "personal", user_id: eve.id }),
  );
});

test("only administrators create and change rules of the client; everyone sees them, and changes are audited", async () => {
  const agent = await eve.agent("plain");
  const body = { name: "Ours", type: "ours", agents: [agent], scope: "client" };
  expect((await eve.ask("POST", "/api/automations", body)).body.code).toBe(
    "client_rule_protected",
  );
  const own = await eve.rule({ type: "mine", agents: [agent] });
  const raised = await eve.ask("PATCH", path(own), { scope: "client" });
  expect(raised.body.code).toBe("client_rule_protected");

  const rule = await admin.rule({ type: "ours", agents: [await admin.agent("official")] });
  expect((await eve.ask("GET", path(rule))).body).toMatchObject({ scope: "client" });
  for (const [method, change] of [["PATCH", { is_active: false }], ["DELETE"]] as const)
    expect((await eve.ask(method, path(rule), change)).status).toBe(403);
  expect((await eve.ask("GET", path(rule, "/runs"))).status).toBe(403);
  expect((await admin.ask("PATCH", path(rule), { origin: "uploads/**" })).status).toBe(200);
  expect((await admin.ask("DELETE", path(rule))).status).toBe(200);
  const audit = await admin.get<{ items: { action: string }[] }>(
    `/api/v1/audit?resourceType=automation&resourceId=${rule}`,
  );
  expect(audit.items.map(({ action }) => action)).toEqual([
    "automation.rule_deleted",
    "automation.rule_changed",
    "automation.rule_created",
  ]);
});

test("a user with automation:administer by a role creates rules of the client, too", async () => {
  const permissions = [{ action: "administer", subject: "automation" }];
  const role = await admin.ask("POST", "/api/v1/roles", { name: "automator", permissions });
  expect(role.status).toBe(201);
  const email = "automator@test.example";
  const roles = ["user", "automator"];
  const person = { email, name: "Automator", password: PASSWORD, roles };
  expect((await admin.ask("POST", "/api/v1/users", person)).status).toBe(201);
  const user = automationsOf(parlance, await parlance.signIn(email, PASSWORD));
  const rule = await user.rule({ type: "automated", agents: [await user.agent("theirs")] });
  expect((await eve.ask("GET", path(rule))).body).toMatchObject({ scope: "client" });
});

test("an administrator who changes a user's rule adds no agent that the user may not use", async () => {
  const rule = await bob.rule({ type: "changed", agents: [await bob.agent("own")] });
  const secret = await admin.agent("of the administrator");
  const refused = await admin.ask("PATCH", path(rule), { agents: [secret] });
  expect(refused.body.code).toBe("agents_invalid");
  expect((await admin.ask("PATCH", path(rule), { name: "Renamed" })).status).toBe(200);
  expect((await bob.ask("GET", path(rule))).body).toMatchObject({
    name: "Renamed",
    user_id: bob.id,
  });
  const audit = await admin.get<{ total: number }>(
    `/api/v1/audit?resourceType=automation&resourceId=${rule}`,
  );
  expect(audit.total).toBe(1);
});

test("a rule of the client runs an agent only while its creator and the uploader may use it, and the creator sees reasons but not content", async () => {
  const agent = await bob.agent("lent");
  const me = await admin.get<{ id: string }>("/api/v1/auth/me");
  const shareId = await share(agent, bob, me.id);
  const unshared = await admin.agent("unshared");
  const rule = await admin.rule({ type: "both", agents: [agent, unshared] });
  const whole = await bob.send("SECRETWORDS", "SECRETNAME.txt", { type: "both" });
  expect(await bob.ended(whole.body.runId)).toMatchObject({
    status: "failed",
    agents: [{ status: "completed" }, { error: { code: "agent_not_found" } }],
  });
  expect(
    (await bob.ask("DELETE", `/api/v1/sharing/shares/${shareId}`)).status,
  ).toBeLessThan(300);
  const later = await bob.send("SECRETWORDS", "SECRETNAME.txt", { type: "both" });
  expect((await bob.ended(later.body.runId)).agents[0]?.error?.code).toBe(
    "agent_not_usable",
  );
  const seen = await admin.ask("GET", path(rule, "/runs"));
  expect(seen.body).toMatchObject({
    total: 2,
    items: [
      {
        id: later.body.runId,
        status: "failed",
        agents: [
          { error: { code: "agent_not_usable" } },
          {
            error: {
              code: "agent_not_found",
              message: expect.stringContaining("Share it"),
            },
          },
        ],
      },
      { id: whole.body.runId, agents: [{ status: "completed" }, { status: "failed" }] },
    ],
  });
  expect(JSON.stringify(seen.body)).not.toMatch(/SECRET|done/);
  expect((await admin.ask("GET", `/api/automations/runs/${whole.body.runId}`)).status).toBe(
    404,
  );
});

test("a rule that no longer matches its user's media does not repeat a run", async () => {
  const rule = await admin.rule({ type: "narrowed", agents: [await admin.agent("first")] });
  const { body } = await bob.send("words", "a.txt", { type: "narrowed" });
  await bob.ended(body.runId);
  expect((await admin.ask("PATCH", path(rule), { scope: "personal" })).status).toBe(200);
  const again = await bob.ask("POST", `/api/automations/runs/${body.runId}/rerun`);
  expect(again.body.code).toBe("rule_not_yours");
  expect((await bob.ask("GET", path(rule))).status).toBe(404);
});

test("a deleted user's rules do nothing in the recipient's name until the recipient activates them", async () => {
  const email = "leaver@test.example";
  const made = await parlance.request("/api/v1/users", {
    body: { email, name: "Leaver", password: PASSWORD },
  });
  const { id } = (await made.json()) as { id: string };
  const leaver = automationsOf(parlance, await parlance.signIn(email, PASSWORD));
  const agent = await leaver.agent("left");
  const rule = await leaver.rule({ type: "left", agents: [agent] });
  const plan = { name: "Left", cron: "* * * * *", input: "Go.", agents: [agent] };
  const schedule = await leaver.ask("POST", "/api/automations/schedules", plan);
  const hook = { kind: "webhook", name: "Left" };
  const source = await leaver.ask("POST", "/api/automations/sources", hook);
  const deleted = await admin.ask("DELETE", `/api/v1/users/${id}?transferTo=${bob.id}`);
  expect(deleted.status).toBe(204);
  const of = async (kind: string, one: unknown) =>
    (await bob.ask("GET", `/api/automations/${kind}/${String(one)}`)).body;
  await vi.waitFor(
    async () =>
      expect([
        await of("schedules", schedule.body["id"]),
        await of("sources", source.body["id"]),
        (await bob.ask("GET", path(rule))).body,
      ]).toMatchObject([
        { isActive: false, nextAt: null },
        { isActive: false },
        { is_active: false, user_id: bob.id },
      ]),
    90_000,
  );
});

test("a rule that becomes personal counts among those of its creator, also at once with others", async () => {
  const agents = [await admin.agent("counted")];
  const make = (scope: string) => {
    const body = { name: "Rule", type: "counted", agents, scope };
    return admin.ask("POST", "/api/automations", body);
  };
  const answers = await Promise.all(Array.from({ length: 101 }, () => make("personal")));
  const made = answers.flatMap(({ body }) => (body["id"] as number | undefined) ?? []);
  expect(made.length).toBeLessThan(101);
  const [last = 0] = made;
  expect((await admin.ask("DELETE", path(last))).status).toBe(200);
  const ours = (await Promise.all([make("client"), make("client"), make("client")])).map(
    ({ body }) => body["id"] as number,
  );
  const changes = await Promise.all(
    ours.map((rule) => admin.ask("PATCH", path(rule), { scope: "personal" })),
  );
  expect(changes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const refused = changes.filter(({ status }) => status === 409);
  expect(refused.map(({ body }) => body.code)).toEqual([
    "too_many_rules",
    "too_many_rules",
  ]);
});
