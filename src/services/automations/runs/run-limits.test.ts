import { afterAll, beforeAll, expect, test } from "vitest";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { beginDueRuns } from "../schedules/begin-runs.ts";
import { findSchedule, insertSchedule } from "../schedules/store.ts";
import { insertRun } from "./store.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

const fill = (userId: string, status: string, count: number) =>
  db.query(sql`insert into automations.runs
      (id, client_id, user_id, type, origin, status, conversation_id)
    select gen_random_uuid(), 'c', ${userId}, '*', '*', ${status}, gen_random_uuid()
    from generate_series(1, ${count})`);
const begin = (userId: string) =>
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

test("a user with 1,000 runs in progress begins no more, even many at once, and others do", async () => {
  await fill("eve", "running", 998);
  const begun = await Promise.allSettled([1, 2, 3, 4, 5].map(() => begin("eve")));
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(begun.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { status: 429, code: "too_many_runs" },
  });
  await begin("bob");
});

test("a user who keeps 100,000 runs deletes some first", async () => {
  await fill("hoarder", "unmatched", 100_000);
  await expect(begin("hoarder")).rejects.toMatchObject({ code: "too_many_runs_kept" });
});

test("a schedule of a user with too many runs in progress misses its tick, and the others do not", async () => {
  await fill("busy", "running", 1_000);
  const plan = {
    name: "Tick",
    cron: "* * * * *",
    timeZone: "UTC",
    input: "Go.",
    agents: [uuidv7()],
    isActive: true,
  };
  const add = (userId: string) =>
    insertSchedule(db, plan, { userId, clientId: "c" }, new Date(Date.now() - 60_000));
  const [missed, begun] = [await add("busy"), await add("calm")];
  const clock = { db, log: silentLog(), refuseInactive: () => Promise.resolve() };
  expect(await beginDueRuns(clock)).toBe(2);
  expect(await findSchedule(db, "busy", missed)).toMatchObject({ lastRunId: null });
  expect((await findSchedule(db, "calm", begun))?.lastRunId).not.toBeNull();
});
