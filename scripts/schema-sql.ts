import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../src/platform/db/migrate.ts";
import { openDatabase } from "../src/platform/db/open-database.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { loadServices } from "../src/server/services.ts";
import { describeSchema } from "./describe-schema.ts";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: npm run schema-sql [-- --check]

Writes schema.sql of each service with migrations: its tables after all migrations.

  --check  write nothing, and fail when a file differs
  --help   print this`;

const { values } = readArguments(USAGE, {
  options: { check: { type: "boolean", default: false } },
});
const log = silentLog();
const dataDir = await mkdtemp(join(tmpdir(), "parlance-schema-"));
const db = await openDatabase({ dataDir, log });
const stale: string[] = [];

try {
  for (const { name, schema = name, migrations } of await loadServices()) {
    if (!migrations) continue;
    const owned = schema.replace("-", "_");
    await migrate(db, { schema: owned, folder: migrations, log });
    if (schema !== name) continue;
    const file = new URL("../schema.sql", migrations);
    const text = await describeSchema(db, owned);
    if (!values.check) await writeFile(file, text);
    else if ((await readFile(file, "utf8").catch(() => "")) !== text) stale.push(name);
  }
} finally {
  await db[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
}

if (stale.length > 0)
  console.error(`schema.sql of ${stale.join(", ")} is out of date: run npm run schema-sql`);
process.exit(stale.length > 0 ? 1 : 0);
