import sql, { raw } from "sql-template-tag";
import type { Database } from "../../src/platform/db/database.ts";
import { indexModel } from "../../src/services/embedding/index/vector-index.ts";
import { memoryBytes } from "../../src/platform/memory.ts";
import { mostExact } from "../../src/services/embedding/contract.ts";
import {
  activeModel,
  type StoredModel,
} from "../../src/services/embedding/index/models-store.ts";
import { hashedWords } from "../../src/services/embedding/models/hashed-words.ts";
import { openStore, storeDocument } from "./store.ts";

export interface FilledStore {
  documentIds: string[];
  chunks: number;
}

/** Chunks of one document. */
const EACH = 500;
/** Characters of a chunk: about 120 to 500 tokens. */
const MIN_CHARACTERS = 600;
const MAX_CHARACTERS = 2_000;
/** Neighbouring passages whose sentences a chunk takes. */
const NEAR = 4;
const MAX_SENTENCE_CHARACTERS = 600;

/**
 * Fills an empty store with chunks made of the passages, which are hard for an approximate index.
 */
export async function fillStore(
  db: Database,
  passages: readonly string[],
  chunks: number,
  ownerId: string,
): Promise<FilledStore> {
  await openStore(db, hashedWords());
  const model = await activeModel(db);
  if (!model) throw new Error("no model is in use");
  // one by one into the index takes long: it is made again over all of them
  await db.query(sql`drop index ${raw(`documents.embeddings_hnsw_${model.id}`)}`);
  const chunk = textsOf(passages);
  const documentIds: string[] = [];
  for (let document = 0; document < Math.ceil(chunks / EACH); document += 1) {
    const texts = Array.from({ length: Math.min(EACH, chunks) }, chunk);
    documentIds.push(
      (await storeDocument(db, hashedWords(), `document ${document}`, texts)).documentId,
    );
  }
  await db.query(sql`update documents.documents set owner_id = ${ownerId}`);
  if (documentIds.length * EACH > mostExact(db, memoryBytes(), model.dimensions))
    await makeIndex(db, model);
  // as the server does by itself a minute later, which would be in the midst of what is measured
  for (const table of ["embeddings", "chunks", "chunk_sets", "documents"])
    await db.query(raw(`vacuum (analyze) documents.${table}`));
  return { documentIds, chunks: documentIds.length * Math.min(EACH, chunks) };
}

/**
 * Makes texts of the passages. Each takes sentences of a few neighbouring ones, so that they are as
 * similar as the chunks of many versions of the same documents.
 */
export function textsOf(passages: readonly string[]): () => string {
  const sentences = passages.map((passage) =>
    passage.split(/(?<=[.!?])\s+|\n{2,}/).filter((sentence) => sentence.length > 20),
  );
  const random = randomFrom(7);
  const pick = (most: number) => Math.floor(random() * most);
  return () => {
    const at = pick(sentences.length);
    const near = sentences.slice(at, at + NEAR).flat();
    const length = MIN_CHARACTERS + pick(MAX_CHARACTERS - MIN_CHARACTERS);
    let text = "";
    while (near.length > 0 && text.length < length)
      text += `${(near[pick(near.length)] ?? "").slice(0, MAX_SENTENCE_CHARACTERS)} `;
    return text;
  };
}

/** As the server does by itself in the background. */
async function makeIndex(db: Database, model: StoredModel): Promise<void> {
  await db.query(sql`update documents.embeddings set indexed = true`);
  await db.tx(
    async () => {
      if (model.indexType === "halfvec")
        await db.query(sql`set local maintenance_work_mem = '1GB'`);
      await indexModel(db, model);
    },
    { unbounded: true },
  );
}

/** The same numbers in every run. Source: Tommy Ettinger's "mulberry32", public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
