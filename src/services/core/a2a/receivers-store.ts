import sql from "sql-template-tag";
import { sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";

/** Where a client learns how a task stands. */
export interface Receiver {
  id: string;
  url: string;
  /** Of the header `Authorization`, with `secrets.credentials`. */
  scheme: string | undefined;
  secrets: ReceiverSecrets;
}

export interface ReceiverSecrets {
  token?: string | undefined;
  credentials?: string | undefined;
}

/** The version of A2A that its client speaks. */
export type Version = "1.0" | "0.3";

/** One that is due, and the run of the reply whose end it gets. */
export interface DueReceiver extends Omit<Receiver, "secrets"> {
  /** The secrets, encrypted. */
  sealed: string;
  messageId: string;
  /** Whose task it is. */
  userId: string;
  run: number;
  version: Version;
  /** With this one. */
  tries: number;
}

export const MAX_PER_TASK = 5;
/** That wait. */
export const MAX_PER_USER = 100;
/** Of one user at a time, so that receivers that hang do not keep others waiting. */
export const MAX_OF_USER = 4;
const KEPT_DAYS = 7;
/** Notified when there is another receiver. */
export const RECEIVERS_ADDED = "core_task_receivers";

/** Saves a receiver, or replaces the one of the same id. @returns false when there are too many. */
export async function saveReceiver(
  { db, encryptionKey }: { db: Database; encryptionKey: string },
  { userId, messageId }: { userId: string; messageId: string },
  { id, url, scheme, secrets }: Receiver,
  version: Version,
): Promise<boolean> {
  const sealed = sealSecret(JSON.stringify(secrets), encryptionKey);
  return db.tx(async () => {
    await lockKeys(db, [`task receivers of ${userId}`]);
    const [others] = await db.query<{ all: number; ofTask: number }>(sql`
      select count(*)::int as "all", count(*) filter (where r.message_id = ${messageId})::int as "ofTask"
      from core.task_receivers r join core.messages m on m.id = r.message_id
      join core.conversations c on c.id = m.conversation_id
      where c.user_id = ${userId} and (r.message_id, r.id) <> (${messageId}::uuid, ${id}::text)`);
    if (!others || others.all >= MAX_PER_USER || others.ofTask >= MAX_PER_TASK)
      return false;
    await db.query(sql`insert into core.task_receivers (message_id, id, url, scheme, secrets, version)
      values (${messageId}, ${id}, ${url}, ${scheme ?? null}, ${sealed}, ${version})
      on conflict (message_id, id) do update set url = excluded.url, scheme = excluded.scheme,
        secrets = excluded.secrets, version = excluded.version, tries = 0, next_at = now()`);
    await db.notify(RECEIVERS_ADDED, "");
    return true;
  });
}

type Shown = Pick<Receiver, "id" | "url" | "scheme">;

/** Those of a task, without their secrets. */
export async function listReceivers(db: Database, messageId: string): Promise<Shown[]> {
  const rows = await db.query<{ id: string; url: string; scheme: string | null }>(sql`
    select id, url, scheme from core.task_receivers where message_id = ${messageId}
    order by created_at, id limit ${MAX_PER_TASK}`);
  return rows.map((row) => ({ ...row, scheme: row.scheme ?? undefined }));
}

export async function deleteReceiver(
  db: Database,
  { messageId, id }: { messageId: string; id: string },
): Promise<void> {
  await db.query(
    sql`delete from core.task_receivers where message_id = ${messageId} and id = ${id}`,
  );
}

/** Whether anybody waits for a task. */
export async function hasReceivers(db: Database): Promise<boolean> {
  const [found] = await db.query<{ isAny: boolean }>(
    sql`select exists (select from core.task_receivers) as "isAny"`,
  );
  return found?.isAny ?? false;
}

/**
 * Takes receivers whose task has stopped since they heard last: it ended, or waits for a
 * decision. Nobody else takes them until the lease ends.
 */
export async function takeDueReceivers(
  db: Database,
  {
    limit,
    busyUsers,
    leaseMs,
  }: { limit: number; busyUsers: readonly string[]; leaseMs: number },
): Promise<DueReceiver[]> {
  const rows = await db.query<
    Omit<DueReceiver, "scheme"> & { scheme: string | null }
  >(sql`with due as (
      select r.message_id, r.id, r.next_at, m.run, c.user_id,
        row_number() over (partition by c.user_id order by r.next_at) as turn
      from core.task_receivers r join core.messages m on m.id = r.message_id
      join core.conversations c on c.id = m.conversation_id
      where r.next_at <= now() and m.status <> 'streaming' and m.run > r.notified_run
        and c.deleted_at is null
        and c.user_id <> all (${[...busyUsers]}::text[])),
    chosen as (
      select message_id, id, run, user_id from due where turn <= ${MAX_OF_USER}
      order by next_at limit ${limit})
    update core.task_receivers r set tries = r.tries + 1,
      next_at = now() + ${leaseMs} * interval '1 millisecond'
    from chosen where r.message_id = chosen.message_id and r.id = chosen.id and r.next_at <= now()
    returning r.message_id as "messageId", r.id, r.url, r.scheme, r.secrets as sealed, r.version, r.tries, chosen.run, chosen.user_id as "userId"`);
  return rows.map((row) => ({ ...row, scheme: row.scheme ?? undefined }));
}

type Told = Pick<DueReceiver, "messageId" | "id" | "run">;

/** It knows that the task waits for a decision, and hears of the next run. */
export async function markTold(db: Database, { messageId, id, run }: Told): Promise<void> {
  await db.query(sql`update core.task_receivers
    set notified_run = ${run}, tries = 0, next_at = now()
    where message_id = ${messageId} and id = ${id}`);
}

export async function tellLater(
  db: Database,
  { messageId, id }: Told,
  waitMs: number,
): Promise<void> {
  await db.query(sql`update core.task_receivers
    set next_at = now() + ${waitMs} * interval '1 millisecond'
    where message_id = ${messageId} and id = ${id}`);
}

/** Forgets those of tasks that have waited for a decision for days. */
export async function purgeReceivers(db: Database): Promise<void> {
  await db.query(sql`delete from core.task_receivers
    where created_at < now() - ${KEPT_DAYS} * interval '1 day'`);
}
