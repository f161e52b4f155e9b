import type { Sql } from "sql-template-tag";
import { inTurn } from "./batch-turns.ts";
import type { Database } from "./database.ts";

/**
 * Deletes or changes batch after batch until none is left, so that no statement runs long and
 * others are served between the batches.
 * @param runBatch returns how many rows it found.
 */
export async function repeatUntilNone(
  db: Database,
  runBatch: () => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted && (await inTurn(db, runBatch)) > 0);
}

const ROWS_PER_BATCH = 500;

/** @param statement changes at most so many rows, so that a repetition finds others. */
export async function changeInBatches(
  db: Database,
  statement: (rows: number) => Sql,
): Promise<void> {
  await repeatUntilNone(db, async () => (await db.query(statement(ROWS_PER_BATCH))).length);
}
