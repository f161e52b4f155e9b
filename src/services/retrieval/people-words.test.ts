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
import { searchesOf } from "./compounds.ts";
import { measureScope } from "./extent.ts";
import { readQuestion } from "./question-words.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { searchText } from "./text-search.ts";

/** Texts by their language, each with questions that it answers best of all texts. */
const TEXTS: [configuration: string, text: string, questions: string[]][] = [
  ["english", "This plain text says Malaga and Orebro.", ["Málaga", "Örebro"]],
  ["german", "Frau Müller leitet den Einkauf.", ["Mueller", "Muller", "MÜLLER"]],
  ["german", "Die Groesse der Halle steht am Tor.", ["Größe", "Grösse"]],
  ["french", "La clôture des comptes a lieu en décembre.", ["cloture", "decembre"]],
  ["english", "The office in Łódź opened again.", ["Lodz"]],
  ["simple", "Diyarbakır ve Iğdır", ["Diyarbakir", "Igdir"]],
  ["greek", "Η οδός της Αθήνας", ["οδος", "ΟΔΟΣ", "Αθηνας"]],
  ["russian", "Всё о новом счёте", ["счете"]],
  ["simple", "رقم العقد ٩٨٧٦ مُوَقَّع", ["9876", "موقع", "مـوقع"]],
  ["english", "Our hand\u00adbook and key\u200bboard", ["handbook", "keyboard"]],
  ["english", "The ﬁling of Ｆｕｌｌｗｉｄｔｈ forms", ["filing", "fullwidth"]],
  ["simple", "서울에서 계약을 체결하였습니다.", ["서울", "계약"]],
  ["simple", "新製品iPhone15を発売しました。", ["iPhone15"]],
  ["simple", "ติดตั้งPostgreSQLแล้ว", ["PostgreSQL"]],
  ["english", "The WHO guidelines were revised.", ["WHO", "Where is the WHO?"]],
  ["english", "We heard The Who in Leeds.", ["the albums of The Who"]],
  ["english", "To be, or not to be, that is it.", ["to be or not to be"]],
  ["english", "Account DE89 3704 0044 0532 0130 00", ["DE89370400440532013000"]],
  ["english", "Call +49-30-1234567 now.", ["+49301234567", "+49 30 1234567"]],
  // business years
  ["english", "Sales rose in FY19.", ["sales of FY2019", "sales of fiscal 2019"]],
  [
    "english",
    "Sales fell in fiscal 2018.",
    ["sales of FY18", "sales of FY 2018", "sales FY'18"],
  ],
  ["german", "Der Umsatz im GJ 2017 stieg.", ["Umsatz GJ17", "Umsatz im Jahr 2017"]],
  ["english", "RFC2119 defines MUST.", ["RFC 2119"]],
  ["english", "Node.js runs scripts.", ["nodejs", "Node.js"]],
  ["english", "The C++ team meets", ["C++ team"]],
  ["english", "The C# team meets", ["C# team"]],
  ["english", "The C team meets", ["C team"]],
  [
    "english",
    "The temperature was \u221240 degrees",
    ["temperature -40", "temperature –40"],
  ],
  ["english", "The temperature was 40 degrees", ["temperature 40"]],
  ["english", "A dose below <5 units", ["dose <5"]],
  ["english", "A dose above >5 units", ["dose >5"]],
  // compounds, by their first and by their last part
  [
    "german",
    "Der Urlaubsanspruch beträgt dreißig Tage.",
    ["Wie viel Urlaub bekomme ich?", "Anspruch auf Urlaub"],
  ],
  ["german", "Schadensersatz verjährt nach drei Jahren.", ["Ersatz für Schaden"]],
  ["german", "Das Zahlungsziel steht im Vertrag.", ["Ziel für die Zahlung"]],
  ["dutch", "De arbeidsovereenkomst eindigt vanzelf.", ["arbeid", "overeenkomst"]],
  ["swedish", "Uppsägningstiden är tre månader.", ["uppsägning"]],
  ["danish", "Ferieloven gælder alle ansatte.", ["ferie"]],
  ["norwegian", "Brannvernlederen kommer på mandag.", ["lederen"]],
];

let db: Database;
const answers = new Map<string, string>();
beforeAll(async () => {
  db = await documentsDatabase();
  const analyse = createTextAnalysis(db);
  for (const [textConfig, text] of TEXTS) {
    const [analysed] = await analyse([{ textConfig, terms: termsOf(text) }]);
    const documentId = await storeDocument(db);
    const setId = uuidv7();
    const id = uuidv7();
    answers.set(id, text);
    await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
      values (${setId}, ${documentId}, 'current', '', 1, ${[textConfig]}::text[])`);
    await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
      values (${id}, ${setId}, ${documentId}, 0, ${text}, 0, 1, 1, ${analysed?.search}::tsvector, ${analysed?.searchLength})`);
  }
});
afterAll(() => db[Symbol.asyncDispose]());

test.each(TEXTS.flatMap(([, text, questions]) => questions.map((one) => [one, text])))(
  "%s finds: %s",
  async (question, text) => {
    const wanted = await readQuestion(db, createTermStatistics(db), question);
    const extent = await measureScope(db, { kind: "all" }, TEXTS.length);
    const { found } = await searchText(db, wanted, extent);
    expect(answers.get(found[0]?.id ?? "")).toBe(text);
  },
);

test("a word is no part of every longer word that begins or ends like it", async () => {
  const wanted = await readQuestion(
    db,
    createTermStatistics(db),
    "Wie geht das beste Ziel?",
  );
  const lexemes = wanted.words.flatMap((word) => [...word.lexemes]);
  expect(lexemes).toContain("zahlungsziel");
  expect(searchesOf("beste", ["best"]).map(({ pattern }) => pattern)).toEqual([
    "beste___%",
  ]);
  expect(searchesOf("rat", ["rat"])).toEqual([]);
});
