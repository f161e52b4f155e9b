import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { memoryCache } from "../../../platform/cache/memory.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { diskFiles } from "../../../platform/files/disk-files.ts";
import type { Files } from "../../../platform/files/files.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { Poison, type Queue } from "../../../platform/queue/queue.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { ParsedResult } from "../parse-file.ts";
import { openFilePasswords } from "../../../platform/files/file-passwords.ts";
import { claimJob, findJob, insertJob } from "./job-store.ts";
import { forgetUser, personalData } from "../user-deletion.ts";
import { deleteOldJobs } from "./manage-jobs.ts";
import { type JobDeps, runJob, stopJob, MAX_ATTEMPTS } from "./run-job.ts";

let db: Database;
let files: Files;
let folder: string;
const sent: {
  queue: string;
  data: Record<string, unknown>;
  delayMs?: number | undefined;
}[] = [];
const queue = {
  publish: async (name: string, data: unknown, options?: { delayMs?: number }) =>
    void sent.push({
      queue: name,
      data: data as Record<string, unknown>,
      delayMs: options?.delayMs,
    }),
} as unknown as Queue;
let parse: JobDeps["parse"];
let parsed = 0;

const RESULT: ParsedResult = {
  file: { markdown: "# Read", pages: 1, warnings: [], pageQuality: [] },
  metadata: {
    fileName: "a.txt",
    mimeType: "text/plain",
    pages: 1,
    parserMethod: "local",
    fallbacks: [],
    warnings: [],
    durationMs: 1,
    trace: [],
  },
};

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "parser",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  folder = await mkdtemp(join(tmpdir(), "parlance-jobs-"));
  files = diskFiles(folder);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  sent.splice(0);
  parsed = 0;
  parse = async (_job, _signal, onProgress) => {
    parsed += 1;
    onProgress(0.5, "half");
    return RESULT;
  };
});

const passwords = openFilePasswords(memoryCache(), "secret");
/** Of a process of its own, unless given what one works on. */
const deps = (running = new Set<string>()): JobDeps => ({
  db,
  queue,
  files,
  passwords,
  running,
  parse: (...given) => parse(...given),
});
const job = () => ({
  jobId: uuidv7(),
  documentId: uuidv7(),
  fileName: "a.txt",
  storageKey: "documents/a",
  options: {},
});
const deliver = (
  data: unknown,
  attempt = 1,
  signal = new AbortController().signal,
  isOwn = true,
) => runJob(deps(), { id: "m", attempt, data, isOwn, signal });
const deliverForeign = (data: unknown) => deliver(data, 1, undefined, false);
const results = () =>
  sent.filter(({ queue: name }) => name === "parsing_results").map(({ data }) => data);
const stateOf = async (id: string) => (await findJob(db, id))?.status;

async function* upload() {
  yield new Uint8Array(3);
}

test("parses a file, stores its markdown, and publishes progress and outcome to documents", async () => {
  const one = job();
  await deliver(one);
  const { jobId, documentId } = one;
  expect(results()).toEqual([
    {
      jobId,
      documentId,
      status: "completed",
      markdownKey: `parsed/${jobId}.md`,
      metadata: RESULT.metadata,
    },
  ]);
  expect(sent.find(({ queue: name }) => name === "parsing_progress")?.data).toEqual({
    jobId,
    documentId,
    stage: "parsing",
    progress: 0.5,
    message: "half",
  });
  expect(await new Response(await files.read(`parsed/${jobId}.md`)).text()).toBe("# Read");
});

test("a job of another system reads only files that were stored for it", async () => {
  for (const storageKey of [
    "documents/a",
    "parsed/a.md",
    "parser-uploads/a",
    "automations/a",
    "shared/../documents/a",
    "shared/./a",
    "shared/",
    "/shared/a",
    "a",
  ])
    await expect(deliverForeign({ ...job(), storageKey })).rejects.toMatchObject({
      code: "message_unsigned",
    });
  expect([parsed, sent]).toEqual([0, []]);
});

test("a job of another system acts for no user and no document of ours, also when it is sent again", async () => {
  const given = { ...job(), storageKey: "shared/of-theirs/a.txt", userId: "ada" };
  const requester = "documents";
  await insertJob(db, {
    id: given.jobId,
    documentId: given.documentId,
    ownerId: null,
    fileName: given.fileName,
    storageKey: given.storageKey,
    ownFiles: false,
    options: {},
  });
  await claimJob(db, given.jobId, uuidv7(), 60_000);
  await deliverForeign({ ...given, requester });
  const again = sent.find(({ queue: name }) => name === "parsing_jobs")?.data as object;
  expect(again).not.toHaveProperty("userId");
  await db.query(sql`delete from parser.jobs where id = ${given.jobId}`);
  await deliver(again);
  expect((await findJob(db, given.jobId))?.ownerId).toBeNull();
  expect(results()).toMatchObject([{ jobId: given.jobId, status: "completed" }]);
  expect(results()[0]).not.toHaveProperty("requester");
});

test("stores lines that repeat on a document's pages once, after the first of them", async () => {
  const one = job();
  const furniture = [{ page: 1, text: "Acme *Ltd*" }];
  parse = async () => ({
    ...RESULT,
    file: { ...RESULT.file, markdown: "One\fTwo", pages: 2, furniture },
  });
  await deliver(one);
  const stored = await files.read(`parsed/${one.jobId}.md`);
  expect(await new Response(stored).text()).toBe("One\n\nAcme \\*Ltd\\*\fTwo");
});

test("a job started over HTTP publishes its progress and outcome when it names a document", async () => {
  const start = async (documentId: string | null) => {
    const jobId = uuidv7();
    const storageKey = `parser-uploads/${jobId}`;
    const row = { id: jobId, documentId, ownerId: "ada", fileName: "a.txt", storageKey };
    await insertJob(db, { ...row, ownFiles: true, options: {} });
    await deliver({
      jobId,
      ...(documentId && { documentId }),
      fileName: "a.txt",
      storageKey,
    });
    return jobId;
  };
  await start(null);
  expect(sent).toEqual([]);
  const documentId = uuidv7();
  const jobId = await start(documentId);
  expect(results()).toMatchObject([{ jobId, documentId, status: "completed" }]);
  expect(sent.map(({ queue: name }) => name)).toContain("parsing_progress");
});

test("a result names the requester of the job, also when it is published again", async () => {
  const one = { ...job(), requester: "another-system" };
  await deliver(one);
  await deliver(one);
  expect(results().map(({ requester }) => requester)).toEqual([
    "another-system",
    "another-system",
  ]);
});

test("is idempotent: a repeated job publishes its stored outcome", async () => {
  const one = job();
  await deliver(one);
  await deliver(one);
  expect(parsed).toBe(1);
  expect(results()[0]).toEqual(results()[1]);
  expect(results()).toHaveLength(2);
});

test("the file of a job whose worker was killed before it deleted it is deleted by the next", async () => {
  const jobId = uuidv7();
  const storageKey = `parser-uploads/${jobId}`;
  const row = {
    id: jobId,
    documentId: null,
    ownerId: "ada",
    fileName: "a.txt",
    storageKey,
  };
  await insertJob(db, { ...row, ownFiles: true, options: {} });
  const message = { jobId, fileName: "a.txt", storageKey };
  await deliver(message);
  await files.write(storageKey, upload(), { maxBytes: 10 });
  await deliver(message);
  await expect(files.read(storageKey)).rejects.toMatchObject({ code: "file_missing" });
  expect(parsed).toBe(1);
});

test("of two workers one parses; the other checks later, and takes over when the lease expires", async () => {
  const one = job();
  const first = Promise.withResolvers<ParsedResult>();
  const begun = Promise.withResolvers<void>();
  parse = () => {
    parsed += 1;
    begun.resolve();
    return parsed === 1 ? first.promise : Promise.resolve(RESULT);
  };
  const running = deliver(one);
  await begun.promise;
  await deliver(one);
  expect(parsed).toBe(1);
  expect(sent.filter(({ queue: name }) => name === "parsing_jobs")).toEqual([
    { queue: "parsing_jobs", data: one, delayMs: expect.any(Number) },
  ]);
  await db.query(
    sql`update parser.jobs set lease_until = now() - interval '1 second' where id = ${one.jobId}`,
  );
  await deliver(one);
  expect([parsed, results().length]).toEqual([2, 1]);
  // the first worker continues, and its result is ignored
  first.resolve(RESULT);
  await running;
  expect(results()).toHaveLength(1);
});

test("a process does not take a job from itself, also when its lease looks expired", async () => {
  const one = job();
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  parse = async () => {
    began.resolve();
    await end.promise;
    return RESULT;
  };
  const process = deps(new Set());
  const signal = new AbortController().signal;
  const delivery = { id: "m", attempt: 1, data: one, isOwn: true, signal };
  const first = runJob(process, delivery);
  await began.promise;
  await db.query(sql`update parser.jobs set lease_until = now() where id = ${one.jobId}`);
  parse = () => Promise.reject(new Error("taken twice"));
  await runJob(process, delivery);
  expect(sent.filter(({ queue: name }) => name === "parsing_jobs")).toHaveLength(1);
  end.resolve();
  await first;
  expect(results()).toMatchObject([{ jobId: one.jobId, status: "completed" }]);
});

test("a failure caused by the file is an outcome, published once", async () => {
  const one = job();
  parse = () =>
    Promise.reject(new ApiError(422, "no_text_found", "There is no text in this file."));
  await deliver(one);
  await deliver(one);
  const { jobId, documentId } = one;
  const failed = {
    jobId,
    documentId,
    status: "failed",
    error: { code: "no_text_found", message: "There is no text in this file." },
  };
  expect(results()).toEqual([failed, failed]);
});

test("a failure of a service is retried; the last attempt reports a failure without internal details", async () => {
  const one = job();
  parse = () => Promise.reject(new Error("planted inside"));
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    await expect(deliver(one, attempt)).rejects.toThrow();
    expect(await stateOf(one.jobId)).toBe("queued");
  }
  expect(results()).toEqual([]);
  await expect(deliver(one, MAX_ATTEMPTS)).rejects.toBeInstanceOf(Poison);
  expect(results()).toMatchObject([{ status: "failed", error: { code: "parser_failed" } }]);
  expect(JSON.stringify(results())).not.toContain("planted");
  parse = async () => RESULT;
  const other = job();
  parse = () => Promise.reject(new Error("away"));
  await expect(deliver(other)).rejects.toThrow();
  parse = async () => RESULT;
  await deliver(other, 2);
  expect(results().at(-1)).toMatchObject({ jobId: other.jobId, status: "completed" });
});

test("a job stopped in the queue is not parsed, and one in progress ends without an outcome", async () => {
  const early = job();
  await stopJob(deps(), { data: { jobId: early.jobId } });
  await deliver(early);
  expect([parsed, results()]).toEqual([0, []]);

  const late = job();
  parse = (_, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error)),
    );
  const running = deliver(late);
  await vi.waitFor(
    async () => expect(await stateOf(late.jobId)).toBe("processing"),
    90_000,
  );
  await stopJob(deps(), { data: { jobId: late.jobId } });
  await running;
  expect([await stateOf(late.jobId), results()]).toEqual(["failed", []]);
});

test("a worker that shuts down releases its job", async () => {
  const one = job();
  const stopping = new AbortController();
  parse = (_, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error)),
    );
  const running = deliver(one, MAX_ATTEMPTS, stopping.signal);
  await vi.waitFor(async () => expect(await stateOf(one.jobId)).toBe("processing"), 90_000);
  stopping.abort();
  await expect(running).rejects.toThrow();
  expect([await stateOf(one.jobId), results()]).toEqual(["queued", []]);
});

test("an invalid message goes to the dead letters", async () => {
  await expect(deliver({ jobId: 5 })).rejects.toBeInstanceOf(Poison);
  await expect(stopJob(deps(), { data: {} })).rejects.toBeInstanceOf(Poison);
});

test("deletes old jobs, and keeps the markdown of documents", async () => {
  const one = job();
  await deliver(one);
  await db.query(
    sql`update parser.jobs set updated_at = now() - interval '2 days' where id = ${one.jobId}`,
  );
  expect(await deleteOldJobs({ db, files }, 24 * 3_600_000)).toBe(1);
  expect(await stateOf(one.jobId)).toBeUndefined();
  expect(await readdir(join(folder, "parsed"))).toContain(`${one.jobId}.md`);
});

test("deletes everything of a deleted user except jobs of documents, which may be transferred", async () => {
  const own = uuidv7();
  const storageKey = `parser-uploads/${own}`;
  await files.write(storageKey, upload(), { maxBytes: 10 });
  const row = { documentId: null, ownerId: "bob", fileName: "a", storageKey, options: {} };
  await insertJob(db, { ...row, id: own, ownFiles: true });
  const ofDocument = job();
  await insertJob(db, {
    ...row,
    id: ofDocument.jobId,
    documentId: ofDocument.documentId,
    ownFiles: false,
    storageKey: "documents/a",
  });
  for (let times = 0; times < 2; times += 1)
    await forgetUser({ db, files }, { userId: "bob", transferTo: null });
  expect([await stateOf(own), (await findJob(db, ofDocument.jobId))?.ownerId]).toEqual([
    undefined,
    null,
  ]);
  await expect(files.read(storageKey)).rejects.toMatchObject({ code: "file_missing" });
  await deliver(ofDocument);
  expect(results()).toHaveLength(1);
});

test("a message that arrives after its user was deleted stores nothing", async () => {
  const own = uuidv7();
  await deliver({
    jobId: own,
    userId: "bob",
    fileName: "bob.txt",
    storageKey: `parser-uploads/${own}`,
    options: {},
  });
  expect([await stateOf(own), parsed]).toEqual([undefined, 0]);
});

test("an export lists each job of a user once, however long its text, and leaves out the text of documents", async () => {
  const texts = ["x".repeat(4_000_001), "short", "a document's"];
  parse = async ({ fileName }) => ({
    ...RESULT,
    file: { ...RESULT.file, markdown: texts[Number(fileName)] ?? "" },
  });
  const ids = [uuidv7(), uuidv7(), uuidv7()];
  for (const [index, id] of ids.entries()) {
    const fileName = String(index);
    const one = {
      jobId: id,
      documentId: uuidv7(),
      userId: "ann",
      fileName,
      storageKey: "documents/a",
      options: {},
    };
    if (index < 2)
      await insertJob(db, {
        ...one,
        id,
        ownerId: "ann",
        ownFiles: true,
        storageKey: `parser-uploads/${id}`,
      });
    await deliver(one);
  }
  await deliver({ ...job(), userId: "another" });
  const first = await personalData({ db, files }, "ann", undefined);
  expect([first.records.length, first.next]).toEqual([1, ids[0]]);
  const { records, next } = await personalData(
    { db, files },
    "ann",
    first.next ?? undefined,
  );
  expect(next).toBeNull();
  expect(
    [...first.records, ...records].map(({ data }) => [
      data["id"],
      data["status"],
      data["markdown"],
    ]),
  ).toEqual([
    [ids[0], "completed", texts[0]],
    [ids[1], "completed", "short"],
    [ids[2], "completed", undefined],
  ]);
});
