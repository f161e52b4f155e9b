import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments, refuseArguments } from "../../../scripts/read-arguments.ts";

const USAGE = `Usage: npm run bench:markdown -- --out <folder> [options]

One table of PDFs and of Office files, books and pages: generated ones, and those of a corpus; ours
beside pymupdf4llm, markitdown, docling, pandoc and pdftotext where make-peers.sh installed them;
the half for work and the scored half apart. Where a parser reads none of a set, it has no row.

  --out <folder>     where generated files go, unless a set of this seed is there, and the logs
  --seed <text>      of the generated files; another seed is another set; 1 by default
  --count <number>   how many of each kind, PDFs and others; 400 by default
  --corpus <folder>  files with known markdown beside them, or with none, for recall alone
  --python <file>    the Python in which make-peers.sh installed the peers
  --help             print this`;

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { values } = readArguments(USAGE, {
  options: {
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "400" },
    corpus: { type: "string" },
    python: { type: "string", default: here(".peers/bin/python") },
  },
});
if (values.out === undefined)
  refuseArguments("Say where generated files go: --out <folder>.", USAGE);
const out = values.out;
const { seed, count, corpus, python } = values;
const pdfs = join(out, `pdf-${seed}`);
const office = join(out, `office-${seed}`);

/** Runs a script of this folder, and writes its output to a log. */
async function run(script: string, name: string, args: readonly string[]): Promise<void> {
  console.log(`${name}…`);
  const log = await open(join(out, `${name.replaceAll(" ", "-")}.log`), "w");
  const options = [here(script), ...args, "--python", python];
  const child = spawn(process.execPath, options, { stdio: ["ignore", log.fd, log.fd] });
  const [code] = await once(child, "exit");
  await log.close();
  if (code !== 0) throw new Error(`${name} failed; its log is in ${out}.`);
}

interface Rows<Row> {
  rows: Row[];
}

async function resultsOf<Row>(name: string): Promise<Row[]> {
  // the scripts of this folder write such rows
  const text = await readFile(`bench/results/${name}.json`, "utf8");
  return (JSON.parse(text) as Rows<Row>).rows;
}

interface PdfRow {
  set: string;
  parser: string;
  NID: string;
  TEDS: string;
  MHS: string;
  files: number;
  "not read": number;
  "seconds a page": string;
}

interface FormatRow {
  set: string;
  format: string;
  parser: string;
  files: number;
  "not read": number;
  nid: string;
  teds: string;
  mhs: string;
  "ms (median)": string;
}

interface RecallRow {
  format: string;
  half: string;
  "mean of files": string;
  files: number;
  "below 0.98": number;
  "without a reason": number;
}

async function generate(folder: string, options: readonly string[]): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const args = ["--out", folder, "--seed", seed, "--count", count, ...options];
  await run("generate/main.ts", `Generating ${folder.slice(out.length + 1)}`, args);
}

/** The mean recall of the files of a folder, by half, and the number of files below full recall. */
async function recallOf(name: string, folder: string): Promise<Map<string, string>> {
  await run("recall.ts", `Recall of ${name}`, ["--corpus", folder]);
  const rows = await resultsOf<RecallRow>("recall");
  return new Map(
    rows.map((row) => [
      `${row.format === "pdf" ? "PDF" : row.format}, ${row.half}`,
      `${row["mean of files"]}, ${row["below 0.98"]} of ${row.files} below .98, ${row["without a reason"]} without a reason`,
    ]),
  );
}

const ofCorpus = corpus === undefined ? [] : ["--corpus", corpus];
await mkdir(out, { recursive: true });
await generate(pdfs, []);
await generate(office, ["--office"]);
await run("main.ts", "PDFs", ["--generated", pdfs, ...ofCorpus]);
const pdfRows = await resultsOf<PdfRow>("parser-quality");
await run("formats.ts", "Office files", ["--generated", office, ...ofCorpus]);
const formatRows = await resultsOf<FormatRow>("parser-formats");
const recall = {
  "PDF generated": await recallOf("generated PDFs", pdfs),
  "Office generated": await recallOf("generated Office files", office),
  ...(corpus && { real: await recallOf("the corpus", corpus) }),
};

function recallFor(kind: "PDF" | "Office", set: string): string {
  const [from, half] = set.split(", ");
  const found = from === "real" ? recall.real : recall[`${kind} generated`];
  return found?.get(`${kind === "PDF" ? "PDF" : "others"}, ${half}`) ?? "";
}

const table = [
  ...pdfRows.map((row) => ({
    set: `PDF, ${row.set}`,
    parser: row.parser,
    files: row.files,
    "not read": row["not read"],
    NID: row.NID,
    TEDS: row.TEDS,
    MHS: row.MHS,
    recall: row.parser === "parlance" ? recallFor("PDF", row.set) : "",
    time: `${row["seconds a page"]} s a page`,
  })),
  ...formatRows
    .filter(({ format }) => format === "all")
    .map((row) => ({
      set: `Office, ${row.set}`,
      parser: row.parser,
      files: row.files,
      "not read": row["not read"],
      NID: row.nid,
      TEDS: row.teds,
      MHS: row.mhs,
      recall: row.parser === "parlance" ? recallFor("Office", row.set) : "",
      time: `${row["ms (median)"]} ms a file`,
    })),
].filter((row) => row["not read"] < row.files);
console.table(table.toSorted((a, b) => a.set.localeCompare(b.set)));
