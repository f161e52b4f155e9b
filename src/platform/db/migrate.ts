import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import sql, { raw } from "sql-template-tag";
import type { Logger } from "../telemetry/log.ts";
import type { Database } from "./database.ts";

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
  const files = (await readdir(folder))
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();
  await db.tx(
    async () => {
      // one process at a time on a server; the embedded database has one session
      await db.query(sql`select pg_advisory_xact_lock(7161, 1)`);
      await db.query(sql`create schema if not exists migrations`);
      await db.query(sql`create table if not exists migrations.applied (
      schema text not null, name text not null, checksum text not null, applied_at timestamptz not null default now(), primary key (schema, name))`);
      const applied = await db.query<{ name: string; checksum: string }>(
        sql`select name, checksum from migrations.applied where schema = ${schema}`,
      );
      const newer = applied.map(({ name }) => name).filter((name) => !files.includes(name));
      if (newer.length > 0) throw writtenByNewer(schema, newer);
      for (const name of files) {
        const text = await readFile(new URL(name, folder), "utf8");
        const checksum = createHash("sha256").update(text).digest("hex");
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

/** An older version would read and write tables that it does not know. */
function writtenByNewer(schema: string, names: readonly string[]): Error {
  return new Error(
    `This database was written by a newer version of Parlance: it has the migration ` +
      `${schema}/${names.toSorted().at(-1)}, which this version does not know. Start that version ` +
      "or a newer one, or restore a backup that was made before the upgrade.",
  );
}
