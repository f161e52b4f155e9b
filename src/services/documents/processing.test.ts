import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { diskFiles } from "../../platform/files/disk-files.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import type { EmbeddingJob } from "../embedding/contract-jobs.ts";
import type { ParsingJob } from "../parser/contract-jobs.ts";
import { processingConsumers } from "./consumers.ts";
import { followDocument } from "./follow-document.ts";
import { type Access } from "./access.ts";
import { folderNotFound } from "./contract-not-found.ts";
import { createFolder } from "./folders.ts";
import { processDocument, recoverLost, recoverNeglected } from "./process-document.ts";
import { findProcessable, saveStopped } from "./processing-store.ts";
import { findDocuments, insertDocument } from "./store.ts";

let db: Database;
let files: Files;
let folder: string;
const sent: { queue: string; data: ParsingJob & EmbeddingJob; id: string | undefined }[] =
  [];
const queue = {
  publish: async (name: string, data: unknown, options?: { id?: string }) =>
    void sent.push({
      queue: name,
      data: data as ParsingJob & EmbeddingJob,
      id: options?.id,
    }),
} as unknown as Queue;
const LEASE_MS = 60_000;
let maxInWork = 1_000;
const deps = () => ({
  db,
  queue,
  files,
  leaseMs: LEASE_MS,
  waitMs: LEASE_MS * 6,
  maxInWork,
});

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("./migrations/", import.meta.url),
    log: silentLog(),
  });
  folder = await mkdtemp(join(tmpdir(), "parlance-files-"));
  files = diskFiles(folder);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function* bytes(text: string) {
  yield new TextEncoder().encode(text);
}

async function upload(folderId: string | null = null, ownerId = "anna") {
  const id = uuidv7();
  const storageKey = `documents/${id}`;
  await files.write(storageKey, bytes("x"), { maxBytes: 10 });
  const stored = {
    id,
    ownerId,
    clientId: "default",
    folderId,
    fileName: "a.txt",
    mimeType: "text/plain",
    size: 1,
    storageKey,
  };
  await insertDocument(db, { ...stored, sha256: id, purpose: null });
  await processDocument(deps(), { ...stored, markdownKey: null });
  return { id, jobId: lastJob("parsing_jobs").jobId };
}

const lastJob = (name: string) => {
  const message = sent.findLast(({ queue: to }) => to === name);
  if (!message) throw new Error(`nothing was sent to ${name}`);
  return message.data;
};
const deliver = (name: string, data: object, isOwn = true) =>
  processingConsumers(deps())[name]?.({ data, isOwn });
const findStatus = async (id: string) => (await findDocuments(db, [id]))[0];
const metadata = {
  pages: 1,
  parserMethod: "text",
  fallbacks: [],
  warnings: [],
  durationMs: 1,
  trace: [],
};
const embedded = {
  status: "completed",
  chunks: 2,
  embedded: 2,
  translated: 0,
  model: "built-in",
  dimensions: 1024,
};
const deliverParsed = async (
  id: string,
  jobId: string,
  requester: string | null = "documents",
) => {
  const key = `parsed/${jobId}.md`;
  await files.write(key, bytes("# A"), { maxBytes: 10 });
  await deliver("parsing_results", {
    jobId,
    documentId: id,
    status: "completed",
    markdownKey: key,
    metadata,
    ...(requester && { requester }),
  });
};
const expireLease = (id: string) =>
  db.query(
    sql`update documents.documents set lease_until = now() - interval '1 second' where id = ${id}`,
  );
const listMarkdown = async () =>
  (await readdir(join(folder, "parsed")).catch(() => [])).sort();

test("duplicate and late messages do not disturb the way from UPLOADED to PROCESSED", async () => {
  const { id, jobId } = await upload();
  expect(await findStatus(id)).toMatchObject({
    status: "UPLOADED",
    progress: 0,
    error: null,
  });
  const half = { jobId, documentId: id, stage: "parsing", progress: 0.5 };
  await deliver("parsing_progress", half);
  expect(await findStatus(id)).toMatchObject({ status: "PARSING", progress: 0.5 });
  await deliver("parsing_progress", { ...half, progress: 0.2 });
  expect(await findStatus(id)).toMatchObject({ progress: 0.5 });

  const jobs = () =>
    sent.filter(({ queue: to, id: of }) => to === "embedding_jobs" && of === jobId);
  await deliverParsed(id, jobId);
  await deliverParsed(id, jobId);
  await deliver("parsing_progress", { ...half, progress: 0.9 });
  expect(await findStatus(id)).toMatchObject({
    status: "PARSED",
    progress: 0,
    parsing: { pages: 1 },
  });
  expect(jobs().map(({ data }) => data)).toEqual([
    {
      jobId,
      documentId: id,
      fileName: "a.txt",
      storageKey: `parsed/${jobId}.md`,
      options: {},
      layout: { kind: "none", parts: 1 },
      requester: "documents",
    },
  ]);

  await deliver("embedding_results", { jobId, documentId: id, ...embedded });
  await deliver("embedding_progress", {
    jobId,
    documentId: id,
    stage: "embedding",
    progress: 0.4,
  });
  await deliver("embedding_results", {
    jobId,
    documentId: id,
    status: "failed",
    error: { code: "late", message: "late" },
  });
  expect(await findStatus(id)).toMatchObject({
    status: "PROCESSED",
    progress: 1,
    error: null,
    indexing: { chunks: 2 },
  });
  expect(await listMarkdown()).toEqual([`${jobId}.md`]);
});

test("a failure stores its stage and reason, and an invalid message is rejected", async () => {
  const { id, jobId } = await upload();
  const error = { code: "no_text_found", message: "No text was found." };
  await deliver("parsing_results", { jobId, documentId: id, status: "failed", error });
  expect(await findStatus(id)).toMatchObject({
    status: "FAILED",
    error: { stage: "parsing", ...error },
  });
  await expect(deliver("parsing_results", { jobId: 5 })).rejects.toThrow("invalid message");
});

test("messages of a stopped or former attempt are ignored, its markdown deleted", async () => {
  const { id, jobId } = await upload();
  expect(await saveStopped(db, id)).toBe(true);
  expect(await saveStopped(db, id)).toBe(false);
  await deliverParsed(id, jobId);
  expect(await findStatus(id)).toMatchObject({
    status: "FAILED",
    error: { stage: "parsing", code: "stopped" },
    parsing: null,
  });
  expect(await listMarkdown()).not.toContain(`${jobId}.md`);

  const again = async (from: "parsing" | "embedding") => {
    const document = await findProcessable(db, id);
    if (document) await processDocument(deps(), document, { from });
  };
  await again("parsing");
  const second = lastJob("parsing_jobs").jobId;
  await deliverParsed(id, second);
  await again("parsing");
  const third = lastJob("parsing_jobs").jobId;
  expect(new Set([jobId, second, third]).size).toBe(3);
  await deliverParsed(id, third);
  expect(
    (await listMarkdown()).filter((name) =>
      [second, third].some((job) => name === `${job}.md`),
    ),
  ).toEqual([`${third}.md`]);

  await again("embedding");
  expect(lastJob("embedding_jobs").storageKey).toBe(`parsed/${third}.md`);
  expect(await findStatus(id)).toMatchObject({ status: "PARSED" });
});

test.each([null, "another-system"])(
  "a result that %s asked for changes no document, and its markdown stays",
  async (requester) => {
    const { id, jobId } = await upload();
    const foreign = uuidv7();
    await deliverParsed(id, foreign, requester);
    await deliverParsed(uuidv7(), uuidv7(), requester);
    expect(await findStatus(id)).toMatchObject({ status: "UPLOADED", parsing: null });
    expect(await listMarkdown()).toContain(`${foreign}.md`);
    await deliverParsed(id, jobId);
    expect(await findStatus(id)).toMatchObject({ status: "PARSED" });
  },
);

test("a lost document is sent again while it waits, and fails after three restarts", async () => {
  const { id, jobId } = await upload();
  for (let round = 0; round < 5; round += 1) {
    await expireLease(id);
    await recoverNeglected(deps(), new AbortController().signal);
    expect(sent.at(-1)).toMatchObject({
      queue: "parsing_jobs",
      id: jobId,
      data: { jobId },
    });
  }
  let job = jobId;
  for (let round = 0; round < 3; round += 1) {
    await deliver("parsing_progress", {
      jobId: job,
      documentId: id,
      stage: "parsing",
      progress: 0.1,
    });
    expect(await recoverLost(deps())).toBe(0);
    await expireLease(id);
    await recoverLost(deps());
    expect(lastJob("parsing_jobs").jobId).not.toBe(job);
    job = lastJob("parsing_jobs").jobId;
    expect(await findStatus(id)).toMatchObject({ status: "UPLOADED", progress: 0 });
  }
  await deliver("parsing_progress", {
    jobId: job,
    documentId: id,
    stage: "parsing",
    progress: 0.1,
  });
  await expireLease(id);
  await recoverLost(deps());
  expect(await findStatus(id)).toMatchObject({
    status: "FAILED",
    error: { stage: "parsing", code: "processing_lost" },
  });
  await expireLease(id);
  expect(await recoverLost(deps())).toBe(0);
});

test("a folder inherits the settings that it lacks from its parent", async () => {
  const access: Access = {
    require: async (_, __, thing) => thing ?? Promise.reject(folderNotFound()),
    filterVisible: async () => [],
    findShared: async () => [],
    register: async () => {},
    forget: async () => {},
  };
  const user = { userId: "anna", clientId: "default" } as Parameters<
    typeof createFolder
  >[1];
  const outer = await createFolder({ db, access, maxFolders: 100 }, user, {
    name: "outer",
    parentId: null,
    settings: { method: "semchunk", chunkSize: 200, ocrEnabled: false },
  });
  const inner = await createFolder({ db, access, maxFolders: 100 }, user, {
    name: "inner",
    parentId: outer.id,
    settings: { chunkSize: 300 },
  });
  const { id, jobId } = await upload(inner.id);
  expect(lastJob("parsing_jobs").options).toEqual({ ocrEnabled: false, ocrMode: "auto" });
  await deliverParsed(id, jobId);
  expect(lastJob("embedding_jobs").options).toEqual({ method: "semchunk", chunkSize: 300 });
});

test("a stream reports each status once and ends with the last", async () => {
  const { id, jobId } = await upload();
  const read = async () => {
    const document = await findStatus(id);
    if (!document) throw new Error("gone");
    return document;
  };
  const heard: string[] = [];
  const following = (async () => {
    for await (const [event] of followDocument(db, id, read, new AbortController().signal))
      if (event) {
        heard.push(event.status);
        if (event.status === "UPLOADED") void deliverParsed(id, jobId);
        if (event.status === "PARSED")
          void deliver("embedding_results", { jobId, documentId: id, ...embedded });
      }
  })();
  await following;
  expect(heard).toEqual(["UPLOADED", "PARSED", "PROCESSED"]);
});

test("the limit of documents in progress holds documents of one user, not of others", async () => {
  maxInWork = 2;
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push((await upload(null, "greedy")).id);
  const sentOf = (wanted: readonly string[]) =>
    sent.map(({ data }) => data.documentId).filter((id) => wanted.includes(id));
  expect(sentOf(ids)).toEqual(ids.slice(0, 2));
  const other = await upload(null, "modest");
  expect(sentOf([other.id])).toEqual([other.id]);

  const jobOf = (id: string) =>
    sent.findLast(({ data }) => data.documentId === id)?.data.jobId;
  const error = { code: "broken", message: "It is broken." };
  const [first = "", second = ""] = ids;
  const failed = { jobId: jobOf(first), documentId: first, status: "failed", error };
  await deliver("parsing_results", failed);
  expect(sentOf(ids)).toEqual(ids.slice(0, 3));
  // a stopped document frees its place at the next sweep
  await saveStopped(db, second);
  await recoverNeglected(deps(), new AbortController().signal);
  expect(sentOf(ids)).toEqual(ids);
  await recoverNeglected(deps(), new AbortController().signal);
  expect(sentOf(ids)).toEqual(ids);
  maxInWork = 1_000;
});

test("a result without our signature shows no other text and deletes none", async () => {
  const [victim, own] = [await upload(), await upload()];
  await deliverParsed(victim.id, victim.jobId);
  const forge = (documentId: string, jobId: string, markdownKey: string) => {
    const said = { status: "completed", metadata, requester: "documents" };
    return deliver("parsing_results", { documentId, jobId, markdownKey, ...said }, false);
  };
  const theirs = `parsed/${victim.jobId}.md`;
  // the text of another document, in one's own
  await forge(own.id, own.jobId, theirs);
  expect((await findStatus(own.id))?.status).toBe("UPLOADED");
  // a late result, whose text would be deleted
  await forge(own.id, victim.jobId, theirs);
  expect(await listMarkdown()).toContain(`${victim.jobId}.md`);
  // another system in the place of the parser
  await files.write(`parsed/${own.jobId}.md`, bytes("# B"), { maxBytes: 10 });
  await forge(own.id, own.jobId, `parsed/${own.jobId}.md`);
  expect((await findStatus(own.id))?.status).toBe("PARSED");
});
