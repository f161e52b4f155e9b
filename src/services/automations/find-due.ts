import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";

/** Which kinds of work are due. */
export interface Due {
  readings: boolean;
  steps: boolean;
  sources: boolean;
  schedules: boolean;
}

/** Reads four indexes once: `runs_to_read`, `steps_due`, `sources_due`, `schedules_due`. */
export async function findDue(db: Database): Promise<Due> {
  const [due] = await db.query<Due>(
    sql`select exists (select from automations.runs
      where status = 'reading' and due_at <= now()) as readings,
      exists (select from automations.steps where status in ('ready', 'running', 'approval')
      and due_at <= now()) as steps,
      exists (select from automations.sources where is_active and due_at <= now()) as sources,
      exists (select from automations.schedules where is_active and next_at <= now()) as schedules`,
    { name: "automations-due" },
  );
  return due ?? { readings: false, steps: false, sources: false, schedules: false };
}
