import { mkdir, writeFile } from "node:fs/promises";
import { readArguments, refuseArguments } from "../../scripts/read-arguments.ts";
import { rowsAgainst } from "../measure.ts";
import { chunkingSpeed } from "./chunking.ts";
import { filingsQuality } from "./filings/measure.ts";
import { filingRows } from "./filings/table.ts";
import { hostileTexts } from "./hostile.ts";
import { languagesDetected } from "./languages.ts";
import { retrievalLatency } from "./latency.ts";
import { makeSets } from "./made-sets.ts";
import { readManuals } from "./manuals.ts";
import { type Answered, retrievalQuality } from "./quality.ts";
import { printable, qualityRows } from "./quality-table.ts";
import { LANGUAGES, readQuestionSet } from "./question-sets.ts";
import { vectorIndexFigures } from "./vectors.ts";
import { wholeAnswers } from "./whole-answers.ts";

/**
 * Measures how well answers are found: recall and nDCG of the first ten results on question sets
 * in BEIR's layout, whether the right pages of generated annual reports are found, the speed of
 * cutting beside LangChain's splitters, whether answers stay whole, how often languages are
 * detected, the time of a search beside its bare SQL with the recall of the index, and the index
 * of the embedded database with long vectors. Uses
 * DATABASE_URL or the embedded database, the embedding model of EMBEDDING_PROVIDER and related
 * settings, and the reranker of RERANKER_SERVICE_URL, if set. Prints tables and writes
 * bench/results/retrieval.json.
 */
const USAGE = `Usage: npm run bench:retrieval -- --sets <folder> [options]

Measures how well answers are found. Prints tables and writes bench/results/retrieval.json.

  --sets <folder>       question sets: NAME/corpus.jsonl, NAME/queries.jsonl and NAME/qrels.tsv
  --names <a,b>         some of these sets
  --manuals <folder>    manuals to make sets from, as bench/retrieval/fetch-manuals fetches them
  --unseen              the manuals are those that no weight was chosen by (fetch-manuals unseen)
  --made <gnome,mixed>  some of the sets that are made from the manuals
  --seed <text>         another seed makes other sets; 1 by default
  --questions <number>  at most, of each set; 10000 by default
  --chunks <number>     in the search whose time is measured; 100000 by default
  --rounds <number>     how often that is measured; 3 by default
  --only <parts>        some of quality,filings,chunking,languages,latency,vectors
  --help                print this`;

const { values } = readArguments(USAGE, {
  options: {
    sets: { type: "string" },
    names: { type: "string", default: Object.keys(LANGUAGES).join(",") },
    questions: { type: "string", default: "10000" },
    manuals: { type: "string" },
    unseen: { type: "boolean", default: false },
    made: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    chunks: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "quality,filings,chunking,languages,latency,vectors" },
  },
});
if (values.sets === undefined)
  refuseArguments("Say where the question sets are: --sets <folder>.", USAGE);
const { sets } = values;
/** Sets that name the passages, and not the documents, that answer. */
const WHOLE = ["xquad-en", "codebase-chunks"];
const names = values.names.split(",");
const wanted = (part: string) => values.only.split(",").includes(part);
const report: Record<string, unknown> = {
  at: new Date().toISOString(),
  node: process.version,
};

if (wanted("quality")) {
  const manuals = values.manuals ? await readManuals(values.manuals, values.unseen) : [];
  const made = manuals.length > 0 ? makeSets(manuals, values.seed) : [];
  const read = await Promise.all(names.map((name) => readQuestionSet(sets, name)));
  const answered: Answered[] = [];
  const prefixes = values.made.split(",");
  const chosen = made.filter(({ name }) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
  for (const set of [...read, ...chosen]) {
    answered.push(...(await retrievalQuality(set, Number(values.questions))));
    console.error(`${set.name} is measured`);
  }
  const ndcg = qualityRows(answered, "ndcg");
  console.log(
    "nDCG@10; chance: the probability that only chance makes hybrid and BM25 differ",
  );
  console.table(printable(ndcg));
  report["quality"] = { ndcg, recall: qualityRows(answered, "recall") };
}
if (wanted("filings")) {
  const rows = filingRows(await filingsQuality());
  console.log(
    "questions of experts about annual reports: shares of questions for which the right filing, one " +
      "of its right pages, and all of them are among the first five",
  );
  console.table(rows);
  report["filings"] = rows;
}
const passages = (
  await Promise.all(names.map((name) => readQuestionSet(sets, name)))
).flatMap((set) => set.passages.map(({ text }) => text));
if (wanted("chunking")) {
  const rows = rowsAgainst(
    "LangChain recursive",
    await chunkingSpeed(passages.join("\n\n"), Number(values.rounds)),
  );
  console.table(rows);
  const hostile = await hostileTexts();
  console.log("seconds for a megabyte that is hard to cut");
  console.table(hostile);
  const whole = [];
  for (const name of names.filter((one) => WHOLE.includes(one)))
    whole.push(await wholeAnswers(sets, name));
  console.table(whole);
  report["chunking"] = { rows, hostile, whole };
}
if (wanted("languages")) {
  const rows = [];
  for (const name of names) {
    const language = LANGUAGES[name];
    if (language === undefined) continue;
    const { passages: texts, questions } = await readQuestionSet(sets, name);
    rows.push(await languagesDetected(name, "passages", language, texts));
    rows.push(await languagesDetected(name, "questions", language, questions));
  }
  console.table(rows);
  report["languages"] = rows;
}
const questions = (
  await Promise.all(names.map((name) => readQuestionSet(sets, name)))
).flatMap((set) => set.questions.map(({ text }) => text));
if (wanted("latency")) {
  const { figures, recall, chunks } = await retrievalLatency(
    passages,
    questions,
    Number(values.chunks),
    Number(values.rounds),
  );
  const rows = rowsAgainst("bare SQL, vectors", figures);
  console.table(rows);
  console.log(
    `recall@10 of the search by vectors among ${chunks} chunks, against exact search, by what a filter leaves`,
  );
  console.table(recall);
  report["latency"] = { rows, recall, chunks };
}
if (wanted("vectors")) {
  const rows = [];
  const chunks = Number(values.chunks);
  for await (const row of vectorIndexFigures(passages, questions, chunks)) rows.push(row);
  console.log(
    `the index of the embedded database among ${chunks} vectors, by what a filter leaves`,
  );
  console.table(rows);
  report["vectors"] = rows;
}
await mkdir("bench/results", { recursive: true });
await writeFile("bench/results/retrieval.json", `${JSON.stringify(report, null, 2)}\n`);
process.exit(0);
