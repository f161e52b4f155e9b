import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { migrate } from "../../../platform/db/migrate.ts";
import type { Files } from "../../../platform/files/files.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { startDueRuns } from "../schedules/start-runs.ts";
import { insertSchedule } from "../schedules/store.ts";
import { takeReadings } from "./reading-store.ts";
import { workReading } from "./work-reading.ts";

test("a schedule's run fails without a call to core if its owner was disabled", async () => {
  await using db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
  const schedule = {
    name: "Plan",
    cron: "* * * * *",
    timeZone: "UTC",
    input: "Go.",
    agents: [uuidv7()],
    isActive: true,
  };
  const owner = { userId: "gone", clientId: "c" };
  await insertSchedule(db, schedule, owner, new Date(Date.now() - 60_000));
  // the owner is disabled only after the run has started
  await startDueRuns({ db, log: silentLog(), refuseInactive: () => Promise.resolve() });
  const room = { free: 1, maxPerUser: 1, held: new Map() };
  const [reading] = await takeReadings(db, room);
  if (!reading) throw new Error("no run is due");
  let calls = 0;
  const deps = {
    db,
    files: {} as Files, // a schedule has no file
    core: async () => Response.json({ asked: (calls += 1) }),
    log: silentLog(),
    refuseInactive: () => Promise.reject(new Forbidden("user_disabled", "Disabled.")),
    read: () => Promise.reject(new Error("there is nothing to read")),
    backoffMs: 1,
  };
  await workReading(deps, reading, new AbortController().signal);
  expect(
    await db.query(sql`select status, error ->> 'code' as code from automations.runs`),
  ).toEqual([{ status: "failed", code: "user_disabled" }]);
  expect(calls).toBe(0);
});
