import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { VectorModel } from "../vector-model.ts";
import type { StoredVector } from "./messages.ts";
import { WANTED_BYTES } from "./vectors-in-memory.ts";

/** A few tens of milliseconds in the embedded database, which serves others only in between. */
const ROWS_PER_STATEMENT = 256;
/** Of sets that are read together, unless one alone has more. */
const MAX_CHUNKS_TOGETHER = 2_000;
const ID_BYTES = 16;

/** The ids of sets `s` and the numbers of their chunks. */
export const PACKED_SETS = sql`string_agg(uuid_send(s.id) || int4send(s.total_chunks), ''::bytea)`;

/** All sets in use, with the number of their chunks. */
export async function setsInUse(db: Database): Promise<Buffer> {
  const [row] = await db.query<{ sets: Buffer | null }>(
    sql`select ${PACKED_SETS} as sets from documents.chunk_sets s where s.state = 'current'`,
  );
  return row?.sets ?? Buffer.alloc(0);
}

/** What differs when sets came, were replaced, or went. */
export async function stateOfSets(
  db: Database,
): Promise<{ chunks: number; state: string }> {
  const [row] = await db.query<{ chunks: number; state: string }>(
    sql`select coalesce(sum(total_chunks), 0)::int as chunks,
      concat_ws(' ', count(*), sum(total_chunks), max(id::text)) as state
      from documents.chunk_sets where state = 'current'`,
  );
  return row ?? { chunks: 0, state: "" };
}

export function idsOf(sets: Uint8Array): string[] {
  const ids: string[] = [];
  for (let at = 0; at < sets.byteLength; at += WANTED_BYTES)
    ids.push(Buffer.from(sets.subarray(at, at + ID_BYTES)).toString("hex"));
  return ids;
}

export function countChunks(sets: Uint8Array): number {
  const view = new DataView(sets.buffer, sets.byteOffset, sets.byteLength);
  let chunks = 0;
  for (let at = ID_BYTES; at < sets.byteLength; at += WANTED_BYTES)
    chunks += view.getUint32(at);
  return chunks;
}

/** Divides sets into groups that are read together. */
export function* groupSets(sets: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let at = 0; at < sets.byteLength; at += WANTED_BYTES) {
    const to = at + WANTED_BYTES;
    if (at > from && countChunks(sets.subarray(from, to)) > MAX_CHUNKS_TOGETHER) {
      yield sets.subarray(from, at);
      from = at;
    }
  }
  if (from < sets.byteLength) yield sets.subarray(from);
}

/** Reads the vectors of sets page by page, of unit length and in half precision. */
export async function* readVectors(
  db: Database,
  model: VectorModel,
  sets: Uint8Array,
): AsyncGenerator<StoredVector[]> {
  const ids = idsOf(sets);
  let last = { setId: FIRST, id: FIRST };
  for (;;) {
    const rows = await db.query<StoredVector>(sql`
      select chunk_id as id, set_id as "setId",
        encode(halfvec_send(l2_normalize(embedding)::halfvec), 'base64') as vector
      from (select chunk_id, set_id, embedding from documents.embeddings
        where model_id = ${model.id} and set_id = any (${ids}::uuid[])
          and (set_id, chunk_id) > (${last.setId}::uuid, ${last.id}::uuid)
        order by set_id, chunk_id limit ${ROWS_PER_STATEMENT}) page`);
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    if (rows.length < ROWS_PER_STATEMENT) return;
    last = end;
  }
}

const FIRST = "00000000-0000-0000-0000-000000000000";
