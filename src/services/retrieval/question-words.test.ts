import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeDocument,
} from "../../../test/support/documents-database.ts";
import type { Database } from "../../platform/db/database.ts";
import { readQuestion } from "./question-words.ts";
import { createTermStatistics } from "./term-statistics.ts";

const TEXTS: [configuration: string, text: string][] = [
  ["english", "The boats die in the harbour when storms come."],
  ["english", "Which settings does the harbour master use for the storm?"],
  ["german", "Die Arbeit im Hafen endet, wenn ein Sturm kommt."],
  ["german", "Zu jeder Zeit ist im Hafen ein Boot."],
];

let db: Database;
beforeAll(async () => {
  db = await documentsDatabase();
  for (const [configuration, text] of TEXTS) await store(configuration, text);
});
afterAll(() => db[Symbol.asyncDispose]());

async function store(configuration: string, text: string): Promise<void> {
  const documentId = await storeDocument(db);
  const setId = uuidv7();
  await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
    values (${setId}, ${documentId}, 'current', '', 1, ${[configuration]}::text[])`);
  await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
    values (${uuidv7()}, ${setId}, ${documentId}, 0, ${text}, 0, 1, 1, to_tsvector(${configuration}::regconfig, ${text}), 5)`);
}

async function lexemesOf(question: string): Promise<string[][]> {
  const { words } = await readQuestion(db, createTermStatistics(db), question);
  const indexed = words.filter(({ lexemes }) => lexemes.length > 0);
  return indexed.map(({ lexemes }) => [...lexemes]);
}

test("stop words are those of the language of the question", async () => {
  const english = (
    await lexemesOf("What happens when the boats die in the harbour?")
  ).flat();
  expect(english).toContain("die");
  expect(english).not.toContain("the");
  const german = (
    await lexemesOf("Wann beginnt die Arbeit im großen Hafen der Stadt?")
  ).flat();
  expect(german).toContain("haf");
  expect(german).not.toContain("die");
});

test("searches a question of only stop words unchanged", async () => {
  expect(await lexemesOf("where could these have been")).toEqual([]);
  expect(await lexemesOf("to be or not to die with whom")).toEqual([["die"]]);
});

test("counts a word with two spellings once", async () => {
  const words = await lexemesOf(
    "Which setting or which settings does the harbour master use?",
  );
  expect(words.filter((lexemes) => lexemes.includes("set"))).toHaveLength(1);
});

test("a compound finds its parts, which weigh less than whole words", async () => {
  const statistics = createTermStatistics(db);
  const question = "Welche Arbeitszeit haben die Leute im Hafen?";
  const { words } = await readQuestion(db, statistics, question);
  const [time, harbour] = ["zeit", "haf"].map((lexeme) =>
    words.find(({ lexemes }) => lexemes.includes(lexeme)),
  );
  expect(words.map(({ lexemes }) => lexemes).flat()).toEqual(
    expect.arrayContaining(["arbeit", "zeit", "haf"]),
  );
  const rarity = (count: number) => Math.log(1 + (4 - count + 0.5) / (count + 0.5));
  expect(harbour?.weight).toBeCloseTo(rarity(harbour?.count ?? 0), 10);
  expect(time?.weight).toBeCloseTo(0.7 * rarity(time?.count ?? 0), 10);
});

test("the corpus is read once for a question, and compounds once while it stays the same", async () => {
  const statistics = createTermStatistics(db);
  const before = await statistics.corpus();
  const never = () => Promise.reject(new Error("the corpus was read again"));
  const asked = { ...statistics, corpus: never };
  const question = "Welche Arbeitszeit haben die Leute im Hafen?";
  const { words } = await readQuestion(db, asked, question, before);
  expect(words.length).toBeGreaterThan(0);

  const search = [{ query: "hafen:*", pattern: "hafen___%" }];
  expect(await statistics.findCompounds(search, before)).toEqual([]);
  await store("german", "Die Hafenmeister sind da.");
  expect(await statistics.findCompounds(search, before)).toEqual([]);
  const found = await statistics.findCompounds(search, await statistics.corpus());
  expect(found).toEqual(["hafenmeist"]);
});
