import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { hashWords } from "../../src/services/embedding/models/hashed-words.ts";
import {
  startVectorThread,
  type VectorThread,
} from "../../src/services/retrieval/vector-index/ask-thread.ts";
import type { StoredVector } from "../../src/services/retrieval/vector-index/messages.ts";
import { EXTRA_CANDIDATES } from "../../src/services/retrieval/vector-search.ts";
import { median } from "../measure.ts";
import { randomFrom, textsOf } from "./fill-store.ts";

/** Chunks of one document. */
const EACH = 500;
const QUESTIONS = 20;
const FIRST = 10;
const CLUSTERS = 500;
/** How far a vector is from the middle of its cluster. */
const SPREAD = 0.5;
/** Scores are of single precision. */
const TOLERANCE = 1e-6;
/** Filters that leave these documents. */
const FILTERS: Record<string, (document: number) => boolean> = {
  none: () => true,
  "four of five documents": (document) => document % 5 !== 0,
  "a twentieth": (document) => document % 20 === 0,
  "one document": (document) => document === 1,
};

/** Makes vectors of unit length, those of questions too. */
interface Kind {
  name: string;
  dimensions: number;
  passage(): Float32Array;
  question(): Float32Array;
}

/**
 * Measures the index of the embedded database, in its thread, with the built-in embedding of texts
 * that are made of passages, and with vectors of as many numbers as models make, of any direction
 * and in clusters. Recall is of the exact first ten: whether they are among the candidates that the
 * database compares again by the stored numbers.
 */
export async function* vectorIndexFigures(
  passages: readonly string[],
  questions: readonly string[],
  chunks: number,
): AsyncGenerator<Record<string, string | number>> {
  yield* measureKind(builtIn(passages, questions), chunks);
  for (const dimensions of [1_024, 1_536])
    for (const clusters of [0, CLUSTERS])
      yield* measureKind(dense(dimensions, clusters), chunks);
}

async function* measureKind(
  kind: Kind,
  chunks: number,
): AsyncGenerator<Record<string, string | number>> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
  // the thread alone does not keep the process
  const alive = setInterval(() => {}, 60_000);
  const start = () =>
    startVectorThread(
      {
        path: join(folder, "vectors"),
        content: kind.name,
        dimensions: kind.dimensions,
        maxRows: chunks,
      },
      (reason) => {
        throw new Error(reason);
      },
    );
  try {
    const made = await start();
    const stored = await addVectors(made, kind, chunks);
    await made.close();

    const { size } = await stat(join(folder, "vectors"));
    const used = process.cpuUsage();
    const startedAt = performance.now();
    const thread = await start();
    await searchFor(thread, stored, 0, wantedOf(stored));
    const firstMs = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(used);
    for (const [filter, has] of Object.entries(FILTERS))
      yield {
        vectors: kind.name,
        filter,
        ...(await measureSearch(thread, stored, has)),
        ...(filter === "none" && {
          "first search, ms of processor": Math.round((user + system) / 1_000),
          "first search, ms": Math.round(firstMs),
          // the file holds what memory holds
          "memory, MB": Math.round(size / 1e6),
        }),
      };
    await thread.close();
  } finally {
    clearInterval(alive);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Stored {
  /** The ids of sets, each of one document, and of their chunks. */
  sets: string[];
  chunkIds: string[];
  questions: Float32Array[];
  /** Of each question and chunk. */
  scores: Float64Array[];
}

async function addVectors(
  thread: VectorThread,
  kind: Kind,
  chunks: number,
): Promise<Stored> {
  const questions = Array.from({ length: QUESTIONS }, kind.question);
  const scores = questions.map(() => new Float64Array(chunks));
  const stored: Stored = { sets: [], chunkIds: [], questions, scores };
  while (stored.chunkIds.length < chunks) {
    const setId = uuidv7();
    const rows: StoredVector[] = [];
    const first = stored.chunkIds.length;
    for (let at = first; at < Math.min(first + EACH, chunks); at += 1) {
      const vector = kind.passage();
      for (const [number, question] of questions.entries()) {
        const of = scores[number];
        if (of) of[at] = product(vector, question);
      }
      const id = uuidv7();
      stored.chunkIds.push(id);
      rows.push({ id, setId, vector: asSent(vector) });
    }
    stored.sets.push(setId);
    await thread.ask({ kind: "add", rows });
  }
  return stored;
}

/** As pgvector sends half-precision numbers: after their number and two unused bytes. */
function asSent(vector: Float32Array): string {
  const numbers = Buffer.from(Float16Array.from(vector).buffer).swap16();
  return Buffer.concat([Buffer.alloc(4), numbers]).toString("base64");
}

function wantedOf(
  { sets, chunkIds }: Stored,
  has: (document: number) => boolean = () => true,
): Buffer {
  return Buffer.concat(
    sets.flatMap((id, document) => {
      if (!has(document)) return [];
      const count = Buffer.alloc(4);
      count.writeUInt32BE(Math.min(EACH, chunkIds.length - document * EACH));
      return [Buffer.from(id.replaceAll("-", ""), "hex"), count];
    }),
  );
}

async function searchFor(
  thread: VectorThread,
  { questions }: Stored,
  question: number,
  wanted: Uint8Array,
): Promise<string[]> {
  const vector = [...(questions[question] ?? [])];
  const limit = FIRST + EXTRA_CANDIDATES;
  const { ids, lacking } = await thread.ask({ kind: "search", vector, wanted, limit });
  if (lacking.length > 0) throw new Error("the index lacks vectors");
  return ids;
}

async function measureSearch(
  thread: VectorThread,
  stored: Stored,
  has: (document: number) => boolean,
): Promise<Record<string, number>> {
  const wanted = wantedOf(stored, has);
  const placeOf = new Map(stored.chunkIds.map((id, at) => [id, at]));
  const [wall, processor]: [number[], number[]] = [[], []];
  let found = 0;
  for (const [question, scores] of stored.scores.entries()) {
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const ids = await searchFor(thread, stored, question, wanted);
    wall.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1_000);
    const exact = scores
      .filter((_, chunk) => has(Math.floor(chunk / EACH)))
      .sort()
      .at(-FIRST);
    // of equally near ones any is right
    const near = ids.filter((id) => isNear(scores[placeOf.get(id) ?? -1], exact));
    found += Math.min(FIRST, near.length);
  }
  return {
    "recall@10": found / (FIRST * QUESTIONS),
    "ms of processor": round(median(processor)),
    ms: round(median(wall)),
  };
}

function isNear(score = -Infinity, least = 0): boolean {
  return score >= least - TOLERANCE;
}

function builtIn(passages: readonly string[], questions: readonly string[]): Kind {
  const text = textsOf(passages);
  const step = Math.max(1, Math.floor(questions.length / QUESTIONS));
  let asked = 0;
  return {
    name: "built-in, 1,024",
    dimensions: 1_024,
    passage: () => Float32Array.from(hashWords(text())),
    question: () => Float32Array.from(hashWords(questions[asked++ * step] ?? "")),
  };
}

/** @param clusters 0: any direction. */
function dense(dimensions: number, clusters: number): Kind {
  const random = randomFrom(dimensions + clusters);
  const anyVector = () => {
    const vector = new Float32Array(dimensions);
    for (let at = 0; at < dimensions; at += 1) vector[at] = random() - 0.5;
    return unit(vector);
  };
  const middles = Array.from({ length: clusters }, anyVector);
  const make = () => {
    const vector = anyVector();
    const middle = middles[Math.floor(random() * clusters)];
    if (!middle) return vector;
    for (let at = 0; at < dimensions; at += 1)
      vector[at] = (middle[at] ?? 0) + SPREAD * (vector[at] ?? 0);
    return unit(vector);
  };
  return {
    name: `${dimensions.toLocaleString("en")}, ${clusters > 0 ? "in clusters" : "any direction"}`,
    dimensions,
    passage: make,
    question: make,
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(product(vector, vector));
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
