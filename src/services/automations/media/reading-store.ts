import sql, { type Sql } from "sql-template-tag";
import type { Capacity } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import {
  claimRows,
  leaseEnd,
  renewRows,
  type RowLease,
} from "../../../platform/lease/row-lease.ts";
import type { RunError } from "../contract-runs.ts";
import { lockFairly } from "../claim-fairly.ts";
import { advanceRun } from "../runs/step-store.ts";
import {
  CHANGES,
  endRun,
  findRun,
  type MediumDetails,
  saveTranscript,
} from "../runs/store.ts";

/** A medium that a worker is reading. */
export interface HeldReading {
  runId: string;
  userId: string;
  claim: number;
  tries: number;
}

const LEASE: RowLease = {
  table: sql`automations.runs`,
  until: sql`due_at`,
  fence: sql`claim`,
  durationMs: 30_000,
};

const IS_OPEN = sql`status = 'reading'`;

/**
 * Claims media that are due, or whose lease expired. Each claim counts as an attempt, so a medium
 * that crashes the process every time fails in the end.
 */
export async function takeReadings(
  db: Database,
  capacity: Capacity,
): Promise<HeldReading[]> {
  return claimRows<HeldReading>(db, LEASE, {
    due: lockFairly(LEASE.table, IS_OPEN, capacity),
    set: sql`tries = claimed.tries + 1`,
    returning: sql`claimed.id as "runId", claimed.user_id as "userId", claimed.claim, claimed.tries`,
  });
}

export async function renewReadings(
  db: Database,
  readings: readonly HeldReading[],
): Promise<Set<number>> {
  return renewRows(db, LEASE, {
    held: readings.map(({ runId, claim }) => ({ runId, claim })),
    fields: sql`"runId" uuid, claim int`,
    match: sql`claimed.id = held."runId" and claimed.claim = held.claim
      and claimed.status = 'reading'`,
  });
}

/** Schedules the next attempt. With `counts` false, the last attempt does not count as one. */
export async function saveLater(
  db: Database,
  reading: HeldReading,
  waitMs: number,
  { counts }: { counts: boolean },
): Promise<void> {
  const tries = counts ? sql`tries` : sql`tries - 1`;
  const set = sql`due_at = ${leaseEnd(waitMs)}, claim = claim + 1, tries = ${tries}`;
  await updateHeld(db, reading, set);
}

/** Stores the document that was created from the medium. */
export async function saveDocument(
  db: Database,
  reading: HeldReading,
  documentId: string,
): Promise<void> {
  await updateHeld(db, reading, sql`document_id = ${documentId}`);
}

/** Stores the text of a medium and starts its agents. @returns whether the claim was valid. */
export async function saveRead(
  db: Database,
  reading: HeldReading,
  read: { transcript: string } & MediumDetails,
): Promise<boolean> {
  return db.tx(async () => {
    await findRun(db, reading.runId, { locked: true });
    if (!(await updateHeld(db, reading, sql`claim = claim`))) return false;
    await saveTranscript(db, reading.runId, read);
    await advanceRun(db, reading.runId);
    return true;
  });
}

/** Ends a run whose medium cannot be read. The bytes stay, so that the run can be repeated. */
export async function saveUnread(
  db: Database,
  reading: HeldReading,
  error: RunError,
): Promise<void> {
  await db.tx(async () => {
    await findRun(db, reading.runId, { locked: true });
    if (!(await updateHeld(db, reading, sql`claim = claim`))) return;
    await db.query(sql`update automations.steps set status = 'skipped', ended_at = now(),
      error = ${jsonb({ code: "medium_not_read", message: "The medium could not be read." })}
      where run_id = ${reading.runId}`);
    await endRun(db, reading.runId, "failed", error);
    await db.notify(CHANGES, reading.runId);
  });
}

async function updateHeld(
  db: Database,
  { runId, claim }: HeldReading,
  set: Sql,
): Promise<boolean> {
  const rows = await db.query(
    sql`update automations.runs set ${set}
      where id = ${runId} and claim = ${claim} and status = 'reading' returning id`,
  );
  return rows.length > 0;
}
