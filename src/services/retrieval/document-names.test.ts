import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeDocument,
} from "../../../test/support/documents-database.ts";
import type { Database } from "../../platform/db/database.ts";
import { termsOf } from "../embedding/contract-terms.ts";
import { addChunks, closeChunks, openSet } from "../embedding/index/sets-store.ts";
import { createTextAnalysis } from "../embedding/index/text-analysis.ts";
import { MAX_NAMED_SETS } from "./document-names.ts";
import { measureScope } from "./extent.ts";
import { readQuestion } from "./question-words.ts";
import type { Scope } from "./scope.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { searchText } from "./text-search.ts";

const TABLE = "Statement of cash flows: purchases of equipment 412 398, dividends 77 75";
const RISKS =
  "Halvorsen and its rivals: Halvorsen depends on Halvorsen's suppliers of steel";
const OTHERS = ["Ferries are built of steel", "Weather may delay deliveries"];

let db: Database;
beforeAll(async () => {
  db = await documentsDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** @returns the id of the document */
async function store(fileName: string, texts: readonly string[]): Promise<string> {
  const documentId = await storeDocument(db, { fileName });
  const set = await openSet(db, uuidv7(), documentId, "one");
  if (!set) throw new Error("the document was not stored");
  const analysed = await createTextAnalysis(db)(
    texts.map((text) => ({ terms: termsOf(text), textConfig: "english" })),
  );
  const chunks = texts.map((content, index) => ({
    id: uuidv7(),
    index,
    content,
    language: "en",
    ...(analysed[index] ?? { search: "", searchLength: 0 }),
    start: 0,
    end: 1,
    tokenCount: 1,
    pageNumber: 1,
    headings: [],
  }));
  await addChunks(db, set, chunks);
  await closeChunks(db, set.id, texts.length, ["english"]);
  await db.query(
    sql`update documents.chunk_sets set state = 'current' where id = ${set.id}`,
  );
  return documentId;
}

async function find(question: string, ids: readonly string[]): Promise<string[]> {
  const scope: Scope = { kind: "documents", ids };
  const extent = await measureScope(db, scope, 10_000);
  const wanted = await readQuestion(db, createTermStatistics(db), question);
  const { found } = await searchText(db, wanted, extent);
  const rows = await db.query<{ id: string; text: string }>(
    sql`select c.id, d.file_name || ': ' || c.content as text
      from documents.chunks c join documents.documents d on d.id = c.document_id
      where c.id = any (${found.map(({ id }) => id)}::uuid[])`,
  );
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  return found.map(({ id }) => texts.get(id) ?? "");
}

test("a company and a year in the name choose the document, the other words its page", async () => {
  const ids: string[] = [];
  for (const name of ["HALVORSEN_2020_10K", "HALVORSEN_2021_10K", "VARGA_2021_10K"])
    ids.push(await store(`${name}.pdf`, [RISKS, TABLE, ...OTHERS]));
  const [first] = await find(
    "What were Halvorsen's purchases of equipment in FY2021?",
    ids,
  );
  expect(first).toBe(`HALVORSEN_2021_10K.pdf: ${TABLE}`);
  const [other] = await find("Varga's dividends in fiscal 2021", ids);
  expect(other).toBe(`VARGA_2021_10K.pdf: ${TABLE}`);
});

test.each([
  ["MeridianHarborHotels.pdf", "dividends of Meridian Harbor"],
  ["MERIDIANHARBOR_10K.pdf", "dividends of Meridian Harbor"],
  ["Überstunden-Regelung.docx", "Gilt die ueberstunden regelung?"],
  ["Plan_FY21.xlsx", "dividends in FY21"],
  ["2021Q2report.pdf", "dividends of Q2 2021"],
])("%s is found by %s", async (name, question) => {
  const [own, other] = [await store(name, [TABLE]), await store("other.pdf", [TABLE])];
  const [first] = await find(question, [other, own]);
  expect(first).toBe(`${name}: ${TABLE}`);
});

test("a document is found by its name alone, by the new one after it is renamed", async () => {
  const id = await store("Reisekosten.docx", OTHERS);
  expect(await find("Reisekosten", [id])).toEqual([`Reisekosten.docx: ${OTHERS[0]}`]);
  await db.query(
    sql`update documents.documents set file_name = 'Spesen.docx' where id = ${id}`,
  );
  expect(await find("Reisekosten", [id])).toEqual([]);
  expect(await find("Spesen", [id])).toEqual([`Spesen.docx: ${OTHERS[0]}`]);
});

test("a name outside of what is searched finds nothing", async () => {
  await store("Gehaltsliste.xlsx", OTHERS);
  const own = await store("Handbuch.docx", OTHERS);
  expect(await find("Gehaltsliste", [own])).toEqual([]);
});

test("a word in the names of many documents still separates those that a rare word names", async () => {
  const ids: string[] = [];
  for (let at = 0; at <= MAX_NAMED_SETS; at += 1)
    ids.push(await store(`report 2022 ${at}.pdf`, [TABLE]));
  for (const year of [2021, 2022]) ids.push(await store(`Castellan ${year}.pdf`, [TABLE]));
  const [first] = await find("dividends of Castellan 2022", ids);
  expect(first).toBe(`Castellan 2022.pdf: ${TABLE}`);
}, 60_000);
