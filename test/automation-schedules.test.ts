import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../src/platform/db/database.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { Forbidden, Unavailable } from "../src/platform/http/errors.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { testDatabase } from "../src/platform/testing/database.ts";
import type { RunSummary } from "../src/services/automations/contract-runs.ts";
import type { Schedule } from "../src/services/automations/contract-schedules.ts";
import { startDueRuns } from "../src/services/automations/schedules/start-runs.ts";
import { nextTick } from "../src/services/automations/schedules/next-tick.ts";
import {
  findSchedule,
  insertSchedule,
  updateSchedule,
} from "../src/services/automations/schedules/store.ts";
import { type Automations, automationsOf, inputOf } from "./support/automations.ts";
import { clientServer } from "./support/client-server.ts";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

test.each([
  ["0 9 * * *", "Europe/Berlin", "2026-11-21T08:30:00Z", "2026-11-22T08:00:00Z"],
  ["0 9 * * *", "Europe/Berlin", "2026-07-01T00:00:00Z", "2026-07-01T07:00:00Z"],
  ["*/15 * * * *", "UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:15:00Z"],
  ["0 0 29 2 *", "UTC", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00Z"],
  ["0 12 * * 1-5", "America/New_York", "2026-11-21T00:00:00Z", "2026-11-23T17:00:00Z"],
])("%s in %s comes after %s at %s", (cron, timeZone, from, next) => {
  expect(nextTick({ cron, timeZone }, new Date(from))?.toISOString()).toBe(
    new Date(next).toISOString(),
  );
});

test("an hour that occurs twice in autumn counts once, and one skipped in spring runs later", () => {
  const ticks = (from: string, count: number) => {
    const found: string[] = [];
    let at: Date | null = new Date(from);
    for (let n = 0; n < count && at; n += 1) {
      at = nextTick({ cron: "30 2 * * *", timeZone: "Europe/Berlin" }, at);
      found.push(at?.toISOString().slice(0, 10) ?? "");
    }
    return found;
  };
  expect(ticks("2026-10-23T22:00:00Z", 4)).toEqual([
    "2026-10-24",
    "2026-10-25",
    "2026-10-26",
    "2026-10-27",
  ]);
  expect(ticks("2026-03-27T22:00:00Z", 3)).toEqual([
    "2026-03-28",
    "2026-03-29",
    "2026-03-30",
  ]);
});

test.each([
  ["* * * * * *", "UTC", "cron_invalid"],
  ["nonsense", "UTC", "cron_invalid"],
  ["61 * * * *", "UTC", "cron_invalid"],
  ["* * * * *", "Mars/Olympus", "time_zone_invalid"],
])("%s in %s is refused", (cron, timeZone, code) => {
  expect(() => nextTick({ cron, timeZone }, new Date())).toThrow(
    expect.objectContaining({ code }),
  );
});

/** No tick of this falls into a test that runs over the end of a minute. */
const RARE = "0 0 29 2 *";

test("two replicas that see the same ticks start each run once", async () => {
  await using db: Database = await testDatabase();
  await migrate(db, {
    schema: "automations",
    folder: new URL("../src/services/automations/migrations/", import.meta.url),
    log: silentLog(),
  });
  const clock = { db, log: silentLog(), refuseInactive: () => Promise.resolve() };
  const agents = ["01a1fb8b-2522-72b4-a6e7-60a70d8e06b0"];
  const past = new Date(Date.now() - 3 * 60_000);
  const schedule = {
    name: "S",
    cron: RARE,
    timeZone: "UTC",
    input: "go",
    agents,
    isActive: true,
  };
  for (let n = 0; n < 30; n += 1)
    await insertSchedule(db, schedule, { userId: "u", clientId: "c" }, past);
  const replicas = Array.from({ length: 4 }, () => startDueRuns(clock));
  expect((await Promise.all(replicas)).reduce((sum, count) => sum + count, 0)).toBe(30);
  // missed ticks start one late run
  await Promise.all([startDueRuns(clock), startDueRuns(clock)]);
  const [runs] = await db.query<{ count: number; schedules: number }>(
    sql`select count(*)::int as count, count(distinct schedule_id)::int as schedules from automations.runs`,
  );
  expect(runs).toEqual({ count: 30, schedules: 30 });
});

test("schedules of a user who may not act stop with the reason and start no run", async () => {
  await using db: Database = await testDatabase();
  await migrate(db, {
    schema: "automations",
    folder: new URL("../src/services/automations/migrations/", import.meta.url),
    log: silentLog(),
  });
  const past = new Date(Date.now() - 60_000);
  const agents = ["01a1fb8b-2522-72b4-a6e7-60a70d8e06b0"];
  const body = { name: "S", cron: RARE, timeZone: "UTC", input: "go", agents };
  const insert = (userId: string) =>
    insertSchedule(db, { ...body, isActive: true }, { userId, clientId: "c" }, past);
  const [left, busy, away] = [
    await insert("left"),
    await insert("busy"),
    await insert("away"),
  ];
  const refuseInactive = ({ userId }: { userId: string }) => {
    if (userId === "left") throw new Forbidden("user_disabled", "No.");
    if (userId === "away") throw new Unavailable("service_unreachable", "Away.", 1_000);
    return Promise.resolve();
  };
  const clock = { db, log: silentLog(), refuseInactive };
  expect([await startDueRuns(clock), await startDueRuns(clock)]).toEqual([3, 0]);
  const runs = await db.query<{ id: string }>(
    sql`select schedule_id as id from automations.runs order by created_at, schedule_id`,
  );
  expect(runs.map(({ id }) => id).sort()).toEqual([busy, away].sort());
  const stopped = await findSchedule(db, "left", left);
  expect(stopped).toMatchObject({
    isActive: false,
    nextAt: null,
    lastRunId: null,
    error: { code: "user_disabled" },
  });
  expect(await findSchedule(db, "busy", busy)).toMatchObject({
    isActive: true,
    error: null,
  });
  if (stopped) await updateSchedule(db, { ...stopped, isActive: true }, past);
  expect(await findSchedule(db, "left", left)).toMatchObject({
    isActive: true,
    error: null,
  });
});

let parlance: TestServer;
let provider: ScriptedProvider;
let user: Automations;
let stranger: Automations;
beforeAll(async () => {
  provider = await startScriptedProvider(() => ({ text: ["Good morning."] }));
  const made = await clientServer(settingsOf(provider));
  parlance = made.parlance;
  user = automationsOf(parlance, await made.tokenOf("uwe", "north"));
  stranger = automationsOf(parlance, await made.tokenOf("stan", "north"));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
const schedules = "/api/automations/schedules";

test("a schedule can be created, changed, started by hand, is visible to its owner only, and is validated", async () => {
  const agent = await user.agent("morning");
  const body = {
    name: "Morning",
    cron: "0 9 * * 1-5",
    timeZone: "Europe/Berlin",
    input: "Greet the team.",
    agents: [agent],
  };
  const made = await user.ask("POST", schedules, body);
  expect(made).toMatchObject({
    status: 201,
    body: { ...body, isActive: true, lastAt: null },
  });
  const path = `${schedules}/${String(made.body["id"])}`;
  expect(new Date(String(made.body["nextAt"])).getTime()).toBeGreaterThan(Date.now());
  const { nextTimes } = made.body as unknown as Schedule;
  expect([nextTimes.length, nextTimes[0]]).toEqual([5, made.body["nextAt"]]);
  const preview = `${schedules}/preview`;
  const { cron, timeZone } = body;
  expect((await user.ask("POST", preview, { cron, timeZone })).body).toEqual({ nextTimes });
  expect((await user.ask("POST", preview, { cron: "0 0 31 2 *" })).body.code).toBe(
    "cron_never",
  );
  expect((await user.ask("PATCH", path, { isActive: false })).body).toMatchObject({
    isActive: false,
    nextAt: null,
    nextTimes: [],
  });
  expect((await user.ask("PATCH", path, { cron: "x" })).body.code).toBe("cron_invalid");
  expect(
    (
      await user.ask("POST", schedules, {
        ...body,
        agents: ["01a1fb8b-2522-72b4-a6e7-60a70d8e06b0"],
      })
    ).body.code,
  ).toBe("agents_invalid");
  expect((await stranger.ask("POST", schedules, body)).body.code).toBe("agents_invalid");
  for (const [method, more, change] of [
    ["GET", ""],
    ["PATCH", "", { name: "x" }],
    ["POST", "/run"],
    ["DELETE", ""],
  ] as const)
    expect((await stranger.ask(method, path + more, change)).body.code).toBe(
      "schedule_not_found",
    );
  const { runId } = (await user.ask("POST", `${path}/run`)).body;
  const run = await user.ended(String(runId));
  expect(run).toMatchObject({
    status: "completed",
    ruleId: null,
    medium: null,
    transcript: "Greet the team.",
    origin: "schedule/Morning",
    scheduleId: made.body["id"],
    agents: [{ output: "Good morning." }],
  });
  expect(inputOf(provider.requests.at(-1)?.messages ?? [])).toMatchObject({
    conversation: { transcript: "Greet the team." },
    automation: { rule_id: null, type: "schedule", origin: "schedule/Morning" },
  });
  expect(
    await user.ended(
      String(
        (await user.ask("POST", `/api/automations/runs/${String(runId)}/rerun`)).body[
          "runId"
        ],
      ),
    ),
  ).toMatchObject({
    status: "completed",
    scheduleId: made.body["id"],
  });
  expect((await user.ask("DELETE", path)).status).toBe(204);
  expect((await user.get<{ total: number }>(schedules)).total).toBe(0);
});

test("the clock starts a schedule's run within the minute", async () => {
  const agent = await user.agent("minutely");
  const { id } = (
    await user.ask("POST", schedules, {
      name: "Minutely",
      cron: "* * * * *",
      input: "go",
      agents: [agent],
    })
  ).body;
  const found = await vi.waitFor(
    async () => {
      const [run] = (
        await user.get<{ items: RunSummary[] }>(
          `/api/automations/runs?scheduleId=${String(id)}&status=completed`,
        )
      ).items;
      if (!run) throw new Error("no run has ended yet");
      return run;
    },
    { timeout: 150_000, interval: 500 },
  );
  expect(found).toMatchObject({ status: "completed", type: "schedule" });
  const after = await user.get<Schedule>(`${schedules}/${String(id)}`);
  // the next minute may have begun
  const runs = await user.get<{ items: RunSummary[] }>(
    `/api/automations/runs?scheduleId=${String(id)}`,
  );
  expect(runs.items.map((run) => run.id)).toContain(after.lastRunId);
  expect(new Date(after.nextAt ?? 0).getTime()).toBeGreaterThan(
    new Date(after.lastAt ?? 0).getTime(),
  );
});

test("nothing more runs for a disabled user", async () => {
  const env = {
    ...settingsOf(provider),
    AUTOMATION_RETRY_WAIT: "2000",
  };
  await using built = await startTestServer(env);
  const person = await newPerson(built, "leaver");
  const leaver = automationsOf(built, person.token);
  const agents = [{ id: await leaver.agent("left"), retry_count: 5 }];
  const { id } = (
    await leaver.ask("POST", schedules, {
      name: "Left",
      cron: "0 0 1 1 *",
      input: "go",
      agents,
    })
  ).body;
  provider.answer(() => ({ text: ["half"], fault: "cut", faultAfter: 1 }));
  const before = provider.requests.length;
  const { runId } = (await leaver.ask("POST", `${schedules}/${String(id)}/run`)).body;
  await vi.waitFor(
    async () => expect((await leaver.run(String(runId))).agents[0]?.error).not.toBeNull(),
    90_000,
  );
  const put = (disabled: boolean) =>
    built.request(`/api/v1/users/${person.id}`, { method: "PATCH", body: { disabled } });
  expect((await put(true)).status).toBe(200);
  const asked = provider.requests.length;
  // the export of personal data shows when the run has ended, as the disabled user cannot ask
  await vi.waitFor(
    async () => {
      const lines = await (await built.request(`/api/v1/users/${person.id}/export`)).text();
      expect(lines).toContain('"status":"failed"');
    },
    { timeout: 90_000, interval: 300 },
  );
  expect([asked > before, provider.requests.length]).toEqual([true, asked]);
  await put(false);
  const back = automationsOf(
    built,
    await built.signIn("leaver@test.example", "a long enough password"),
  );
  expect((await back.run(String(runId))).agents).toMatchObject([
    { status: "failed", error: { code: "user_disabled" } },
  ]);
  provider.answer(() => ({ text: ["Good morning."] }));
});
