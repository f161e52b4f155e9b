import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { off, switchable } from "../access/switches.ts";
import { newPerson } from "../support/ask.ts";
import { type Automations, automationsOf } from "../support/automations.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/**
 * One user's rules and another user's media: with the scope of rules, and with it switched off.
 */
const scope = vi.hoisted(() => ({ isOff: false, usesAnyAgent: false }));
vi.mock("../../src/services/automations/rule-access.ts", async (original) => {
  type Module = typeof import("../../src/services/automations/rule-access.ts");
  const actual = await original<Module>();
  const visibleTo: Module["visibleTo"] = (user) =>
    scope.isOff ? sql`true` : actual.visibleTo(user);
  const refuseChange: Module["refuseChange"] = (...given) =>
    scope.isOff ? undefined : actual.refuseChange(...given);
  return { ...actual, visibleTo, refuseChange };
});
vi.mock("../../src/services/automations/check-agents.ts", async (original) => {
  type Module = typeof import("../../src/services/automations/check-agents.ts");
  const actual = await original<Module>();
  const usableAgents: Module["usableAgents"] = async (core, user, ids, options) =>
    scope.usesAnyAgent ? new Set(ids) : actual.usableAgents(core, user, ids, options);
  return { ...actual, usableAgents };
});
vi.mock("../../src/platform/db/open-database.ts", async (original) => {
  const actual = await original<typeof import("../../src/platform/db/open-database.ts")>();
  const openDatabase = async (...given: Parameters<typeof actual.openDatabase>) =>
    switchable(await actual.openDatabase(...given));
  return { ...actual, openDatabase };
});
beforeEach(() => {
  scope.isOff = false;
  scope.usesAnyAgent = false;
  off.filters = false;
});

let provider: ScriptedProvider;
let parlance: TestServer;
let admin: Automations;
let bob: Automations;
let eve: Automations;
beforeAll(async () => {
  provider = await startScriptedProvider();
  provider.answer(() => ({ text: ["done"] }));
  parlance = await startTestServer({
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
    AUTOMATION_RETRY_WAIT: "50",
  });
  admin = automationsOf(parlance, parlance.token);
  bob = automationsOf(parlance, (await newPerson(parlance, "bob")).token);
  eve = automationsOf(parlance, (await newPerson(parlance, "eve")).token);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

describe("a user's rule", () => {
  let rule: number;
  beforeEach(async () => {
    rule = await bob.rule({ type: "own", agents: [await bob.agent("one")] });
  });
  const change = () => eve.ask("PATCH", `/api/automations/${rule}`, { name: "Eve's" });
  const remove = () => eve.ask("DELETE", `/api/automations/${rule}`);

  test("is not changed or deleted by another", async () => {
    expect([(await change()).status, (await remove()).status]).toEqual([404, 404]);
  });

  test("off: without the scope another changes and deletes it", async () => {
    scope.isOff = true;
    expect([(await change()).status, (await remove()).status]).toEqual([200, 200]);
  });
});

describe("a rule for all media", () => {
  const body = async () => ({
    name: "For all",
    type: "for-all",
    scope: "client",
    agents: [await eve.agent("spy")],
  });
  const make = async () => (await eve.ask("POST", "/api/automations", await body())).status;

  test("is not created by a user", async () => {
    expect(await make()).toBe(403);
  });

  test("off: without the scope a user creates it", async () => {
    scope.isOff = true;
    expect(await make()).toBe(201);
  });
});

describe("another user's media", () => {
  const matchOf = async (type: string) =>
    (await bob.send("words", "a.txt", { type })).body.ruleId;

  test("are not matched by a user's rule", async () => {
    await eve.rule({ type: "spied", agents: [await eve.agent("spy")] });
    expect(await matchOf("spied")).toBeNull();
  });

  test("off: without the filter by owner they are", async () => {
    const rule = await eve.rule({ type: "spied-on", agents: [await eve.agent("spy")] });
    off.filters = true;
    expect(await matchOf("spied-on")).toBe(rule);
  });
});

describe("an agent that the uploader may use and the rule's creator may not", () => {
  /** @returns what becomes of the agent in a run of the uploader's medium. */
  async function runOf(type: string): Promise<string | undefined> {
    const agent = await bob.agent("lent");
    const me = await admin.get<{ id: string }>("/api/v1/auth/me");
    const shares = [{ subjectType: "user", subjectId: me.id, accessRole: "viewer" }];
    const shared = { resourceType: "agent", resourceId: agent, shares };
    const made = await bob.ask("POST", "/api/v1/sharing/share", shared);
    await admin.rule({ type, agents: [agent] });
    const [share] = made.body["shares"] as { id: string }[];
    await bob.ask("DELETE", `/api/v1/sharing/shares/${share?.id}`);
    const { body } = await bob.send("words", "a.txt", { type });
    const { agents } = await bob.ended(body.runId, 90_000);
    return agents[0]?.error?.code ?? agents[0]?.status;
  }

  test("does not run", async () => {
    expect(await runOf("lent")).toBe("agent_not_usable");
  });

  test("off: without the check of the creator it runs", async () => {
    scope.usesAnyAgent = true;
    expect(await runOf("lent-out")).toBe("completed");
  });
});
