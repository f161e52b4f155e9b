import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import sql, { raw, type Sql } from "sql-template-tag";
import { startServer } from "../../src/server/compose.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { openDatabase } from "../../src/platform/db/open-database.ts";
import { call } from "../../src/platform/http/call.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { testServerUrl } from "../../src/platform/testing/database.ts";
import { wordsOf } from "../../src/services/embedding/contract-words.ts";
import { hashWords } from "../../src/services/embedding/models/hashed-words.ts";
import { retrievalContract } from "../../src/services/retrieval/contract.ts";
import { measureScope } from "../../src/services/retrieval/extent.ts";
import type { Scope } from "../../src/services/retrieval/scope.ts";
import { openVectorIndex } from "../../src/services/retrieval/vector-index/vector-index.ts";
import {
  neighboursLookedAt,
  searchVectors,
  type VectorSearchDeps,
} from "../../src/services/retrieval/vector-search.ts";
import {
  activeModel,
  type VectorModel,
} from "../../src/services/retrieval/vector-model.ts";
import { SECRET } from "../server.ts";
import { median } from "../measure.ts";
import { fillStore, randomFrom } from "./fill-store.ts";

const QUESTIONS = 42;
const OWNER = "bench";
/** Filters that leave so many of the documents. */
const SHARES = {
  "all documents": 1,
  "a quarter": 0.25,
  "a twentieth": 0.05,
  "one document": 0,
};
const STATEMENT_TIMEOUT_MS = 3_600_000;

export interface LatencyResult {
  figures: Record<string, Record<string, number>>;
  /** Share of the exact first ten that is found, by filter. */
  recall: Record<string, number>;
  chunks: number;
}

/**
 * Measures retrieval from many chunks over HTTP for their owner: access, embedding the question,
 * the search, the chunks and their citations. For comparison it measures handwritten SQL: the
 * vector search with the same index and settings, and a full-text search for any of the words. On
 * the server of DATABASE_URL all run in turns; the embedded database has one connection, so the SQL
 * runs first.
 */
export async function retrievalLatency(
  passages: readonly string[],
  questions: readonly string[],
  chunks: number,
  rounds: number,
): Promise<LatencyResult> {
  const server = await testServerUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-bench-"));
  const asked = questions.filter(
    (_, n) => n % Math.ceil(questions.length / QUESTIONS) === 0,
  );
  const options = {
    dataDir,
    log: silentLog(),
    connections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
  const db = await openDatabase({ url: server?.url, ...options });
  try {
    const { documentIds, chunks: stored } = await fillStore(db, passages, chunks, OWNER);
    const share = (part: number) =>
      documentIds.slice(0, Math.max(1, Math.round(documentIds.length * part)));
    const recall: Record<string, number> = {};
    const vectorIndex = db.isEmbedded
      ? openVectorIndex({ db, folder: join(dataDir, "vectors"), log: silentLog() })
      : undefined;
    await vectorIndex?.keepInStep(new AbortController().signal);
    for (const [name, part] of Object.entries(SHARES))
      recall[name] = await recallOf(
        { db, vectorIndex },
        asked,
        { kind: "documents", ids: share(part) },
        stored,
      );
    await vectorIndex?.[Symbol.asyncDispose]();
    const client = server && new pg.Client(server.url);
    // when a statement fails, the database closes and its connections fail too; only the first
    // error is of interest
    client?.on("error", () => {});
    await client?.connect();
    const bare = await byHand(
      db,
      (statement) => (client ? client.query(statement) : db.query(statement)),
      asked,
    );
    const before = server ? {} : await inTurns(bare, asked.length, rounds);
    if (!server) await db[Symbol.asyncDispose]();
    const parlance = await startServer({
      env: {
        PORT: "0",
        INTERNAL_PORT: "0",
        DATA_DIR: dataDir,
        DATABASE_URL: server?.url,
        SERVICE_SECRET: SECRET,
      },
      log: silentLog(),
    });
    const retrieve = (
      name: string,
      engineName: "default" | "hybrid",
      docIds?: string[],
    ): Way => ({
      name: `retrieve, ${engineName}, ${name}`,
      async ask(question) {
        const query = asked[question] ?? "";
        const body = {
          query,
          grade: 0,
          similarityTopK: 20,
          engineName,
          userId: OWNER,
          ...(docIds && { docIds }),
        };
        const { results } = await call(overHttp(parlance.url), retrievalContract.retrieve, {
          query: {},
          body,
        });
        if (results.length === 0) throw new Error("nothing was found");
      },
    });
    const ours = [
      retrieve("all documents", "default"),
      retrieve("a twentieth", "default", share(SHARES["a twentieth"])),
      retrieve("one document", "default", share(0)),
      retrieve("all documents", "hybrid"),
      retrieve("one document", "hybrid", share(0)),
    ];
    const figures = {
      ...before,
      ...(await inTurns(server ? [...bare, ...ours] : ours, asked.length, rounds)),
    };
    await parlance[Symbol.asyncDispose]();
    await client?.end();
    if (server) await db[Symbol.asyncDispose]();
    return { figures, recall, chunks: stored };
  } finally {
    await server?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** One session, which keeps its settings. */
type Bare = (statement: Sql) => Promise<unknown>;

function overHttp(url: string) {
  return (request: Request) => {
    const { pathname, search } = new URL(request.url);
    request.headers.set("x-platform-service-secret", SECRET);
    return fetch(new Request(url + pathname + search, request));
  };
}

interface Way {
  name: string;
  /** Asks the question with this number. */
  ask(question: number): Promise<unknown>;
}

/**
 * Asks each question in all ways, in a random order, so that none always finds data that another
 * has cached, or always follows the one that evicts most of the index, and noise affects all
 * equally.
 */
async function inTurns(
  ways: readonly Way[],
  questions: number,
  rounds: number,
): Promise<Record<string, Record<string, number>>> {
  const took = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  const random = randomFrom(11);
  for (let round = -1; round < rounds; round += 1)
    for (let question = 0; question < questions; question += 1)
      for (const { way } of ways
        .map((way) => ({ way, place: random() }))
        .toSorted((one, other) => one.place - other.place)) {
        const startedAt = performance.now();
        await way.ask(question);
        // the first round warms up
        if (round >= 0) took.get(way.name)?.push(performance.now() - startedAt);
      }
  return Object.fromEntries(
    [...took].map(([name, times]) => [name, { "ms, median": median(times) }]),
  );
}

/** The SQL alone, its vectors and words made before. */
async function byHand(
  db: Database,
  query: Bare,
  questions: readonly string[],
): Promise<Way[]> {
  const model = await modelOf(db);
  const indexed = raw(`${model.indexType}(${model.dimensions})`);
  const vectors = questions.map((question) => JSON.stringify(hashWords(question)));
  const looked = String(neighboursLookedAt(model, { share: 1 }, 20));
  // as our own connections are set
  await query(
    sql`select set_config('hnsw.ef_search', ${looked}, false), set_config('jit', 'off', false)`,
  );
  const words: string[] = [];
  for (const question of questions) {
    const [row] = await db.query<{ words: string }>(
      sql`select replace(plainto_tsquery('english', ${wordsOf(question).join(" ")})::text, '&', '|') as words`,
    );
    words.push(row?.words ?? "");
  }
  return [
    {
      name: "bare SQL, vectors",
      ask: (n) =>
        query(sql`select c.id, c.content from documents.embeddings e join documents.chunks c on c.id = e.chunk_id
          where e.model_id = ${raw(String(model.id))} order by (e.embedding::${indexed}) <=> ${vectors[n]}::${indexed} limit 20`),
    },
    {
      name: "bare SQL, words",
      ask: (n) =>
        query(sql`select c.id, c.content from documents.chunks c where c.search @@ ${words[n]}::tsquery
          order by ts_rank(c.search, ${words[n]}::tsquery, 1) desc limit 20`),
    },
  ];
}

async function recallOf(
  deps: VectorSearchDeps,
  questions: readonly string[],
  scope: Scope,
  chunks: number,
): Promise<number> {
  const { db } = deps;
  const model = await modelOf(db);
  const extent = await measureScope(db, scope, chunks);
  let found = 0;
  for (const question of questions) {
    const vector = hashWords(question);
    const exact = await searchVectors({ db }, model, vector, extent, 10, Infinity);
    const near = await searchVectors(deps, model, vector, extent, 10);
    // of equally near ones any is right
    const least = (exact.at(-1)?.score ?? 0) - 1e-6;
    found += near.filter(({ score }) => score >= least).length;
  }
  return Number((found / (questions.length * 10)).toFixed(4));
}

async function modelOf(db: Database): Promise<VectorModel> {
  const model = await activeModel(db);
  if (!model) throw new Error("no model is in use");
  return model;
}
