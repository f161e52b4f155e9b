import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeDocument,
} from "../../../../test/support/documents-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Unavailable } from "../../../platform/http/errors.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { createWorkers, type Workers } from "../../../platform/workers/workers.ts";
import { EMBEDDING_RESULTS, type EmbeddingJob } from "../contract-jobs.ts";
import { cutOptionsOf } from "../cut-options.ts";
import type { EmbeddingModels } from "../models/all-models.ts";
import type { EmbeddingModel } from "../models/embedding-model.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { changeModel } from "./change-model.ts";
import { indexDocument } from "./index-document.ts";
import { adoptModel } from "./adopt-model.ts";
import { activeModel, nextModel } from "./models-store.ts";
import { embeddingWorker } from "./take-job.ts";

let db: Database;
let workers: Workers;
beforeAll(async () => {
  db = await documentsDatabase();
  await adoptModel(db, hashedWords());
  workers = createWorkers({ size: 1 });
});
afterAll(async () => {
  await workers[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

/** A model of hashed words under any name. `most`: the number of texts after which it fails. */
function countingModel(name = "hashed-words-v1", most = Infinity) {
  const inner = hashedWords();
  const asked: string[] = [];
  const model: EmbeddingModel = {
    ...inner,
    name,
    maxBatchSize: 4,
    async embed(texts, ...rest) {
      if (asked.length + texts.length > most)
        throw new Unavailable("embedding_unreachable", "The model is down.");
      asked.push(...texts);
      return inner.embed(texts, ...rest);
    },
  };
  return { model, asked };
}
const only = (...models: EmbeddingModel[]): EmbeddingModels => ({
  configured: models[0] ?? hashedWords(),
  find: async ({ name }) => models.find((model) => model.name === name),
});
const translator = {
  model: async () => "m",
  toEnglish: async () => "The coffee is filtered in the afternoon.",
};

const aDocument = (jobId: string | null = null) =>
  storeDocument(db, { status: "PARSED", jobId });
/** Starts a new attempt at the document. */
async function begin(documentId: string): Promise<string> {
  const jobId = uuidv7();
  await db.query(
    sql`update documents.documents set job_id = ${jobId} where id = ${documentId}`,
  );
  return jobId;
}
/** The routes of the documents service that the embedding service calls. */
const documents = async ({ url, method }: Request) => {
  const id = url.split("/").at(-2) ?? "";
  if (method === "PUT") return new Response(null, { status: 204 });
  return Response.json({ attempt: await begin(id) }, { status: 201 });
};
const requester = "documents";
const rowsOf = (documentId: string) =>
  db.query<{
    index: number;
    content: string;
    embeddings: number;
    state: string;
    translation: string | null;
    words: string;
  }>(sql`select c.chunk_index as index, c.content, s.state, c.translation, c.search::text as words,
      (select count(*)::int from documents.embeddings e where e.chunk_id = c.id) as embeddings
    from documents.chunks c join documents.chunk_sets s on s.id = c.set_id where c.document_id = ${documentId} order by s.state, c.chunk_index`);

/** Twenty chunks of one line each. */
const LINES = Array.from(
  { length: 20 },
  (_, n) => `This is line number ${n} about the lamp of harbour ${n}.`,
);
const options = cutOptionsOf({ method: "lib_recursive", chunkSize: 20, chunkOverlap: 0 });
const admit = async () => {};
const index = async (
  documentId: string,
  models: EmbeddingModels,
  more: Partial<Parameters<typeof indexDocument>[1]> = {},
) =>
  indexDocument(
    { db, workers, models, translator, admit },
    {
      jobId: more.jobId ?? (await begin(documentId)),
      documentId,
      ownerId: undefined,
      text: LINES.join("\n\n"),
      options,
      translate: false,
      report: async () => {},
      signal: new AbortController().signal,
      ...more,
    },
  );

/** A worker, the results that it published, and a function that delivers a message to it. */
function worker(models: EmbeddingModels) {
  const published: { queue: string; data: unknown }[] = [];
  const queue: Pick<Queue, "publish"> = {
    publish: async (name, data) => void published.push({ queue: name, data }),
  };
  const deps = {
    db,
    workers,
    models,
    translator,
    admit,
    queue: queue as Queue,
    files: undefined as never,
    log: silentLog(),
    documents: () => documents,
    maxAttempts: 3,
  }; // text comes with the job
  const take = embeddingWorker(deps);
  return {
    results: () =>
      published.filter((one) => one.queue === EMBEDDING_RESULTS).map(({ data }) => data),
    deliver: (job: Partial<EmbeddingJob>, attempt = 1) =>
      take({
        id: "m",
        attempt,
        data: { fileName: "a.md", options, ...job },
        isOwn: true,
        signal: new AbortController().signal,
      }),
  };
}

test("is idempotent, also for concurrent duplicates", async () => {
  const jobId = uuidv7();
  const documentId = await aDocument(jobId);
  const { deliver, results } = worker(only(hashedWords()));
  const job = { jobId, documentId, text: LINES.join("\n\n") };
  await Promise.all([deliver(job), deliver(job)]);
  await deliver(job, 2);
  const rows = await rowsOf(documentId);
  expect(rows.map(({ content }) => content)).toEqual(LINES);
  expect(
    rows.every(({ state, embeddings }) => state === "current" && embeddings === 1),
  ).toBe(true);
  const result = {
    jobId,
    documentId,
    status: "completed",
    chunks: 20,
    embedded: 20,
    translated: 0,
    model: "hashed-words-v1",
    dimensions: 1024,
  };
  expect(results()).toEqual([result, result, result]);
});

test("an interrupted job continues where it stopped, also under a new attempt, and the former index answers until it is done", async () => {
  const documentId = await aDocument();
  await index(documentId, only(hashedWords()), { text: "The former text." });
  const broken = countingModel("hashed-words-v1", 9);
  await expect(
    index(documentId, only(broken.model), { jobId: await begin(documentId) }),
  ).rejects.toMatchObject({
    code: "embedding_unreachable",
  });
  expect(
    (await rowsOf(documentId))
      .filter(({ state }) => state === "current")
      .map(({ content }) => content),
  ).toEqual(["The former text."]);
  const healed = countingModel();
  const jobId = await begin(documentId);
  expect(await index(documentId, only(healed.model), { jobId })).toMatchObject({
    chunks: 20,
    embedded: 20,
  });
  expect(broken.asked.length + healed.asked.length).toBe(20);
  const rows = await rowsOf(documentId);
  expect(rows.map(({ content }) => content)).toEqual(LINES);
  expect(rows.every(({ state }) => state === "current")).toBe(true);
});

/** Indexes a document while something else happens during its cut. */
async function indexDuring(
  documentId: string,
  jobId: string,
  other: () => Promise<unknown>,
) {
  const interrupted: Pick<Workers, "run"> = {
    run: (...given) => other().then(() => workers.run(...given)),
  };
  const request = {
    jobId,
    documentId,
    ownerId: undefined,
    text: LINES.join("\n\n"),
    options,
    translate: false,
    report: async () => {},
    signal: new AbortController().signal,
  };
  const models = only(hashedWords());
  const deps = { db, workers: interrupted, models, translator, admit };
  return indexDocument(deps, request);
}

test("an attempt that is over takes no chunks from the next one, and ends without an error", async () => {
  const documentId = await aDocument();
  const over = await begin(documentId);
  const next = await begin(documentId);
  const other = { jobId: over, text: "Another text." };
  const done = await indexDuring(documentId, next, async () => {
    expect(await index(documentId, only(hashedWords()), other)).toBeUndefined();
  });
  expect(done).toMatchObject({ chunks: 20, embedded: 20 });

  const interrupted = await begin(documentId);
  const text = "A text of the last attempt.";
  // otherwise this text would be indexed already
  await db.query(sql`delete from documents.chunk_sets where document_id = ${documentId}`);
  const ended = await indexDuring(documentId, interrupted, () =>
    index(documentId, only(hashedWords()), { text }),
  );
  expect(ended).toBeUndefined();
  expect((await rowsOf(documentId)).map(({ content }) => content)).toEqual([text]);
});

test("an ended attempt and a deleted document have no effect", async () => {
  const documentId = await aDocument(uuidv7());
  const { deliver, results } = worker(only(hashedWords()));
  await deliver({ jobId: uuidv7(), documentId, text: "Too late.", requester });
  await deliver({ jobId: uuidv7(), documentId: uuidv7(), text: "Of nothing.", requester });
  expect(await rowsOf(documentId)).toEqual([]);
  expect(results()).toEqual([]);
});

test("a job of another system starts an attempt, and its outcome has its own id", async () => {
  const documentId = await aDocument(uuidv7());
  const { deliver, results } = worker(only(hashedWords()));
  const jobId = uuidv7();
  await deliver({ jobId, documentId, text: "A text of another system." });
  expect(await rowsOf(documentId)).toMatchObject([
    { content: "A text of another system.", state: "current", embeddings: 1 },
  ]);
  expect(results()).toMatchObject([{ jobId, documentId, status: "completed", chunks: 1 }]);
  const unknown = { jobId: uuidv7(), documentId: uuidv7() };
  await expect(deliver({ ...unknown, text: "Of nothing." })).rejects.toMatchObject({
    name: "Poison",
  });
  expect(results().at(-1)).toMatchObject({
    ...unknown,
    status: "failed",
    error: { code: "document_not_found" },
  });
});

test("a stopped or replaced attempt embeds no further batch, and the work of a stopped one is deleted", async () => {
  for (const [what, left] of [
    [sql`null`, 0],
    [sql`gen_random_uuid()`, 20],
  ] as const) {
    const documentId = await aDocument();
    const jobId = await begin(documentId);
    const { model, asked } = countingModel();
    const ending: EmbeddingModel = {
      ...model,
      async embed(...batch) {
        await db.query(
          sql`update documents.documents set job_id = ${what} where id = ${documentId}`,
        );
        return model.embed(...batch);
      },
    };
    const { deliver, results } = worker(only(ending));
    await deliver({ jobId, documentId, text: LINES.join("\n\n") });
    expect([asked.length, results()]).toEqual([4, []]);
    const rows = await rowsOf(documentId);
    expect([rows.length, rows.some(({ state }) => state === "current")]).toEqual([
      left,
      false,
    ]);
  }
});

test("retries a temporary failure; a permanent or repeated one is reported and goes to the dead letters", async () => {
  const jobId = uuidv7();
  const documentId = await aDocument(jobId);
  const { deliver, results } = worker(only(countingModel("hashed-words-v1", 0).model));
  const job = { jobId, documentId, text: "A text." };
  await expect(deliver(job, 1)).rejects.toMatchObject({ name: "Unavailable" });
  expect(results()).toEqual([]);
  await expect(deliver(job, 3)).rejects.toMatchObject({ name: "Poison" });
  expect(results()).toEqual([
    {
      jobId,
      documentId,
      status: "failed",
      error: { code: "embedding_unreachable", message: "The model is down." },
    },
  ]);
  await expect(deliver({ jobId: "no id" })).rejects.toMatchObject({ name: "Poison" });
});

test("translates on request: the text is found in English and cited in the original", async () => {
  const documentId = await aDocument();
  const german =
    "Der Kaffee wird in Deutschland gern gefiltert getrunken und am Nachmittag mit Kuchen serviert, wie es üblich ist.";
  const text = `${german}\n\nThe tea of the British is drunk at five o'clock with milk and a good deal of sugar in it.`;
  const options = cutOptionsOf({ chunkSize: 40, chunkOverlap: 0 });
  expect(await index(documentId, only(hashedWords()), { text, options })).toMatchObject({
    translated: 0,
  });
  expect((await rowsOf(documentId))[0]?.words).toContain("kaffe");
  expect(
    await index(documentId, only(hashedWords()), { text, options, translate: true }),
  ).toMatchObject({
    chunks: 2,
    translated: 1,
  });
  const rows = await rowsOf(documentId);
  expect(rows.map(({ content, translation }) => [content === german, translation])).toEqual(
    [
      [true, "The coffee is filtered in the afternoon."],
      [false, null],
    ],
  );
  expect(rows[0]?.words).toContain("afternoon");
});

test("a changed model is built beside the one in use, continues after a crash, and replaces it when complete", async () => {
  const documentId = await aDocument();
  await index(documentId, only(hashedWords()));
  const next = countingModel("next-model");
  await adoptModel(db, next.model);
  await adoptModel(db, next.model);
  expect([(await activeModel(db))?.name, (await nextModel(db))?.name]).toEqual([
    "hashed-words-v1",
    "next-model",
  ]);
  const deps = { db, log: silentLog() };
  const signal = new AbortController().signal;
  const falls = countingModel("next-model", 10);
  await expect(
    changeModel({ ...deps, models: only(falls.model, hashedWords()) }, signal),
  ).rejects.toMatchObject({
    code: "embedding_unreachable",
  });
  expect((await activeModel(db))?.name).toBe("hashed-words-v1");
  await changeModel({ ...deps, models: only(next.model, hashedWords()) }, signal);
  expect((await activeModel(db))?.name).toBe("next-model");
  const [{ total = 0 } = {}] = await db.query<{ total: number }>(
    sql`select coalesce(sum(total_chunks), 0)::int as total from documents.chunk_sets where state = 'current'`,
  );
  expect(falls.asked.length + next.asked.length).toBe(total);
  expect((await rowsOf(documentId)).every(({ embeddings }) => embeddings === 2)).toBe(true);
  await changeModel({ ...deps, models: only(next.model) }, signal);
  expect((await rowsOf(documentId)).every(({ embeddings }) => embeddings === 1)).toBe(true);
});
