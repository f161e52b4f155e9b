import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { Files } from "../../platform/files/files.ts";
import type { UserDeletion } from "../users/contract-user-deletion.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import {
  byId,
  isOfUser,
  type PersonalKind,
  readPersonalPage,
} from "../../platform/db/personal-page.ts";
import { repeatUntilNone } from "../../platform/db/repeat-until-none.ts";

const PAGE_SIZE = 50;
const RUNS_PER_TRANSFER = 200;

interface Deps {
  db: Database;
  files: Files;
  matcher: Pick<RuleMatcher, "announceRule">;
}

/** Transfers a deleted user's data to the recipient, or deletes it. Idempotent. */
export async function forgetUser(
  { db, files, matcher }: Deps,
  deletion: UserDeletion,
): Promise<void> {
  const { userId, transferTo } = deletion;
  await db.query(sql`delete from automations.idempotency_keys where user_id = ${userId}`);
  if (transferTo === null) return deleteData(db, files, userId);
  await repeatUntilNone(db, () => transferSomeRuns(db, userId, transferTo));
  const rules = await db.tx(() => transferData(db, userId, transferTo));
  for (const { id, clientId } of rules) await matcher.announceRule(clientId, id);
}

/**
 * Transfers the data. Schedules, sources and personal rules become inactive until the recipient
 * activates them, so that nothing acts for the recipient unasked. Rules of the client act for the
 * uploader and stay active.
 * @returns the transferred rules of the client.
 */
async function transferData(
  db: Database,
  userId: string,
  recipient: string,
): Promise<{ id: number; clientId: string }[]> {
  await db.query(sql`update automations.schedules
    set user_id = ${recipient}, is_active = false, next_at = null where user_id = ${userId}`);
  await db.query(sql`update automations.sources
    set user_id = ${recipient}, is_active = false, claim = claim + 1 where user_id = ${userId}`);
  await db.query(sql`update automations.rules
    set user_id = ${recipient}, is_active = false, last_update = now()
    where user_id = ${userId} and scope = 'personal'`);
  return db.query(sql`update automations.rules set user_id = ${recipient}, last_update = now()
    where user_id = ${userId} and scope = 'client'
    returning id::float8 as id, client_id as "clientId"`);
}

/** Cancels and transfers some of the runs. @returns how many. */
function transferSomeRuns(
  db: Database,
  userId: string,
  recipient: string,
): Promise<number> {
  return db.tx(async () => {
    const runs = await db.query<{ id: string }>(sql`
      select id from automations.runs where user_id = ${userId}
      limit ${RUNS_PER_TRANSFER} for update`);
    const ids = sql`any(${runs.map(({ id }) => id)}::uuid[])`;
    await db.query(sql`update automations.steps step set status = 'cancelled', due_at = null,
        ended_at = now() from automations.runs run
      where run.id = step.run_id and run.id = ${ids} and run.status in ('reading', 'running')
        and step.status in ('waiting', 'ready', 'running', 'approval')`);
    await db.query(sql`update automations.steps set user_id = ${recipient}
      where run_id = ${ids}`);
    await db.query(sql`update automations.runs set status = 'cancelled', due_at = null,
        ended_at = now(), error = ${jsonb(USER_DELETED)}
      where id = ${ids} and status in ('reading', 'running')`);
    await db.query(sql`update automations.runs set user_id = ${recipient}
      where id = ${ids}`);
    return runs.length;
  });
}

const USER_DELETED = {
  code: "user_deleted",
  message: "The user was deleted during the run.",
};

/** Deletes the data. Rules of the client stay. */
async function deleteData(db: Database, files: Files, userId: string): Promise<void> {
  await db.query(
    sql`delete from automations.rules where user_id = ${userId} and scope = 'personal'`,
  );
  await db.query(sql`delete from automations.schedules where user_id = ${userId}`);
  await db.query(sql`delete from automations.sources where user_id = ${userId}`);
  await repeatUntilNone(db, () => deleteSomeRuns(db, files, userId));
}

/** The files first: what a failure leaves is found again. */
async function deleteSomeRuns(db: Database, files: Files, userId: string): Promise<number> {
  const runs = await db.query<{ id: string; key: string | null }>(
    sql`select id, storage_key as key from automations.runs where user_id = ${userId}
      limit ${PAGE_SIZE}`,
  );
  for (const { key } of runs) if (key !== null) await files.delete(key);
  const ids = runs.map(({ id }) => id);
  await db.query(sql`delete from automations.runs where id = any(${ids})`);
  return runs.length;
}

export const PERSONAL_KINDS: readonly PersonalKind[] = [
  {
    kind: "run",
    from: sql`automations.runs row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`octet_length(coalesce(row.transcript, '')) + (
      select coalesce(sum(pg_column_size(step.output)), 0) from automations.steps step
      where step.run_id = row.id)`,
    data: sql`jsonb_build_object('id', row.id, 'name', row.name, 'type', row.type,
      'origin', row.origin, 'status', row.status, 'medium', row.medium,
      'transcript', row.transcript, 'createdAt', row.created_at, 'outputs', (
        select coalesce(jsonb_agg(jsonb_build_object('agentId', step.agent_id,
          'output', step.output) order by step.position), '[]')
        from automations.steps step where step.run_id = row.id))`,
  },
  {
    kind: "schedule",
    from: sql`automations.schedules row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`octet_length(row.input)`,
    data: sql`jsonb_build_object('id', row.id, 'name', row.name, 'cron', row.cron,
      'timeZone', row.time_zone, 'input', row.input, 'agents', row.agents)`,
  },
  {
    kind: "source",
    from: sql`automations.sources row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`jsonb_build_object('id', row.id, 'name', row.name, 'kind', row.kind,
      'settings', row.settings, 'origin', row.origin)`,
  },
  {
    kind: "rule",
    from: sql`automations.rules row`,
    key: sql`row.id`,
    keyType: "bigint",
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`jsonb_build_object('id', row.id, 'name', row.name, 'type', row.type,
      'origin', row.origin, 'scope', row.scope, 'agents', row.agents)`,
  },
];

/** A page of a user's data, kind by kind: sources without their secrets. */
export function personalData(db: Database, userId: string, after: string | undefined) {
  return readPersonalPage(db, PERSONAL_KINDS, userId, after);
}
