import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../db/database.ts";
import { jsonb } from "../db/jsonb.ts";
import type { ErrorParams } from "../http/errors.ts";
import {
  claimRows,
  isExpired,
  leaseEnd,
  renewRows,
  type RowLease,
} from "../lease/row-lease.ts";
import type { AttemptFailure, DeadLetter, QueueCounts } from "./queue.ts";

/** The notification channel of new messages; the payload is the name of the queue. */
export const CHANNEL = "queue";

/** A message counts its attempts, so the attempt is the fence. */
const LEASE: RowLease = {
  table: sql`queue.messages`,
  until: sql`due_at`,
  fence: sql`tries`,
  durationMs: 30_000,
};
/** Three renewals in a lease: two may fail. */
export const RENEWAL_INTERVAL_MS = LEASE.durationMs / 3;

export interface NewMessage {
  queue: string;
  id: string;
  pattern: string;
  delayMs: number;
  data: unknown;
}

export interface TakenMessage {
  id: string;
  data: unknown;
  /** Attempts, with this one. */
  tries: number;
}

export async function insertMessages(db: Database, messages: NewMessage[]): Promise<void> {
  await db.query(
    sql`with given as (
        select * from jsonb_to_recordset(${jsonb(messages)})
          as g (queue text, id text, pattern text, "delayMs" int, data jsonb)),
      added as (
        insert into queue.messages (queue, id, data, pattern, due_at)
        select queue, id, coalesce(data, 'null'::jsonb), pattern,
          now() + "delayMs" * interval '1 millisecond' from given
        on conflict do nothing returning queue)
      select pg_notify(${CHANNEL}, queue) from (select distinct queue from added) queues`,
    { name: "queue-publish" },
  );
}

/** Takes due messages for a lease. */
export async function takeMessages(
  db: Database,
  queue: string,
  limit: number,
): Promise<TakenMessage[]> {
  return claimRows<TakenMessage>(db, LEASE, {
    due: sql`select ctid from queue.messages
      where queue = ${queue} and died_at is null and ${isExpired(sql`due_at`)}
      order by due_at limit ${limit} for update skip locked`,
    set: sql`error = null`,
    returning: sql`claimed.id, claimed.data, claimed.tries`,
    name: "queue-take",
  });
}

/** Leaves out those that wait for another attempt, whose delay this would replace. */
export async function renewMessages(
  db: Database,
  queue: string,
  held: readonly Pick<TakenMessage, "id" | "tries">[],
): Promise<void> {
  await renewRows(db, LEASE, {
    held: held.map(({ id, tries }) => ({ id, tries })),
    fields: sql`id text, tries int`,
    match: sql`claimed.queue = ${queue} and claimed.id = held.id
      and claimed.tries = held.tries and claimed.error is null`,
  });
}

export async function removeMessages(
  db: Database,
  queue: string,
  ids: string[],
): Promise<void> {
  await db.query(
    sql`delete from queue.messages where queue = ${queue} and id = any(${ids})`,
    {
      name: "queue-finish",
    },
  );
}

export async function retryMessage(
  db: Database,
  queue: string,
  { id, tries }: TakenMessage,
  { delayMs, failure }: { delayMs: number; failure: AttemptFailure },
): Promise<void> {
  // all processes learn when it is due: this one may have ended by then
  await db.query(sql`with delayed as (update queue.messages
      set ${fieldsOf(failure)}, due_at = ${leaseEnd(delayMs)}
      where queue = ${queue} and id = ${id} and tries = ${tries} returning queue)
    select pg_notify(${CHANNEL}, queue) from delayed`);
}

/** Moves a message to the dead letters. */
export async function buryMessage(
  db: Database,
  queue: string,
  { id, tries }: TakenMessage,
  failure: AttemptFailure,
): Promise<void> {
  await db.query(sql`update queue.messages set ${fieldsOf(failure)}, died_at = now()
    where queue = ${queue} and id = ${id} and tries = ${tries}`);
}

function fieldsOf({ error, code, params }: AttemptFailure): Sql {
  const values = params ? jsonb(params) : null;
  return sql`error = ${error}, code = ${code ?? null}, params = ${values}`;
}

export async function findDeadLetters(
  db: Database,
  queue: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: DeadLetter[]; total: number }> {
  const items = await db.query<DeadRow>(sql`
    select id, data, error, code, params, tries, died_at as "diedAt" from queue.messages
    where queue = ${queue} and died_at is not null
    order by died_at, id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from queue.messages
    where queue = ${queue} and died_at is not null`);
  return {
    items: items.map(toDeadLetter),
    total: count?.total ?? 0,
  };
}

type DeadRow = Pick<DeadLetter, "id" | "data" | "error" | "tries"> & {
  code: string | null;
  params: ErrorParams | null;
  diedAt: Date;
};

function toDeadLetter({ code, params, diedAt, ...row }: DeadRow): DeadLetter {
  return {
    ...row,
    ...(code !== null && { code }),
    ...(params && { params }),
    diedAt: diedAt.toISOString(),
  };
}

export async function countMessages(db: Database, queue: string): Promise<QueueCounts> {
  const [counts] = await db.query<QueueCounts>(sql`
    select count(*) filter (where died_at is null)::int as waiting,
      count(*) filter (where died_at is not null)::int as "deadLetters"
    from queue.messages where queue = ${queue}`);
  return counts ?? { waiting: 0, deadLetters: 0 };
}

/** Deletes dead letters: those with the ids, or all. @returns how many. */
export async function deleteDeadLetters(
  db: Database,
  queue: string,
  ids?: string[],
): Promise<number> {
  if (ids?.length === 0) return 0;
  const selected = ids ? sql`id in (${join(ids)})` : sql`true`;
  const rows = await db.query(sql`delete from queue.messages
    where queue = ${queue} and died_at is not null and ${selected} returning id`);
  return rows.length;
}

/** Makes dead letters due again: those with the ids, or all. @returns how many. */
export async function reviveMessages(
  db: Database,
  queue: string,
  ids?: string[],
): Promise<number> {
  if (ids?.length === 0) return 0;
  const selected = ids ? sql`id in (${join(ids)})` : sql`true`;
  const rows = await db.query(sql`update queue.messages
    set died_at = null, error = null, code = null, params = null, tries = 0, due_at = now()
    where queue = ${queue} and died_at is not null and ${selected} returning id`);
  await db.notify(CHANNEL, queue);
  return rows.length;
}
