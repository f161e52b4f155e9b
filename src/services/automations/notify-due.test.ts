import { afterAll, beforeAll, expect, test, vi } from "vitest";
import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import { DUE_CHANGES } from "./jobs.ts";

let db: Database;
const heard: string[] = [];
const run = uuidv7();
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("./migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
  await db.listen(DUE_CHANGES, (payload) => heard.push(payload));
  await db.query(insertRun(run, sql`null`));
});
afterAll(() => db[Symbol.asyncDispose]());

/** @returns how often the statement is announced. */
async function announcementsOf(statement: Sql): Promise<number> {
  heard.length = 0;
  await db.query(statement);
  // notifications arrive in the order of the commits
  await db.notify(DUE_CHANGES, "end");
  await vi.waitFor(() => expect(heard).toContain("end"), 90_000);
  return heard.indexOf("end");
}

const SOON = sql`now() + interval '1 hour'`;

function insertRun(id: string, dueAt: Sql): Sql {
  return sql`insert into automations.runs
      (id, client_id, user_id, type, origin, status, conversation_id, due_at)
    values (${id}, 'c', 'ann', 'note', 'upload', 'reading', gen_random_uuid(), ${dueAt})`;
}
const insertStep = (id: string, dueAt: Sql) => sql`insert into automations.steps (run_id,
    agent_id, position, priority, timeout_ms, retry_count, depends_on, status, user_id, due_at)
  values (${run}, ${id}, 1, 1, 1, 1, '{}', 'ready', 'ann', ${dueAt})`;
const insertSource = (id: string, dueAt: Sql) => sql`insert into automations.sources (id,
    client_id, user_id, name, kind, settings, secret, origin, tags, is_active, due_at)
  values (${id}, 'c', 'ann', '', 'folder', '{}', '', 'o', '{}', true, ${dueAt})`;
const insertSchedule = (
  id: string,
  dueAt: Sql,
) => sql`insert into automations.schedules (id,
    client_id, user_id, name, cron, time_zone, input, agents, is_active, next_at)
  values (${id}, 'c', 'ann', '', '* * * * *', 'UTC', '', '[]', true, ${dueAt})`;

const KINDS = {
  runs: {
    insert: insertRun,
    move: sql`update automations.runs set due_at = ${SOON} where id = `,
    change: sql`update automations.runs set status = 'running' where id = `,
    end: sql`update automations.runs set status = 'failed', due_at = null where id = `,
  },
  steps: {
    insert: insertStep,
    move: sql`update automations.steps set due_at = ${SOON} where agent_id = `,
    change: sql`update automations.steps set status = 'approval' where agent_id = `,
    end: sql`update automations.steps set status = 'failed', due_at = null where agent_id = `,
  },
  sources: {
    insert: insertSource,
    move: sql`update automations.sources set due_at = ${SOON} where id = `,
    change: sql`update automations.sources set is_active = true where id = `,
    end: sql`update automations.sources set is_active = false where id = `,
  },
  schedules: {
    insert: insertSchedule,
    move: sql`update automations.schedules set next_at = ${SOON} where id = `,
    change: sql`update automations.schedules set is_active = true where id = `,
    end: sql`update automations.schedules set is_active = false where id = `,
  },
};

test.each(Object.entries(KINDS))(
  "whenever work of %s is due at another time, whoever looks for it hears",
  async (_, { insert, move, change, end }) => {
    const id = uuidv7();
    expect(await announcementsOf(insert(uuidv7(), sql`null`))).toBe(0);
    expect(await announcementsOf(insert(id, SOON))).toBe(1);
    expect(await announcementsOf(sql`${move}${id}`)).toBe(1);
    expect(await announcementsOf(sql`${change}${id}`)).toBe(1);
    expect(await announcementsOf(sql`${end}${id}`)).toBe(0);
  },
);
