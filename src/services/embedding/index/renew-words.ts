import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { json } from "../../../platform/db/jsonb.ts";
import { toText } from "./store-chunks.ts";
import { ANALYSIS, createTextAnalysis } from "./text-analysis.ts";

interface StoredChunk {
  id: string;
  index: number;
  content: string;
  headings: string[];
  language: string | null;
  translation: string | null;
}

const CHUNKS_PER_STATEMENT = 100;

/**
 * Analyses the words of documents again that were indexed in an older way. Until then they are
 * found by their older words. Each group of chunks is stored, and a set that was interrupted is
 * begun again. One process at a time runs this.
 */
export async function renewWords(db: Database, signal: AbortSignal): Promise<void> {
  const analyse = createTextAnalysis(db);
  while (!signal.aborted) {
    const [set] = await db.query<{ id: string }>(sql`select id from documents.chunk_sets
      where analysis < ${ANALYSIS} and state = 'current' limit 1`);
    if (!set) return;
    for (let after = -1; ;) {
      if (signal.aborted) return;
      const chunks = await chunksOf(db, set.id, after);
      const last = chunks.at(-1);
      if (!last) break;
      const texts = await analyse(
        chunks.map(({ translation, ...chunk }) =>
          toText(
            translation === null
              ? chunk
              : { content: translation, headings: [], language: "en" },
          ),
        ),
      );
      const rows = chunks.map(({ id }, n) => ({ id, ...texts[n] }));
      await db.query(sql`update documents.chunks c
        set search = g.search, search_length = g."searchLength"
        from json_to_recordset(${json(rows)})
          as g (id uuid, search tsvector, "searchLength" int) where c.id = g.id`);
      after = last.index;
    }
    await db.query(
      sql`update documents.chunk_sets set analysis = ${ANALYSIS} where id = ${set.id}`,
    );
  }
}

function chunksOf(db: Database, setId: string, after: number): Promise<StoredChunk[]> {
  return db.query(sql`select id, chunk_index as index, content, headings, language, translation
    from documents.chunks where set_id = ${setId} and chunk_index > ${after}
    order by chunk_index limit ${CHUNKS_PER_STATEMENT}`);
}
