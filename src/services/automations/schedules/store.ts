import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb, storable } from "../../../platform/db/jsonb.ts";
import type { RunError } from "../contract-runs.ts";
import type { NewSchedule, Schedule } from "../contract-schedules.ts";

/** A schedule without the times that are derived from it. */
export type StoredSchedule = Omit<Schedule, "nextTimes">;
type Row = Omit<StoredSchedule, "nextAt" | "lastAt" | "createdAt" | "updatedAt"> & {
  nextAt: Date | null;
  lastAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};
const COLUMNS = sql`id, name, cron, time_zone as "timeZone", input, agents,
  is_active as "isActive", next_at as "nextAt", last_at as "lastAt",
  last_run_id as "lastRunId", error, created_at as "createdAt", updated_at as "updatedAt"`;

export async function listSchedules(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from automations.schedules where user_id = ${userId} order by id
      limit ${limit} offset ${offset}`,
  );
  return { items: rows.map(toSchedule), total: await countSchedules(db, userId) };
}

export async function countSchedules(db: Database, userId: string): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.schedules where user_id = ${userId}`,
  );
  return count?.total ?? 0;
}

export async function findSchedule(
  db: Database,
  userId: string,
  id: string,
): Promise<StoredSchedule | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from automations.schedules where id = ${id} and user_id = ${userId}`,
  );
  return row && toSchedule(row);
}

export async function insertSchedule(
  db: Database,
  { name, cron, timeZone, input, agents, isActive }: NewSchedule,
  { userId, clientId }: { userId: string; clientId: string },
  nextAt: Date | null,
): Promise<string> {
  const id = uuidv7();
  await db.query(sql`insert into automations.schedules (id, client_id, user_id, name, cron,
    time_zone, input, agents, is_active, next_at)
    values (${id}, ${clientId}, ${userId}, ${name}, ${cron}, ${timeZone}, ${storable(input)},
    ${jsonb(agents)}, ${isActive}, ${nextAt})`);
  return id;
}

/** Stores every field that a user may change. */
export async function updateSchedule(
  db: Database,
  schedule: StoredSchedule,
  nextAt: Date | null,
): Promise<void> {
  const { id, name, cron, timeZone, input, agents, isActive } = schedule;
  await db.query(sql`update automations.schedules
    set name = ${name}, cron = ${cron}, time_zone = ${timeZone}, input = ${storable(input)},
    agents = ${jsonb(agents)}, is_active = ${isActive}, next_at = ${nextAt},
    error = case when ${isActive}::boolean then null else error end, updated_at = now()
    where id = ${id}`);
}

export async function removeSchedule(
  db: Database,
  userId: string,
  id: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`delete from automations.schedules where id = ${id} and user_id = ${userId} returning id`,
  );
  return rows.length > 0;
}

export interface DueSchedule extends StoredSchedule {
  userId: string;
  clientId: string;
  tick: Date;
  /** By the clock of the database, which says what is due: those of processes differ. */
  lockedAt: Date;
}

export interface ScheduleOwner {
  userId: string;
  clientId: string;
}

/** The owners of the schedules that `lockDue` returns first. */
export async function findDueOwners(db: Database, limit: number): Promise<ScheduleOwner[]> {
  return db.query<ScheduleOwner>(sql`select distinct user_id as "userId", client_id as "clientId"
    from (select user_id, client_id from automations.schedules
      where is_active and next_at <= now() order by next_at limit ${limit}) as due`);
}

/** Due schedules, locked until the transaction ends, so that other replicas skip them. */
export async function lockDue(db: Database, limit: number): Promise<DueSchedule[]> {
  return findLocked(
    db,
    sql`is_active and next_at <= now() order by next_at limit ${limit} for update skip locked`,
  );
}

/** A user's schedule, locked until the transaction ends. */
export async function lockOwnSchedule(
  db: Database,
  userId: string,
  id: string,
): Promise<DueSchedule | undefined> {
  return (await findLocked(db, sql`id = ${id} and user_id = ${userId} for update`))[0];
}

async function findLocked(db: Database, condition: Sql): Promise<DueSchedule[]> {
  const rows = await db.query<Row & Pick<DueSchedule, "userId" | "clientId" | "lockedAt">>(
    sql`select ${COLUMNS}, user_id as "userId", client_id as "clientId", now() as "lockedAt"
      from automations.schedules where ${condition}`,
  );
  return rows.map((row) => ({
    ...toSchedule(row),
    userId: row.userId,
    clientId: row.clientId,
    tick: row.nextAt ?? row.lockedAt,
    lockedAt: row.lockedAt,
  }));
}

/** Stores the run that a tick started, and the time of the next tick. */
export async function saveTick(
  db: Database,
  { id, tick }: DueSchedule,
  runId: string | null,
  nextAt: Date | null,
): Promise<void> {
  await db.query(sql`update automations.schedules
    set next_at = ${nextAt}, last_at = ${tick}, last_run_id = coalesce(${runId}::uuid, last_run_id)
    where id = ${id}`);
}

/** Stops a schedule until its owner activates it again. */
export async function stopSchedule(
  db: Database,
  id: string,
  error: RunError,
): Promise<void> {
  await db.query(sql`update automations.schedules
    set is_active = false, next_at = null, error = ${jsonb(error)} where id = ${id}`);
}

function toSchedule(row: Row): StoredSchedule {
  const { nextAt, lastAt, createdAt, updatedAt, ...rest } = row;
  return {
    ...rest,
    nextAt: nextAt?.toISOString() ?? null,
    lastAt: lastAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
