import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { migrate } from "../../../platform/db/migrate.ts";
import type { Files } from "../../../platform/files/files.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { beginDueRuns } from "../schedules/begin-runs.ts";
import { insertSchedule } from "../schedules/store.ts";
import { takeReadings } from "./reading-store.ts";
import { workReading } from "./work-reading.ts";

test("a schedule's run fails, and asks the core for nothing, when its owner may not act any more", async () => {
  await using db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
  const plan = {
    name: "Plan",
    cron: "* * * * *",
    timeZone: "UTC",
    input: "Go.",
    agents: [uuidv7()],
    isActive: true,
  };
  const owner = { userId: "gone", clientId: "c" };
  await insertSchedule(db, plan, owner, new Date(Date.now() - 60_000));
  // disabled only after the run has begun
  await beginDueRuns({ db, log: silentLog(), refuseInactive: () => Promise.resolve() });
  const room = { free: 1, maxPerUser: 1, held: new Map() };
  const [reading] = await takeReadings(db, room);
  if (!reading) throw new Error("no run is due");
  let asked = 0;
  const deps = {
    db,
    files: {} as Files, // a schedule has no file
    core: async () => Response.json({ asked: (asked += 1) }),
    log: silentLog(),
    refuseInactive: () => Promise.reject(new Forbidden("user_disabled", "Disabled.")),
    read: () => Promise.reject(new Error("there is nothing to read")),
    backoffMs: 1,
  };
  await workReading(deps, reading, new AbortController().signal);
  expect(
    await db.query(sql`select status, error ->> 'code' as code from automations.runs`),
  ).toEqual([{ status: "failed", code: "user_disabled" }]);
  expect(asked).toBe(0);
});
