import { mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { copyFolder } from "../db/embedded.ts";
import type { Database } from "../db/database.ts";
import { openDatabase } from "../db/open-database.ts";
import { silentLog } from "../telemetry/log.ts";

/**
 * Opens an empty database for a test file: on the server of DATABASE_URL where that is set,
 * otherwise embedded. Disposing deletes it.
 */
export async function testDatabase(): Promise<Database> {
  const server = await testServerUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-test-"));
  if (!server) await copyTemplate(dataDir);
  const db = await openDatabase({
    url: server?.url,
    dataDir,
    log: silentLog(),
    connections: 4,
  });
  const close = db[Symbol.asyncDispose].bind(db);
  return Object.assign(db, {
    async [Symbol.asyncDispose]() {
      await close();
      await server?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
}

/** Copies an empty embedded database into the folder. Creating one takes two seconds. */
async function copyTemplate(dataDir: string): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const { version } = JSON.parse(
    await readFile(join(dirname(entry), "../package.json"), "utf8"),
  ) as { version: string };
  const template = join(tmpdir(), `parlance-template-${version}`);
  const existing = await stat(template).catch(() => undefined);
  if (!existing) {
    const folder = await mkdtemp(join(tmpdir(), "parlance-template-"));
    const db = await openDatabase({ dataDir: folder, log: silentLog() });
    await db[Symbol.asyncDispose]();
    // another test file may have been faster
    await rename(folder, template).catch(() =>
      rm(folder, { recursive: true, force: true }),
    );
  }
  copyFolder(join(template, "database"), join(dataDir, "database"));
}

/** Creates a database on the server of DATABASE_URL. `undefined` without a server. */
export async function testServerUrl(): Promise<
  { url: string; drop(): Promise<void> } | undefined
> {
  const base = process.env["DATABASE_URL"];
  if (!base) return undefined;
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await administer(base, `create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(base, `drop database if exists ${name} with (force)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
