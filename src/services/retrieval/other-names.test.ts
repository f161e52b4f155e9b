import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeDocument,
} from "../../../test/support/documents-database.ts";
import type { Database } from "../../platform/db/database.ts";
import { termsOf } from "../embedding/contract-terms.ts";
import { createTextAnalysis } from "../embedding/index/text-analysis.ts";
import { measureScope } from "./extent.ts";
import { readQuestion } from "./question-words.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { searchText } from "./text-search.ts";

const CASH =
  "Consolidated Statements of Cash Flows: depreciation 412 398, purchases of property, plant and equipment 612 577, dividends 77 75";
const BALANCE =
  "Consolidated Statements of Financial Position: trade payables 512 498, inventories 811 790, total liabilities 2,100 2,050";
const GERMAN = "Konzernbilanz: Vorräte 811 790, Eigenkapital 2.100 2.050";
const PROSE = [
  "Capital is needed for ships. Purchases take long, and equipment and property and plants age.",
  "A recession may lower our expenditure, and days of storms delay what is outstanding.",
  "Our assets are ferries. The return of a ferry takes two days.",
];

let db: Database;
const texts = new Map<string, string>();
beforeAll(async () => {
  db = await documentsDatabase();
  const analyse = createTextAnalysis(db);
  const english = [CASH, BALANCE, ...PROSE].map((text) => ["english", text] as const);
  for (const [textConfig, text] of [...english, ["german", GERMAN] as const]) {
    const [analysed] = await analyse([{ textConfig, terms: termsOf(text) }]);
    const documentId = await storeDocument(db);
    const [setId, id] = [uuidv7(), uuidv7()];
    texts.set(id, text);
    await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
      values (${setId}, ${documentId}, 'current', '', 1, ${[textConfig]}::text[])`);
    await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
      values (${id}, ${setId}, ${documentId}, 0, ${text}, 0, 1, 1, ${analysed?.search}::tsvector, ${analysed?.searchLength})`);
  }
});
afterAll(() => db[Symbol.asyncDispose]());

async function find(question: string): Promise<(string | undefined)[]> {
  const words = await readQuestion(db, createTermStatistics(db), question);
  const extent = await measureScope(db, { kind: "all" }, texts.size);
  const { found } = await searchText(db, words, extent);
  return found.map(({ id }) => texts.get(id));
}

test("a figure is found where the text has another name for it", async () => {
  expect((await find("capex"))[0]).toBe(CASH);
  expect((await find("What was the capital expenditure?"))[0]).toBe(CASH);
  expect((await find("accounts payable"))[0]).toBe(BALANCE);
});

test("a key figure finds the statements from which it is computed", async () => {
  expect((await find("What is the free cash flow?"))[0]).toBe(CASH);
  expect((await find("What is the DPO, the days payable outstanding?"))[0]).toBe(BALANCE);
});

test("other names are also those of the other language", async () => {
  expect(await find("the quick ratio and the equity ratio")).toContain(GERMAN);
  expect(await find("Wie hoch war der freie Cashflow und die Bilanz?")).toContain(BALANCE);
});

test("the words of a name count only where they follow each other", async () => {
  const found = await find("capex");
  expect(found).not.toContain(PROSE[0]);
  expect(found).not.toContain(PROSE[1]);
});
