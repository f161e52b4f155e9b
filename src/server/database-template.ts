import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "../platform/single-flight.ts";
import { LEASE_TABLES } from "../platform/lease/leases.ts";
import { QUEUE_TABLES } from "../platform/queue/queue-tables.ts";
import { migrate } from "../platform/db/migrate.ts";
import { openDatabase } from "../platform/db/open-database.ts";
import { silentLog } from "../platform/telemetry/log.ts";
import { loadServices } from "./services.ts";

/**
 * The embedded database of a fresh installation, with all migrations. It is made once, when the
 * packages are installed, and copied by each first start: creating one takes three seconds of a
 * processor and more than a gigabyte.
 */
const HOME = fileURLToPath(
  new URL("../../node_modules/.cache/parlance-database/", import.meta.url),
);
const FOLDERS = ["../services/", "../platform/lease/", "../platform/queue/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** The template of this version. `undefined`: none was made, or the migrations are others now. */
export async function findTemplate(): Promise<string | undefined> {
  const folder = join(HOME, await nameOnce(), "database");
  return existsSync(folder) ? folder : undefined;
}

/**
 * Makes the template of this version, and removes those of others.
 * @throws Error when `node_modules` cannot be written, or the database cannot be created.
 */
export async function makeTemplate(): Promise<void> {
  if (await findTemplate()) return;
  await mkdir(HOME, { recursive: true });
  const made = await mkdtemp(join(HOME, "new-"));
  try {
    await makeIn(made);
    const name = await nameTemplate();
    for (const other of await readdir(HOME))
      if (!other.startsWith("new-") && other !== name)
        await rm(join(HOME, other), { recursive: true, force: true });
    // another process may have been faster
    await rename(made, join(HOME, name)).catch(async (error: unknown) => {
      if (!(await findTemplate())) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function makeIn(dataDir: string): Promise<void> {
  const log = silentLog();
  const db = await openDatabase({ dataDir, log });
  try {
    for (const tables of [LEASE_TABLES, QUEUE_TABLES])
      await migrate(db, { ...tables, log });
    for (const { name, schema = name, migrations } of await loadServices()) {
      if (migrations)
        await migrate(db, { schema: schema.replace("-", "_"), folder: migrations, log });
    }
  } finally {
    await db[Symbol.asyncDispose]();
  }
}

/** The migrations of a process do not change. */
const nameOnce = once(nameTemplate);

/** A name made of all that the template is made from. */
async function nameTemplate(): Promise<string> {
  const hash = createHash("sha256");
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  hash.update(await readFile(join(dirname(entry), "../package.json")));
  for (const folder of FOLDERS) {
    const files = (await readdir(folder, { recursive: true }))
      .filter((file) => /(^|\/)migrations\/\d{4}_\w+\.sql$/.test(file))
      .sort();
    for (const file of files) hash.update(file).update(await readFile(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 32);
}
