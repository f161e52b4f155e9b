import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, relative } from "node:path";
import { readArguments, refuseArguments } from "../../../scripts/read-arguments.ts";
import { pdfToMarkdown } from "../src/pdf/pdf-to-markdown.ts";
import { halfOf, readCorpus, type Specimen } from "./corpus.ts";
import { type PeerResult, findFormatPeers, type FormatPeer } from "./format-peers.ts";
import { bestScore, meanOf, type Score } from "./score.ts";
import { addStructures, compareStructure, interval, type Structure } from "./structure.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const BOUNDS = { maxBuffer: 256 * 1024 * 1024, timeout: 120_000 };

/** Those of the programs `names` that read PDFs and are installed. Prints which are not. */
async function findPeers(names: readonly string[], python?: string): Promise<FormatPeer[]> {
  const peers = await findFormatPeers(
    names.filter((name) => name !== "pdftotext"),
    python,
  );
  if (!names.includes("pdftotext")) return peers;
  const there = await run("pdftotext", ["-v"]).then(
    () => true,
    () => false,
  );
  if (!there)
    console.log("pdftotext is left out: install poppler-utils to compare with it.");
  else peers.push({ name: "pdftotext -layout", readAll: withPdftotext });
  return peers;
}

async function withPdftotext(paths: readonly string[]): Promise<Map<string, PeerResult>> {
  const results = new Map<string, PeerResult>();
  for (const path of paths) {
    const start = performance.now();
    const result = await run("pdftotext", ["-layout", path, "-"], BOUNDS).then(
      ({ stdout }) => ({ markdown: stdout }),
      (error: unknown) => ({ error: String(error) }),
    );
    results.set(path, { ...result, ms: performance.now() - start });
  }
  return results;
}

/**
 * Compares conversions of PDFs with other parsers by expected Markdown: NID (text and reading
 * order), TEDS (tables) and MHS (headings), with seconds per page. A hash divides the documents
 * into a half for work and one that is only scored. The halves have separate rows, and single
 * documents are shown only for the half for work.
 */
const USAGE = `Usage: npm run bench:pdf -- --corpus <folder> | --generated <folder> [options]

Compares the markdown of PDFs with known markdown, beside other parsers: NID (text and reading
order), TEDS (tables), MHS (headings) and seconds a page. Prints tables and writes
bench/results/parser-quality.json.

  --corpus <folder>     NAME.pdf with NAME.pdf.md or NAME.pdf.truth.md beside it
  --generated <folder>  documents that packages/to-markdown/bench/generate/main.ts made
  --peers <a,b>         some of pymupdf4llm,markitdown,pdftotext
  --python <file>       the Python in which make-peers.sh installed them
  --only <text>         documents whose name contains this
  --half <name>         work or scored
  --save <folder>       keep the markdown of each parser there
  --each                show each document
  --kinds               show each kind of document and each writer
  --help                print this`;

const { values } = readArguments(USAGE, {
  options: {
    corpus: { type: "string" },
    generated: { type: "string" },
    peers: { type: "string", default: "pymupdf4llm,markitdown,pdftotext" },
    python: { type: "string" },
    only: { type: "string", default: "" },
    half: { type: "string" },
    save: { type: "string" },
    each: { type: "boolean", default: false },
    kinds: { type: "boolean", default: false },
  },
});
if (values.corpus === undefined && values.generated === undefined)
  refuseArguments(
    "Say where the documents are: --corpus <folder> or --generated <folder>.",
    USAGE,
  );

interface Document extends Specimen {
  /** Its folder, and its half. */
  set: string;
  half: "work" | "scored";
  name: string;
}

interface Outcome extends Document {
  score?: Score;
  /** Against the first expected Markdown. */
  structure?: Structure;
  milliseconds: number;
  pages: number;
  error?: string;
}

async function documentsOf(folder: string | undefined, from: string) {
  if (folder === undefined) return [];
  const all = await readCorpus(folder, ["pdf"]);
  return all.map((specimen): Document => {
    const half = halfOf(specimen.path);
    const name = relative(folder, specimen.path);
    return { ...specimen, half, set: `${from}, ${half}`, name };
  });
}

interface Reading extends PeerResult {
  pages?: number;
}

async function ours(of: readonly Document[]): Promise<Map<string, Reading>> {
  const results = new Map<string, Reading>();
  for (const { path } of of) {
    const bytes = await readFile(path);
    const cpu = process.cpuUsage();
    const result = await pdfToMarkdown(bytes, {}).catch((error: unknown) => ({
      error: String(error).split("\n")[0] ?? "",
    }));
    // processor time, so that other processes do not count
    const { user, system } = process.cpuUsage(cpu);
    results.set(path, { ...result, ms: (user + system) / 1000 });
  }
  return results;
}

async function judge(
  parser: string,
  of: readonly Document[],
  results: ReadonlyMap<string, Reading>,
  pagesOf: ReadonlyMap<string, number>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const document of of) {
    const result: Reading = results.get(document.path) ?? { error: "no answer", ms: 0 };
    const markdown = result.markdown ?? "";
    outcomes.push({
      ...document,
      milliseconds: result.ms,
      pages: result.pages ?? pagesOf.get(document.path) ?? 0,
      ...(document.truths.length > 0 && {
        score: bestScore(document.truths, markdown),
        structure: compareStructure(document.truths[0] ?? "", markdown),
      }),
      ...(result.error !== undefined && { error: result.error }),
    });
    if (values.save === undefined) continue;
    await mkdir(`${values.save}/${parser}`, { recursive: true });
    await writeFile(
      `${values.save}/${parser}/${document.name.replaceAll("/", "__")}.md`,
      markdown,
    );
  }
  return outcomes;
}

const shown = (value: number | undefined) => (value === undefined ? "" : value.toFixed(3));

function row(set: string, parser: string, outcomes: readonly Outcome[]) {
  const { nid, teds, mhs } = meanOf(outcomes.flatMap(({ score }) => score ?? []));
  const pages = outcomes.reduce((sum, outcome) => sum + outcome.pages, 0);
  const timed = outcomes.filter((outcome) => outcome.pages > 0);
  const seconds = timed.reduce((sum, outcome) => sum + outcome.milliseconds, 0) / 1000;
  return {
    set,
    parser,
    NID: shown(nid),
    TEDS: shown(teds),
    MHS: shown(mhs),
    files: outcomes.length,
    "not read": outcomes.filter(({ error }) => error !== undefined).length,
    "seconds a page": pages === 0 ? "" : (seconds / pages).toFixed(4),
  };
}

const ratio = (part: number, whole: number) =>
  whole === 0 ? "" : (part / whole).toFixed(2);

/** What the means do not say: how sure they are, and what is found that is not there. */
function certaintyRow(set: string, parser: string, outcomes: readonly Outcome[]) {
  const scores = outcomes.flatMap(({ score }) => score ?? []);
  const range = (key: keyof Score) => {
    const found = interval(scores.flatMap((score) => score[key] ?? []));
    return found ? found.map((value) => value.toFixed(3)).join(" to ") : "";
  };
  const { headings, bare, tableless } = addStructures(
    outcomes.flatMap(({ structure }) => structure ?? []),
  );
  return {
    set,
    parser,
    NID: range("nid"),
    TEDS: range("teds"),
    MHS: range("mhs"),
    "headings right": ratio(headings.right, headings.found),
    "headings found": ratio(headings.right, headings.expected),
    "some where none are": `${bare.wrong} of ${bare.documents}`,
    "tables where none are": `${tableless.wrong} of ${tableless.documents}`,
  };
}

/** A part of a generated document's name: what it tests, or the program that printed it. */
const partOf = (name: string, part: number): string =>
  basename(name, ".pdf").split("_")[part] ?? "";

function showEach(outcomes: readonly Outcome[]): void {
  console.table(
    outcomes.map(({ name, score, milliseconds, pages }) => ({
      name,
      NID: shown(score?.nid),
      TEDS: shown(score?.teds),
      MHS: shown(score?.mhs),
      "ms a page": (milliseconds / Math.max(pages, 1)).toFixed(1),
    })),
  );
}

const everything = [
  ...(await documentsOf(values.corpus, "real")),
  ...(await documentsOf(values.generated, "generated")),
];
const documents = everything.filter(
  ({ name, half }) =>
    name.includes(values.only) && (values.half === undefined || half === values.half),
);
const known = documents.filter(({ truths }) => truths.length > 0);
const sets = [...new Set(known.map(({ set }) => set))];
const rowsOf = (parser: string, outcomes: readonly Outcome[]) =>
  sets.map((set) =>
    row(
      set,
      parser,
      outcomes.filter((outcome) => outcome.set === set && outcome.score),
    ),
  );

// the engine is loaded once per process, which is not part of the time of a page
await ours(documents.slice(0, 1));
const all = await judge("parlance", documents, await ours(documents), new Map());
const results: Record<string, Outcome[]> = { parlance: all };
const rows = rowsOf("parlance", all);
const pagesOf = new Map(all.map(({ path, pages }) => [path, pages]));
for (const peer of await findPeers(
  values.peers.split(",").filter(Boolean),
  values.python,
)) {
  const found = await peer.readAll(known.map(({ path }) => path));
  results[peer.name] = await judge(peer.name, known, found, pagesOf);
  rows.push(...rowsOf(peer.name, results[peer.name] ?? []));
}
const open = all.filter(({ half, score }) => score && half === "work");
if (values.each) showEach(open);
if (values.kinds) {
  for (const part of [1, 2]) {
    const parts = [...new Set(open.map(({ name }) => partOf(name, part)))].toSorted();
    const of = (each: string) => open.filter(({ name }) => partOf(name, part) === each);
    console.table(parts.map((each) => row("work", each, of(each))));
  }
}
console.log("With known markdown:");
console.table(rows.toSorted((a, b) => sets.indexOf(a.set) - sets.indexOf(b.set)));
console.log(
  "95 % intervals of the same, the share of headings that are right, of headings that are found, and documents with headings or tables that are none:",
);
console.table(
  Object.entries(results).flatMap(([parser, outcomes]) =>
    sets.map((set) =>
      certaintyRow(
        set,
        parser,
        outcomes.filter((outcome) => outcome.set === set && outcome.score),
      ),
    ),
  ),
);
console.log("Every document, those without known markdown too:");
console.table([row("all", "parlance", all)]);
const failed = all.filter(({ error }) => error !== undefined);
console.log(`${failed.length} ended in an error:`);
for (const { name, error, milliseconds } of failed)
  console.log(`  ${name}: ${error} (${milliseconds.toFixed(0)} ms)`);
const kept = Object.entries(results).map(([parser, outcomes]) => [
  parser,
  outcomes.map(({ truths: _, path: __, ...rest }) => rest),
]);
await mkdir("bench/results", { recursive: true });
await writeFile(
  "bench/results/parser-quality.json",
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, results: Object.fromEntries(kept) }, null, 2)}\n`,
);
