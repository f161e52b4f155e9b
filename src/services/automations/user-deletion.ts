import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import { type Delivery, Poison } from "../../platform/queue/queue.ts";
import { UserDeletion, type PersonalRecord } from "../users/contract-user-deletion.ts";

const RUNS_A_PAGE = 50;

/** Lets go of a deleted user's runs, schedules and sources: his heir's from now on, or gone. Rules are the client's and stay. Twice is as once. */
export function userDeletions(
  db: Database,
  files: Files,
): (delivery: Pick<Delivery, "data">) => Promise<void> {
  return async ({ data }) => {
    const parsed = UserDeletion.safeParse(data);
    if (!parsed.success) throw new Poison("not a user deletion");
    const { userId, transferTo } = parsed.data;
    await db.query(sql`delete from automations.idempotency_keys where user_id = ${userId}`);
    if (transferTo !== null) {
      await db.tx(async () => {
        await db.query(
          sql`update automations.runs set user_id = ${transferTo} where user_id = ${userId}`,
        );
        await db.query(
          sql`update automations.schedules set user_id = ${transferTo} where user_id = ${userId}`,
        );
        await db.query(
          sql`update automations.sources set user_id = ${transferTo} where user_id = ${userId}`,
        );
      });
      return;
    }
    await db.query(sql`delete from automations.schedules where user_id = ${userId}`);
    await db.query(sql`delete from automations.sources where user_id = ${userId}`);
    const rows = await db.query<{ key: string | null }>(
      sql`delete from automations.runs where user_id = ${userId} returning storage_key as key`,
    );
    for (const { key } of rows) if (key !== null) await files.delete(key);
  };
}

/** What the service holds of a user: his runs, with what was read and what agents put out; his schedules and sources, without secrets. */
export async function personalData(
  db: Database,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
  const rows = await db.query<{
    id: string;
    data: Record<string, unknown>;
  }>(sql`select id, jsonb_build_object('id', id, 'name', name,
      'type', type, 'origin', origin, 'status', status, 'medium', medium, 'transcript', transcript, 'createdAt', created_at, 'outputs',
      (select coalesce(jsonb_agg(jsonb_build_object('agentId', s.agent_id, 'output', s.output) order by s.position), '[]')
        from automations.steps s where s.run_id = r.id)) as data
    from automations.runs r where user_id = ${userId} and id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid
    order by id limit ${RUNS_A_PAGE}`);
  const records: PersonalRecord[] = rows.map(({ data }) => ({ kind: "run", data }));
  if (after === undefined) {
    const others = await db.query<PersonalRecord>(sql`
      select 'schedule' as kind, jsonb_build_object('id', id, 'name', name, 'cron', cron, 'timeZone', time_zone, 'input', input,
        'agents', agents) as data from automations.schedules where user_id = ${userId}
      union all
      select 'source' as kind, jsonb_build_object('id', id, 'name', name, 'kind', kind, 'settings', settings, 'origin', origin) as data
        from automations.sources where user_id = ${userId}`);
    records.push(...others);
  }
  return { records, next: rows.length < RUNS_A_PAGE ? null : (rows.at(-1)?.id ?? null) };
}
