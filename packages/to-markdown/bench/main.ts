import { mkdir, readFile, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { pdfToMarkdown } from "../src/pdf/pdf-to-markdown.ts";
import { readCorpus, type Specimen } from "./corpus.ts";
import { findPeers, type Peer } from "./peers.ts";
import { meanOf, score, type Score } from "./score.ts";

/**
 * PDFs to markdown beside other parsers: NID (text and reading order), TEDS (tables), MHS
 * (headings) against known markdown, and seconds a page. Prints tables and writes
 * bench/results/parser-quality.json. node packages/to-markdown/bench/main.ts --corpus FOLDER
 * [--peers pymupdf4llm,markitdown,pdftotext] [--only PART-OF-NAME] [--save FOLDER] [--each]
 */
const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    peers: { type: "string", default: "pymupdf4llm,markitdown,pdftotext" },
    only: { type: "string", default: "" },
    save: { type: "string" },
    each: { type: "boolean", default: false },
  },
});
if (values.corpus === undefined) {
  console.error(
    "Say where the documents are: --corpus FOLDER, with NAME.pdf and NAME.pdf.md or NAME.pdf.truth.md beside each other.",
  );
  process.exit(2);
}
const corpus = values.corpus;
const specimens = (await readCorpus(corpus, ["pdf"])).filter(({ path }) =>
  path.includes(values.only),
);

interface Run {
  path: string;
  score?: Score;
  milliseconds: number;
  pages: number;
  error?: string;
}

async function measure(
  name: string,
  read: (path: string) => Promise<{ markdown: string; pages: number }>,
  of: readonly Specimen[],
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { path, truth } of of) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const result = await read(path).catch((error: unknown) => ({
      markdown: "",
      pages: 0,
      error: String(error).split("\n")[0],
    }));
    const used = process.cpuUsage(cpu);
    // ours runs in this process: its processor time is told apart from what else the machine does
    const milliseconds =
      name === "parlance" ? (used.user + used.system) / 1000 : performance.now() - start;
    runs.push({
      path: relative(corpus, path),
      milliseconds,
      pages: result.pages,
      ...(truth !== undefined && { score: score(truth, result.markdown) }),
      ...("error" in result && result.error !== undefined && { error: result.error }),
    });
    if (values.save !== undefined) {
      await mkdir(`${values.save}/${name}`, { recursive: true });
      await writeFile(
        `${values.save}/${name}/${relative(corpus, path).replaceAll("/", "__")}.md`,
        result.markdown,
      );
    }
  }
  return runs;
}

const shown = (value: number | undefined) => (value === undefined ? "" : value.toFixed(3));
const row = (name: string, runs: readonly Run[]) => {
  const { nid, teds, mhs } = meanOf(runs.flatMap((run) => run.score ?? []));
  const pages = runs.reduce((sum, run) => sum + run.pages, 0);
  const seconds =
    runs.reduce(
      (sum, run) => sum + (run.pages > 0 || name !== "parlance" ? run.milliseconds : 0),
      0,
    ) / 1000;
  return {
    parser: name,
    NID: shown(nid),
    TEDS: shown(teds),
    MHS: shown(mhs),
    documents: runs.length,
    "seconds a page": pages === 0 ? "" : (seconds / pages).toFixed(4),
    "pages a second": pages === 0 ? "" : (pages / seconds).toFixed(0),
  };
};

const ours = async (path: string) => pdfToMarkdown(await readFile(path), {});
// the engine is loaded once a process: that is not a page's time
const first = specimens[0];
if (first) await ours(first.path).catch(() => undefined);

const known = specimens.filter(({ truth }) => truth !== undefined);
const all = await measure("parlance", ours, specimens);
const scored = all.filter((run) => run.score);
if (values.each) {
  console.table(
    scored.map(({ path, score: each, milliseconds, pages }) => ({
      path,
      NID: shown(each?.nid),
      TEDS: shown(each?.teds),
      MHS: shown(each?.mhs),
      "ms a page": (milliseconds / Math.max(pages, 1)).toFixed(1),
    })),
  );
}
const pagesOf = new Map(all.map(({ path, pages }) => [path, pages]));
const rows = [row("parlance", scored)];
const results: Record<string, Run[]> = { parlance: all };
for (const peer of await findPeers(values.peers.split(",").filter((name) => name !== ""))) {
  const read = async (path: string) => ({
    markdown: await (peer satisfies Peer).read(path),
    pages: pagesOf.get(relative(corpus, path)) ?? 1,
  });
  const runs = await measure(peer.name, read, known);
  results[peer.name] = runs;
  rows.push(row(peer.name, runs));
}
console.log("With known markdown:");
console.table(rows);
console.log("Every document, those without known markdown too:");
console.table([row("parlance", all)]);
const failed = all.filter((run) => run.error !== undefined);
console.log(`${failed.length} ended in an error:`);
for (const { path, error, milliseconds } of failed)
  console.log(`  ${path}: ${error} (${milliseconds.toFixed(0)} ms)`);
await mkdir("bench/results", { recursive: true });
await writeFile(
  "bench/results/parser-quality.json",
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, results }, null, 2)}\n`,
);
