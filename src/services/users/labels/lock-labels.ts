import type { Database } from "../../../platform/db/database.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";

/**
 * Keeps labels and shares of a tenant as they are until the transaction ends. Whoever changes
 * one of them reads the other first, so two who change both at once would not see each other.
 * Call it before reading them, and after the lock of the folders where that is needed.
 */
export async function lockLabels(db: Database, clientId: string): Promise<void> {
  await lockKeys(db, [`labels and shares of ${clientId}`]);
}
