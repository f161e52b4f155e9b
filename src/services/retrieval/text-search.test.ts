import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeDocument,
} from "../../../test/support/documents-database.ts";
import type { Database } from "../../platform/db/database.ts";
import { measureScope } from "./extent.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { readQuestion } from "./question-words.ts";
import { judgeByText, searchText } from "./text-search.ts";

const CHUNKS = 300;
/** The n-th word is in every n-th chunk, as often as the chunk's number says. */
const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
];

let db: Database;
const texts: { id: string; words: string[] }[] = [];
beforeAll(async () => {
  db = await documentsDatabase();
  const documentId = await storeDocument(db);
  const setId = uuidv7();
  await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
    values (${setId}, ${documentId}, 'current', '', ${CHUNKS}, '{simple}')`);
  for (let at = 0; at < CHUNKS; at += 1) {
    const words = WORDS.flatMap((word, n) =>
      n > 0 && at % n === 0 ? Array.from({ length: 1 + ((at * n) % 4) }, () => word) : [],
    );
    words.push(...Array.from({ length: at % 7 }, () => "other"));
    texts.push({ id: uuidv7(), words });
  }
  const rows = texts.map(({ id, words }, at) => ({
    id,
    at,
    text: words.join(" "),
    length: words.length,
  }));
  await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
    select id, ${setId}, ${documentId}, at, text, 0, 1, 1, to_tsvector('simple', text), length
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id uuid, at int, text text, length int)`);
});
afterAll(() => db[Symbol.asyncDispose]());

const FIRST = 10;

test.each([["nine"], ["seven eight"], ["three five seven unknown"], ["one two"]])(
  "the best are found as if every chunk had been scored: %s",
  async (question) => {
    for (const analysed of [false, true]) {
      // from here on the most common words are counted by the planner's statistics
      if (analysed) await db.query(sql`analyze documents.chunks`);
      const wanted = await readQuestion(db, createTermStatistics(db), question);
      const extent = await measureScope(db, { kind: "all" }, CHUNKS);
      const search = await searchText(db, wanted, extent);
      const ids = texts.map(({ id }) => id);
      const all = await judgeByText(db, ids, search);
      expect(search.found.slice(0, FIRST)).toEqual(all.slice(0, FIRST));
      const having = texts.filter(({ words }) =>
        question.split(" ").some((word) => words.includes(word)),
      );
      expect(all).toHaveLength(having.length);
    }
  },
);

test("a question without a known word finds nothing", async () => {
  const wanted = await readQuestion(db, createTermStatistics(db), "unheard !?");
  const extent = await measureScope(db, { kind: "all" }, CHUNKS);
  const search = await searchText(db, wanted, extent);
  expect(search.found).toEqual([]);
  expect(await judgeByText(db, [texts[0]?.id ?? ""], search)).toEqual([]);
});
