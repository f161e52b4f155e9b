import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sql from "sql-template-tag";
import { expect, test, vi } from "vitest";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import { migrate } from "./migrate.ts";

const log = silentLog();

test("an older version does not open the database of a newer one", async () => {
  await using db = await testDatabase();
  const older = await mkdtemp(join(tmpdir(), "parlance-older-"));
  const newer = await mkdtemp(join(tmpdir(), "parlance-newer-"));
  try {
    await writeFile(join(older, "0001_first.sql"), "create table town.first (id int);");
    await cp(older, newer, { recursive: true });
    await writeFile(join(newer, "0002_second.sql"), "create table town.second (id int);");
    const open = (folder: string) =>
      migrate(db, { schema: "town", folder: pathToFileURL(`${folder}/`), log });
    await db.query(sql`create schema town`);
    await open(newer);
    await expect(open(older)).rejects.toThrow(/newer version .* town\/0002_second.sql/);
    await open(newer);
  } finally {
    await rm(older, { recursive: true });
    await rm(newer, { recursive: true });
  }
});

test("a schema that lacks nothing is opened with one query", async () => {
  await using db = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "parlance-whole-"));
  try {
    await writeFile(join(folder, "0001_first.sql"), "create table village.first (id int);");
    const url = pathToFileURL(`${folder}/`);
    const queries = vi.spyOn(db, "query");
    await db.query(sql`create schema village`);
    await migrate(db, { schema: "village", folder: url, log });
    queries.mockClear();
    await migrate(db, { schema: "village", folder: url, log });
    expect(queries).toHaveBeenCalledTimes(1);
    await writeFile(join(folder, "0001_first.sql"), "create table village.other (id int);");
    await expect(migrate(db, { schema: "village", folder: url, log })).rejects.toThrow(
      /0001_first.sql was changed/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
