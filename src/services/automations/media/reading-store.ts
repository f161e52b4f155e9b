import sql, { type Sql } from "sql-template-tag";
import type { Room } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { RunError } from "../contract-runs.ts";
import { lockFairly } from "../claim-fairly.ts";
import { advanceRun } from "../runs/step-store.ts";
import { CHANGES, endRun, findRun, type MediumDetails, saveTranscript } from "../runs/store.ts";

/** A medium that a worker is reading. */
export interface HeldReading {
  runId: string;
  userId: string;
  claim: number;
  tries: number;
}

const LEASE = sql`interval '30 seconds'`;

const IS_OPEN = sql`status = 'reading'`;

/**
 * Claims media that are due, or whose lease expired. Each claim counts as an attempt, so a medium
 * that crashes the process every time fails in the end.
 */
export async function takeReadings(db: Database, room: Room): Promise<HeldReading[]> {
  return db.query<HeldReading>(sql`update automations.runs r
    set claim = r.claim + 1, tries = r.tries + 1, due_at = now() + ${LEASE}
    from (${lockFairly(sql`automations.runs`, IS_OPEN, room)}) due
    where r.ctid = due.ctid
    returning r.id as "runId", r.user_id as "userId", r.claim, r.tries`);
}

export async function renewReadings(
  db: Database,
  readings: readonly HeldReading[],
): Promise<Set<number>> {
  const held = readings.map(({ runId, claim }, at) => ({ runId, claim, at }));
  const rows = await db.query<{
    at: number;
  }>(sql`update automations.runs r set due_at = now() + ${LEASE}
    from jsonb_to_recordset(${jsonb(held)}) as h ("runId" uuid, claim int, at int)
    where r.id = h."runId" and r.claim = h.claim and r.status = 'reading' returning h.at`);
  return new Set(rows.map(({ at }) => at));
}

/** Schedules the next attempt. With `counts` false, the last attempt does not count as one. */
export async function saveLater(
  db: Database,
  reading: HeldReading,
  waitMs: number,
  { counts }: { counts: boolean },
): Promise<void> {
  const tries = counts ? sql`tries` : sql`tries - 1`;
  await updateHeld(
    db,
    reading,
    sql`due_at = now() + ${Math.round(waitMs)} * interval '1 millisecond', claim = claim + 1,
      tries = ${tries}`,
  );
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

async function updateHeld(db: Database, { runId, claim }: HeldReading, set: Sql): Promise<boolean> {
  const rows = await db.query(
    sql`update automations.runs set ${set}
      where id = ${runId} and claim = ${claim} and status = 'reading' returning id`,
  );
  return rows.length > 0;
}
