import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import type { ParsingJob } from "../parser/contract-jobs.ts";
import { retryFailed } from "./retry-failed.ts";

/** A person with very many failed documents. */
const MANY = 10_100;
let db: Database;
let sent: string[] = [];
let onSent: (job: ParsingJob) => Promise<void>;
const queue = {
  async publish(_: string, job: ParsingJob) {
    if (job.documentId) sent.push(job.documentId);
    await onSent(job);
  },
} as unknown as Queue;
const retry = (signal = new AbortController().signal) => {
  const limits = { leaseMs: 60_000, waitMs: 60_000, maxInWork: 2_000 };
  return retryFailed(
    { db, queue, ...limits },
    { ownerId: "anna", folderId: undefined },
    signal,
  );
};
const count = async (status: string) => {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from documents.documents where owner_id = 'anna' and status = ${status}`);
  return row?.count ?? 0;
};

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("./migrations/", import.meta.url),
    log: silentLog(),
  });
  const ids = Array.from({ length: MANY }, () => uuidv7());
  await db.query(sql`insert into documents.documents
      (id, owner_id, client_id, file_name, mime_type, size, storage_key, sha256, status)
    select id, 'anna', 'default', 'a.txt', 'text/plain', 1, 'documents/' || id, id, 'FAILED'
    from unnest(${ids}::uuid[]) as id`);
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => {
  sent = [];
  onSent = async () => {};
});

test("one call takes a thousand of very many, and others are served between its steps", async () => {
  const steps = new Set<number>();
  let isOver = false;
  const retried = retry().finally(() => (isOver = true));
  // the embedded database lets others in when a transaction has ended
  while (!isOver) steps.add(await count("FAILED"));
  expect(await retried).toBe(1_000);
  expect(new Set(sent).size).toBe(1_000);
  expect(await count("FAILED")).toBe(MANY - 1_000);
  const between = [...steps].filter((left) => left < MANY && left > MANY - 1_000);
  expect(between.length).toBeGreaterThan(5);
});

test("it begins nothing more once its caller has left", async () => {
  const leaving = new AbortController();
  const before = await count("FAILED");
  onSent = async () => leaving.abort();
  const retried = await retry(leaving.signal);
  expect(retried).toBeLessThan(100);
  expect(await count("FAILED")).toBe(before - retried);
});

test("a document that fails again at once is not taken again by the same call", async () => {
  onSent = async ({ documentId }) => {
    await db.query(sql`update documents.documents set status = 'FAILED', lease_until = null
      where id = ${documentId}`);
  };
  expect(await retry()).toBe(1_000);
  expect(new Set(sent).size).toBe(1_000);
});
