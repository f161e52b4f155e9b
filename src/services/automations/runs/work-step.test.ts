import { afterAll, beforeAll, expect, test } from "vitest";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { AgentRun } from "../../core/contract-agent-replies.ts";
import { toSteps } from "./plan-steps.ts";
import { renewSteps, saveEnd, takeSteps, advanceRun, type HeldStep } from "./step-store.ts";
import { insertRun, readRun } from "./store.ts";
import { workStep } from "./work-step.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "automations",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(() => db[Symbol.asyncDispose]());

/** Creates a run with one due agent that a worker has claimed. */
async function createHeldStep(
  agent: object = {},
): Promise<{ runId: string; step: HeldStep }> {
  const runId = uuidv7();
  await db.tx(async () => {
    const run = {
      id: runId,
      clientId: "c",
      userId: "u",
      ruleId: 1,
      makerId: null,
      name: "Rule",
      type: "text/plain",
      origin: "upload",
      madeBy: [],
      status: "running" as const,
      medium: null,
      storageKey: null,
      conversationId: uuidv7(),
      transcript: "words",
    };
    await insertRun(db, run, toSteps([{ id: uuidv7(), ...agent }]));
    await advanceRun(db, runId);
  });
  return { runId, step: await claimStep() };
}
async function claimStep(): Promise<HeldStep> {
  await db.query(sql`update automations.steps set due_at = now() where due_at is not null`);
  const [step] = await takeSteps(db, { free: 1, maxPerUser: 1, held: new Map() });
  if (!step) throw new Error("no step is due");
  return step;
}
const stateOf = async (runId: string) => (await readRun(db, "u", runId))?.agents[0];
const deps = (core: Fetch) => ({
  db,
  core,
  refuseInactive: async () => {},
  log: silentLog(),
  backoffMs: 1,
});
const neverAborted = new AbortController().signal;
const coreReplying =
  (reply: Partial<AgentRun>, requests: { key: string }[] = []): Fetch =>
  async (request) => {
    requests.push((await request.json()) as { key: string });
    const whole = {
      conversationId: uuidv7(),
      messageId: uuidv7(),
      waiting: false,
      content: "said",
      usage: null,
      error: null,
    };
    return Response.json({ status: "complete", ...whole, ...reply });
  };

test("an unreachable core counts as no attempt; the same attempt continues later", async () => {
  const { runId, step } = await createHeldStep();
  await workStep(
    deps(() => Promise.reject(new Error("ECONNREFUSED"))),
    step,
    neverAborted,
  );
  expect(await stateOf(runId)).toMatchObject({ status: "waiting", tries: 1, error: null });
  const requests: { key: string }[] = [];
  await workStep(deps(coreReplying({}, requests)), await claimStep(), neverAborted);
  expect(await stateOf(runId)).toMatchObject({
    status: "completed",
    tries: 1,
    output: "said",
  });
  expect(requests.map(({ key }) => key.split(":").at(-1))).toEqual(["1"]);
});

test("a reply that ended with its process gets a new key and counts as no failure", async () => {
  const { runId, step } = await createHeldStep();
  const requests: { key: string }[] = [];
  const broken = {
    status: "failed" as const,
    error: { code: "interrupted", error: "The server stopped." },
  };
  await workStep(deps(coreReplying(broken, requests)), step, neverAborted);
  await workStep(deps(coreReplying({}, requests)), await claimStep(), neverAborted);
  expect(await stateOf(runId)).toMatchObject({ status: "completed", output: "said" });
  expect(requests.map(({ key }) => key.split(":").at(-1))).toEqual(["1", "2"]);
});

test("permanent failures are not retried; others are, as often as the rule allows", async () => {
  const refusal: Fetch = () =>
    Promise.resolve(
      Response.json({ error: "No.", code: "agent_not_found" }, { status: 404 }),
    );
  const first = await createHeldStep({ retry_count: 5 });
  await workStep(deps(refusal), first.step, neverAborted);
  expect(await stateOf(first.runId)).toMatchObject({
    status: "failed",
    tries: 1,
    error: {
      code: "agent_not_found",
      message: expect.stringContaining("choose another agent in the rule") as string,
    },
  });
  const second = await createHeldStep({ retry_count: 1 });
  const failing = coreReplying({
    status: "failed",
    error: { code: "provider_cut", error: "It broke.", params: { seconds: 2 } },
  });
  await workStep(deps(failing), second.step, neverAborted);
  expect(await stateOf(second.runId)).toMatchObject({
    status: "waiting",
    error: { code: "provider_cut" },
  });
  await workStep(deps(failing), await claimStep(), neverAborted);
  expect(await stateOf(second.runId)).toMatchObject({
    status: "failed",
    tries: 2,
    error: { code: "provider_cut", params: { seconds: 2 } },
  });
});

test("a worker whose lease expired cannot write; the worker that took over can", async () => {
  const { runId, step } = await createHeldStep();
  const other = await claimStep();
  expect(other).toMatchObject({ runId, losses: 1, attempt: 1 });
  expect([...(await renewSteps(db, [step, other]))]).toEqual([1]);
  await saveEnd(db, step, { output: "late", usage: null });
  expect(await stateOf(runId)).toMatchObject({ status: "running", output: null });
  await saveEnd(db, other, { output: "in time", usage: null });
  expect(await stateOf(runId)).toMatchObject({ status: "completed", output: "in time" });
});

test("an agent whose process ends at every attempt fails in the end", async () => {
  const { runId, step } = await createHeldStep();
  let last = step;
  for (let times = 0; times < 11; times += 1) last = await claimStep();
  await workStep(deps(coreReplying({})), last, neverAborted);
  expect(await stateOf(runId)).toMatchObject({
    status: "failed",
    error: { code: "agent_lost" },
  });
});

test("core is not called for a user who was disabled", async () => {
  const { runId, step } = await createHeldStep({ retry_count: 3 });
  const requests: { key: string }[] = [];
  const refuseInactive = () => Promise.reject(new Forbidden("user_disabled", "Disabled."));
  await workStep(
    { ...deps(coreReplying({}, requests)), refuseInactive },
    step,
    neverAborted,
  );
  expect(await stateOf(runId)).toMatchObject({
    status: "failed",
    tries: 1,
    error: { code: "user_disabled" },
  });
  expect(requests).toEqual([]);
});
