import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeDocument,
} from "../../../../test/support/documents-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { renewWords } from "./renew-words.ts";
import { ANALYSIS } from "./text-analysis.ts";

let db: Database;
beforeAll(async () => {
  db = await documentsDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("words of an older analysis are renewed, once", async () => {
  const documentId = await storeDocument(db);
  const setId = uuidv7();
  const text = "Le déjeuner à Évian";
  await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
    values (${setId}, ${documentId}, 'current', '', 250, '{french}')`);
  await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, language, start_offset, end_offset, token_count, search, search_length)
    select gen_random_uuid(), ${setId}, ${documentId}, n, ${text}, 'fr', 0, 1, 1, to_tsvector('french', ${text}), 2
    from generate_series(0, 249) n`);
  const countWith = async (query: string) =>
    (
      await db.query<{ count: number }>(sql`select count(*)::int as count
        from documents.chunks where search @@ ${query}::tsquery`)
    )[0]?.count;
  expect(await countWith("evian")).toBe(0);
  await renewWords(db, AbortSignal.abort());
  expect(await countWith("evian")).toBe(0);
  await renewWords(db, new AbortController().signal);
  expect(await countWith("evian")).toBe(250);
  expect(await countWith("dejeun")).toBe(250);
  expect(
    await db.query(sql`select analysis from documents.chunk_sets where id = ${setId}`),
  ).toEqual([{ analysis: ANALYSIS }]);
});
