import type { Database } from "./database.ts";
import { lockKeys } from "./lock-keys.ts";
import { Conflict } from "../http/errors.ts";

interface Limit {
  /** The owner and the kind of the rows. Requests with the same key run one after another. */
  key: string;
  max: number;
  /** Counts the rows, without those that the insert replaces. */
  count: () => Promise<number>;
  /** The most rows that the insert adds. */
  added?: number;
  /** Of the error, with `max` in its params. */
  code: string;
  message: string;
}

/**
 * Inserts unless there would be more than `max` rows. Safe with concurrent requests.
 * @throws Conflict.
 */
export async function insertWithinLimit<Result>(
  db: Database,
  { key, max, count, added = 1, code, message }: Limit,
  insert: () => Promise<Result>,
): Promise<Result> {
  return db.tx(async () => {
    await lockKeys(db, [`limit ${key}`]);
    if (added > 0 && (await count()) + added > max)
      throw new Conflict(code, message, { params: { max } });
    return insert();
  });
}
