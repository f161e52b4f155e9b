import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { termsOf } from "../contract-terms.ts";
import { createTextAnalysis } from "./text-analysis.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** Without accents, stop words and signs, which have forms that PostgreSQL does not make. */
const TEXTS = [
  ["english", "harbours sailors forget harbours freeze readwholefile fails"],
  ["german", "matrosen brannten häfen menschen"],
  ["french", "maisons marins ouvertes"],
  ["simple", "ids 007 1e5e5 3f2a9c 0x1f हिन्दी 中文"],
  ["russian", "корабли стояли гавани моряки спали"],
  ["english", ""],
] as const;

test("words without other spellings are analysed as PostgreSQL analyses them", async () => {
  const analyse = createTextAnalysis(db);
  const texts = TEXTS.map(([textConfig, text]) => ({
    textConfig,
    terms: text.split(" ").map((word) => ({ word, exact: [] })),
  }));
  // twice, because the second time all words are cached
  for (let round = 0; round < 2; round += 1)
    for (const [n, { search, searchLength }] of (await analyse(texts)).entries()) {
      const [textConfig = "", text = ""] = TEXTS[n] ?? [];
      const [row] = await db.query<{ missing: number; length: number }>(sql`select
          (select count(*)::int from unnest(to_tsvector(${textConfig}::regconfig, ${text})) w
            where not exists (select from unnest(${search}::tsvector) f
              where (f.lexeme, f.positions) = (w.lexeme, w.positions))) as missing,
          (select coalesce(sum(cardinality(positions)), 0)::int
            from unnest(to_tsvector(${textConfig}::regconfig, ${text}))) as length`);
      expect({ missing: row?.missing, length: row?.length }).toEqual({
        missing: 0,
        length: searchLength,
      });
    }
});

async function formsOf(textConfig: string, text: string): Promise<string[]> {
  const [analysed] = await createTextAnalysis(db)([{ textConfig, terms: termsOf(text) }]);
  const rows = await db.query<{ lexeme: string }>(
    sql`select lexeme from unnest(${analysed?.search}::tsvector)`,
  );
  return rows.map(({ lexeme }) => lexeme);
}

test("a word has its spellings without accents at the same place", async () => {
  expect(await formsOf("french", "le déjeuner")).toEqual(["dejeun", "~le"]);
  expect(await formsOf("english", "Herr Müller")).toEqual(
    expect.arrayContaining(["muller", "mueller"]),
  );
  expect(await formsOf("english", "a résumé")).toEqual(expect.arrayContaining(["resum"]));
});

test("stop words are kept apart, names among them by how they are written", async () => {
  const forms = await formsOf("english", "We ask the WHO, and they hear The Who.");
  expect(forms).toEqual(expect.arrayContaining(["ask", "hear", "=WHO", "=Who", "~the"]));
  expect(forms).not.toContain("the");
});

test("a lexeme with a quote is one", async () => {
  const [analysed] = await createTextAnalysis(db)([
    { textConfig: "simple", terms: [{ word: "a", exact: ["it's"] }] },
  ]);
  expect(analysed?.search).toContain("'it''s'");
});

test("a word that occurs very often has as many positions as a tsvector holds", async () => {
  const words = "whale ".repeat(20_000) + "harbour";
  const [analysed] = await createTextAnalysis(db)([
    { textConfig: "simple", terms: words.split(" ").map((word) => ({ word, exact: [] })) },
  ]);
  const [row] = await db.query<{
    search: string;
    expected: string;
  }>(sql`select ${analysed?.search}::tsvector::text as search,
    to_tsvector('simple', ${words})::text as expected`);
  expect(row?.search).toBe(row?.expected);
  expect(analysed?.searchLength).toBe(256);
});
