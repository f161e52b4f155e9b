import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { searchableText } from "../contract-words.ts";
import { createTextAnalysis } from "./text-analysis.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const TEXTS = [
  [
    "english",
    "The harbours of the sailors: don't forget that harbours freeze, and readWholeFile() fails.",
  ],
  [
    "german",
    "Die Häuser der Matrosen brannten; Straßenbahnen fuhren nicht. Über 1.000 Menschen.",
  ],
  ["french", "L'été, les maisons des marins étaient naïvement ouvertes à tous."],
  [
    "simple",
    "Ids 007 1e5 1e5e5 3f2a9c 0x1f 99999999999999999999999 v1.2.3 ʻokina हिन्दी 中文 日本語",
  ],
  ["russian", "Корабли стояли в гавани, а моряки спали."],
  ["english", ""],
] as const;

test("texts are analysed as PostgreSQL analyses them, their lengths too", async () => {
  const texts = TEXTS.map(([textConfig, text]) => ({
    textConfig,
    words: searchableText(text),
  }));
  const analyse = createTextAnalysis(db);
  const expected = await Promise.all(
    texts.map(async ({ textConfig, words }) => {
      const [row] = await db.query(sql`select v::text as search,
          (select coalesce(sum(cardinality(positions)), 0)::int from unnest(v)) as "searchLength"
        from to_tsvector(${textConfig}::regconfig, ${words}) v`);
      return row;
    }),
  );
  // twice, because the second time all words are cached
  for (let round = 0; round < 2; round += 1) {
    const analysed = await analyse(texts);
    const stored = await Promise.all(
      analysed.map(async ({ search, searchLength }) => {
        const [row] = await db.query<{ search: string }>(
          sql`select ${search}::tsvector::text as search`,
        );
        return { search: row?.search, searchLength };
      }),
    );
    expect(stored).toEqual(expected);
  }
});

test("a word that occurs very often has as many positions as a tsvector holds", async () => {
  const words = "whale ".repeat(20_000) + "harbour";
  const [analysed] = await createTextAnalysis(db)([{ textConfig: "simple", words }]);
  const [row] = await db.query<{
    search: string;
    expected: string;
  }>(sql`select ${analysed?.search}::tsvector::text as search,
    to_tsvector('simple', ${words})::text as expected`);
  expect(row?.search).toBe(row?.expected);
  expect(analysed?.searchLength).toBe(256);
});
