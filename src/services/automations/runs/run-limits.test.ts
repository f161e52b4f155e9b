import { afterAll, beforeAll, expect, test } from "vitest";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { startDueRuns } from "../schedules/start-runs.ts";
import { findSchedule, insertSchedule } from "../schedules/store.ts";
import { insertRun } from "./store.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

/** Batches, so that no statement reaches its time limit on a busy machine. */
const BATCH_SIZE = 10_000;
async function fill(userId: string, status: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= BATCH_SIZE)
    await db.query(sql`insert into automations.runs
        (id, client_id, user_id, type, origin, status, conversation_id)
      select gen_random_uuid(), 'c', ${userId}, '*', '*', ${status}, gen_random_uuid()
      from generate_series(1, ${Math.min(left, BATCH_SIZE)})`);
}
const startRun = (userId: string) =>
  db.tx(() =>
    insertRun(
      db,
      {
        id: uuidv7(),
        clientId: "c",
        userId,
        ruleId: null,
        makerId: null,
        name: "",
        type: "note",
        origin: "upload",
        madeBy: [],
        status: "reading",
        medium: null,
        storageKey: null,
        conversationId: uuidv7(),
      },
      [],
    ),
  );

test("a user with 1,000 runs in progress cannot start more, even at once; others can", async () => {
  await fill("eve", "running", 998);
  const started = await Promise.allSettled([1, 2, 3, 4, 5].map(() => startRun("eve")));
  expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(started.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { status: 429, code: "too_many_runs" },
  });
  await startRun("bob");
});

test("a user with 100,000 stored runs must delete some before starting more", async () => {
  await fill("hoarder", "unmatched", 100_000);
  await expect(startRun("hoarder")).rejects.toMatchObject({ code: "too_many_runs_kept" });
});

test("a schedule of a user with too many runs skips its tick; others do not", async () => {
  await fill("busy", "running", 1_000);
  const schedule = {
    name: "Tick",
    cron: "* * * * *",
    timeZone: "UTC",
    input: "Go.",
    agents: [uuidv7()],
    isActive: true,
  };
  const add = (userId: string) =>
    insertSchedule(db, schedule, { userId, clientId: "c" }, new Date(Date.now() - 60_000));
  const [missed, started] = [await add("busy"), await add("calm")];
  const clock = { db, log: silentLog(), refuseInactive: () => Promise.resolve() };
  expect(await startDueRuns(clock)).toBe(2);
  expect(await findSchedule(db, "busy", missed)).toMatchObject({ lastRunId: null });
  expect((await findSchedule(db, "calm", started))?.lastRunId).not.toBeNull();
});
