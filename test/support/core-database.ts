import type { Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { testDatabase } from "../../src/platform/testing/database.ts";

/** A database with core's tables. */
export async function coreDatabase(): Promise<Database> {
  const db = await testDatabase();
  const folder = new URL("../../src/services/core/migrations/", import.meta.url);
  await migrate(db, { schema: "core", folder, log: silentLog() });
  return db;
}
