import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { migrate } from "../../platform/db/migrate.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";

const folder = new URL("./migrations/", import.meta.url);

test("rules from before scopes become personal, and their runs of other users end", async () => {
  await using db = await testDatabase();
  const before = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const name of (await readdir(folder)).filter((one) => one < "0005"))
    await cp(new URL(name, folder), join(before, name));
  const log = silentLog();
  await migrate(db, { schema: "automations", folder: pathToFileURL(`${before}/`), log });
  await rm(before, { recursive: true });
  await db.query(sql`insert into automations.rules
      (client_id, name, type, origin, agents, is_active, created_by)
    values ('c', 'Old', '*', '*', '[]', true, 'maker')`);
  for (const userId of ["maker", "other"]) {
    await db.query(sql`insert into automations.runs
        (id, client_id, user_id, rule_id, type, origin, status, conversation_id)
      values (gen_random_uuid(), 'c', ${userId}, 1, '*', '*', 'running', gen_random_uuid())`);
  }
  await db.query(sql`insert into automations.steps (run_id, agent_id, position, priority,
      timeout_ms, retry_count, depends_on, status)
    select id, gen_random_uuid(), 0, 0, 1, 0, '{}', 'ready' from automations.runs`);

  await migrate(db, { schema: "automations", folder, log });

  expect(
    await db.query(sql`select scope, user_id as "userId" from automations.rules`),
  ).toEqual([{ scope: "personal", userId: "maker" }]);
  const runs =
    await db.query(sql`select run.user_id as "userId", run.status, step.status as step
    from automations.runs run join automations.steps step on step.run_id = run.id order by 1`);
  expect(runs).toEqual([
    { userId: "maker", status: "running", step: "ready" },
    { userId: "other", status: "cancelled", step: "cancelled" },
  ]);
});
