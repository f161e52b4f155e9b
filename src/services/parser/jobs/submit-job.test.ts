import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryCache } from "../../../platform/cache/memory.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { diskFiles } from "../../../platform/files/disk-files.ts";
import { openFilePasswords } from "../../../platform/files/file-passwords.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { submitJob } from "./manage-jobs.ts";

let folder: string;
let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-files-"));
  db = await testDatabase();
  const schema = { schema: "parser", folder: new URL("../migrations/", import.meta.url) };
  await migrate(db, { ...schema, log: silentLog() });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Sends a file through a database that changes as given. @returns its files afterwards. */
async function filesAfter(database: Partial<Database>): Promise<string[]> {
  const own = await mkdtemp(join(folder, "job-"));
  const sent = submitJob(
    {
      db: { ...db, query: db.query.bind(db), tx: db.tx.bind(db), ...database } as Database,
      queue: { publish: async () => {} } as unknown as Queue, // all that is asked of it
      files: diskFiles(own),
      passwords: openFilePasswords(memoryCache(), "secret"),
    },
    new Request("http://parser/", {
      method: "POST",
      body: "words",
      headers: { "x-original-filename": "a.txt" },
    }),
    {
      documentId: null,
      ownerId: "ann",
      options: {} as Parameters<typeof submitJob>[2]["options"],
      idempotencyKey: null,
      maxBytes: 100,
      signal: AbortSignal.timeout(60_000),
    },
  );
  await expect(sent).rejects.toThrow("connection lost");
  const entries = await readdir(own, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const lost = async () => {
  throw new Error("connection lost");
};

test("the file of a job that could not be stored is deleted", async () => {
  expect(await filesAfter({ tx: lost })).toEqual([]);
});

test("a file stays while it is unknown whether its job was stored", async () => {
  let query: Database["query"] = db.query.bind(db);
  const files = await filesAfter({
    query: (...asked) => query(...asked),
    async tx(work) {
      await db.tx(work);
      query = lost;
      return await lost();
    },
  });
  expect(files).toHaveLength(1);
});
