import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import sql, { raw } from "sql-template-tag";
import type { Logger } from "../telemetry/log.ts";
import type { Database } from "./database.ts";
import { isUndefinedTable } from "./errors.ts";

interface Migration {
  /** The PostgreSQL schema, named after its owner. */
  schema: string;
  /** Holds `NNNN_name.sql`. */
  folder: URL;
  log: Logger;
}

/**
 * Applies the migrations of one schema that are missing, in order and in one transaction. Several
 * processes may start at once.
 * @throws Error when a file has changed after it was applied, or is not of this version.
 */
export async function migrate(
  db: Database,
  { schema, folder, log }: Migration,
): Promise<void> {
  const files = readMigrations(folder);
  const names = new Set(files.map(({ name }) => name));
  if (await areApplied(db, schema, files)) return;
  await db.tx(
    async () => {
      // one process at a time on a server; the embedded database has one session
      await db.query(sql`select pg_advisory_xact_lock(7161, 1)`);
      await db.query(sql`create schema if not exists migrations`);
      await db.query(sql`create table if not exists migrations.applied (
      schema text not null, name text not null, checksum text not null, applied_at timestamptz not null default now(), primary key (schema, name))`);
      const applied = await listApplied(db, schema);
      const newer = applied.map(({ name }) => name).filter((name) => !names.has(name));
      if (newer.length > 0) throw writtenByNewer(schema, newer);
      for (const { name, text, checksum } of files) {
        const before = applied.find((row) => row.name === name);
        if (before?.checksum === checksum) continue;
        if (before)
          throw new Error(
            `Migration ${schema}/${name} was changed after it was applied. Put it back and add a new file.`,
          );
        await db.query(raw(text));
        await db.query(
          sql`insert into migrations.applied (schema, name, checksum) values (${schema}, ${name}, ${checksum})`,
        );
        log.info({ schema, migration: name }, "migrated");
      }
    },
    { unbounded: true },
  );
}

interface File {
  name: string;
  text: string;
  checksum: string;
}

/** Blocking: a start has nothing else to do, and to wait for each small file takes far longer. */
function readMigrations(folder: URL): File[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    });
}

function listApplied(db: Database, schema: string) {
  return db.query<{ name: string; checksum: string }>(
    sql`select name, checksum from migrations.applied where schema = ${schema}`,
  );
}

/** Whether nothing is to be done, as at most starts: one query in the place of six. */
async function areApplied(
  db: Database,
  schema: string,
  files: readonly File[],
): Promise<boolean> {
  const applied = await listApplied(db, schema).catch((error: unknown) => {
    if (isUndefinedTable(error)) return [];
    throw error;
  });
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return (
    checksums.size === files.length &&
    files.every(({ name, checksum }) => checksums.get(name) === checksum)
  );
}

/** An older version would read and write tables that it does not know. */
function writtenByNewer(schema: string, names: readonly string[]): Error {
  return new Error(
    `This database was written by a newer version of Parlance: it has the migration ` +
      `${schema}/${names.toSorted().at(-1)}, which this version does not know. Start that version ` +
      "or a newer one, or restore a backup that was made before the upgrade.",
  );
}
