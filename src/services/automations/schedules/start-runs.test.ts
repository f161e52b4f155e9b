import sql from "sql-template-tag";
import { expect, test, vi } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { startDueRuns } from "./start-runs.ts";
import { findSchedule, insertSchedule } from "./store.ts";

test("a tick starts one run, and the next comes, where a process's clock is behind the database's", async () => {
  await using db: Database = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
  const clock = { db, log: silentLog(), refuseInactive: () => Promise.resolve() };
  const agents = ["01a1fb8b-2522-72b4-a6e7-60a70d8e06b0"];
  const owner = { userId: "u", clientId: "c" };
  const body = { cron: "* * * * *", timeZone: "UTC", input: "go", agents, isActive: true };
  const tick = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const id = await insertSchedule(db, { ...body, name: "S" }, owner, tick);
  const RealDate = Date;
  // the embedded database reads Date.now()
  vi.stubGlobal(
    "Date",
    class extends RealDate {
      constructor(...given: unknown[]) {
        super(...((given.length > 0 ? given : [tick.getTime() - 500]) as [number]));
      }
    },
  );
  try {
    expect(await startDueRuns(clock)).toBe(1);
  } finally {
    vi.unstubAllGlobals();
  }
  const { nextAt, lastRunId } = (await findSchedule(db, "u", id)) ?? {};
  expect(Date.parse(nextAt ?? "")).toBeGreaterThan(tick.getTime());
  // one that an earlier version left at a tick that it had started stops no other
  const other = await insertSchedule(db, { ...body, name: "T" }, owner, tick);
  await db.query(sql`update automations.schedules set next_at = last_at where id = ${id}`);
  expect(await startDueRuns(clock)).toBe(2);
  expect(await findSchedule(db, "u", id)).toMatchObject({ lastRunId });
  expect((await findSchedule(db, "u", other))?.lastRunId).not.toBeNull();
});
