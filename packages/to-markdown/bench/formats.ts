import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readArguments, refuseArguments } from "../../../scripts/read-arguments.ts";
import { fileToMarkdown } from "../src/formats/file-to-markdown.ts";
import { bestScore, comparable, type Score } from "./score.ts";
import { halfOf, readCorpus, type Specimen } from "./corpus.ts";
import { findFormatPeers, pandocMarkdown, type PeerResult } from "./format-peers.ts";
import { indelSimilarity } from "./text-similarity.ts";

/**
 * How many of the expected links, list items and emphasised words are in the output, and how few
 * others are: F1 from 0 to 1.
 */
interface Kept {
  links: number | undefined;
  items: number | undefined;
  emphasis: number | undefined;
}

function keptElements(truth: string, markdown: string): Kept {
  const of = (find: (text: string) => string[]) =>
    overlap(find(withoutCode(truth)), find(withoutCode(markdown)));
  return { links: of(linksOf), items: of(itemsOf), emphasis: of(emphasisOf) };
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[^]*?^\1/gm, "");
}

const letters = (text: string) =>
  plainText(text)
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();

function linksOf(text: string): string[] {
  return [...text.matchAll(/(?<!!)\[[^\]\n]*\]\(<?([^)\s>]+)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => /^\w+:/.test(target));
}

function itemsOf(text: string): string[] {
  return [...text.matchAll(/^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(\S.*)$/gm)]
    .map(([, item]) => letters(item ?? ""))
    .filter(Boolean);
}

function emphasisOf(text: string): string[] {
  return [...text.replace(/\\[*_~]/g, "").matchAll(/(\*{1,3}|~~)(?=\S)([^*~\n]+?)\1/g)]
    .map(([, , inner]) => letters(inner ?? ""))
    .filter(Boolean);
}

function overlap(truth: readonly string[], found: readonly string[]): number | undefined {
  if (truth.length === 0) return undefined;
  const left = new Map<string, number>();
  for (const one of truth) left.set(one, (left.get(one) ?? 0) + 1);
  let common = 0;
  for (const one of found) {
    const count = left.get(one) ?? 0;
    if (count > 0) {
      common += 1;
      left.set(one, count - 1);
    }
  }
  return (2 * common) / (truth.length + found.length);
}

const USAGE = `Usage: node packages/to-markdown/bench/formats.ts --corpus <folder> | --generated <folder> [options]

Compares the markdown of Office files, books, pages and texts with known markdown, beside other
parsers: text (words in order), NID, TEDS (tables), MHS (headings), links, items of lists, emphasis,
and milliseconds a file. A file that a parser cannot read counts 0. One half of the files, by hash,
is for work and the other is only scored. What each program writes in its own way, such as places of
pictures, does not count. Writes bench/results/parser-formats.json.

  --corpus <folder>     NAME with NAME.md beside it, or NAME.truth.native where pandoc is installed
  --generated <folder>  files that packages/to-markdown/bench/generate/main.ts --office made
  --peers <a,b>         some of pandoc,markitdown,docling
  --python <file>       the Python in which make-peers.sh installed them
  --only <text>         files whose name contains this
  --half <name>         work or scored
  --each                show each file of the half for work
  --save <folder>       keep the markdown of each parser there
  --help                print this`;

const { values } = readArguments(USAGE, {
  options: {
    corpus: { type: "string" },
    generated: { type: "string" },
    peers: { type: "string", default: "pandoc,markitdown,docling" },
    python: { type: "string" },
    only: { type: "string", default: "" },
    half: { type: "string" },
    each: { type: "boolean", default: false },
    save: { type: "string" },
  },
});
const EXTENSIONS =
  "docx,xlsx,xlsm,pptx,odt,ods,odp,epub,html,rtf,csv,md,asciidoc,eml,msg,doc,xls,ppt".split(
    ",",
  );
if (values.corpus === undefined && values.generated === undefined)
  refuseArguments(
    "Say where the documents are: --corpus <folder> or --generated <folder>.",
    USAGE,
  );

interface File extends Specimen {
  name: string;
  format: string;
  /** Its folder, and its half. */
  set: string;
}

async function filesOf(folder: string | undefined, from: string): Promise<File[]> {
  const files: File[] = [];
  for (const { path, truths } of folder ? await readCorpus(folder, EXTENSIONS) : []) {
    const name = relative(folder ?? "", path);
    const half = halfOf(path);
    if (!name.includes(values.only) || (values.half ?? half) !== half) continue;
    if (truths.length === 0)
      truths.push(await pandocMarkdown(`${path}.truth.native`, "native").catch(() => ""));
    const format = name.slice(name.lastIndexOf(".") + 1).replace("xlsm", "xlsx");
    const known = truths.map(comparable).filter((truth) => truth.trim() !== "");
    if (known.length > 0)
      files.push({ path, name, format, set: `${from}, ${half}`, truths: known });
  }
  return files;
}

async function ours(paths: readonly string[]): Promise<Map<string, PeerResult>> {
  const results = new Map<string, PeerResult>();
  for (const path of paths) {
    const bytes = await readFile(path);
    const start = performance.now();
    const result = await fileToMarkdown(bytes, { fileName: path }).then(
      ({ markdown }) => ({ markdown }),
      (error: unknown) => ({ error: String(error) }),
    );
    results.set(path, { ...result, ms: performance.now() - start });
  }
  return results;
}

type Figures = Score & Kept & { text: number };

function figuresOf(truths: readonly string[], markdown: string): Figures {
  const truth = truths[0] ?? "";
  const text = (each: string) => indelSimilarity(plainText(each), plainText(markdown));
  return {
    text: Math.max(...truths.map(text)),
    ...bestScore(truths, comparable(markdown)),
    ...keptElements(truth, markdown),
  };
}

const KEYS = ["text", "nid", "teds", "mhs", "links", "items", "emphasis"] as const;

interface Judged extends File {
  figures: Figures;
  result: PeerResult | undefined;
}

function row(parser: string, set: string, format: string, files: readonly Judged[]) {
  const mean = (key: (typeof KEYS)[number]) => {
    const known = files
      .map(({ figures }) => figures[key])
      .filter((value) => value !== undefined);
    return known.length === 0
      ? ""
      : (known.reduce((sum, value) => sum + value, 0) / known.length).toFixed(3);
  };
  const times = files.map(({ result }) => result?.ms ?? 0).toSorted((a, b) => a - b);
  return {
    set,
    format,
    parser,
    files: files.length,
    "not read": files.filter(({ result }) => result?.markdown === undefined).length,
    ...Object.fromEntries(KEYS.map((key) => [key, mean(key)])),
    "ms (median)": (times[times.length >> 1] ?? 0).toFixed(1),
  };
}

async function save(folder: string, parser: string, { name, result }: Judged) {
  await mkdir(join(folder, parser), { recursive: true });
  await writeFile(
    join(folder, parser, `${name.replaceAll("/", "__")}.md`),
    result?.markdown ?? result?.error ?? "",
  );
}

const files = [
  ...(await filesOf(values.corpus, "real")),
  ...(await filesOf(values.generated, "generated")),
];
const paths = files.map(({ path }) => path);
await ours(paths); // code is loaded once a process: that is no file's time
const parsers = [
  { name: "parlance", readAll: ours },
  ...(await findFormatPeers(values.peers.split(",").filter(Boolean), values.python)),
];
const rows: ReturnType<typeof row>[] = [];
const each: Record<string, unknown>[] = [];
for (const { name: parser, readAll } of parsers) {
  const results = await readAll(paths);
  const judged = files.map((file): Judged => {
    const result = results.get(file.path);
    return { ...file, result, figures: figuresOf(file.truths, result?.markdown ?? "") };
  });
  for (const [set, of] of Map.groupBy(judged, (file) => file.set)) {
    rows.push(row(parser, set, "all", of));
    for (const [format, those] of Map.groupBy(of, (file) => file.format))
      rows.push(row(parser, set, format, those));
  }
  for (const file of judged) {
    const { name, set, figures, result } = file;
    each.push({ parser, name, set, ...figures, error: result?.error });
    if (values.save !== undefined) await save(values.save, parser, file);
  }
}
const shown = rows.toSorted(
  (a, b) => a.format.localeCompare(b.format) || a.set.localeCompare(b.set),
);
if (values.each) {
  const work = each.filter(
    ({ parser, set }) => parser === "parlance" && /work/.test(`${set}`),
  );
  console.table(work.map(({ parser: _, set: __, ...rest }) => rest));
}
console.table(shown);
await mkdir("bench/results", { recursive: true });
await writeFile(
  "bench/results/parser-formats.json",
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows: shown, each }, null, 2)}\n`,
);

/** The visible words of a Markdown text in order, without markup, separated by single spaces. */
function plainText(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->/gs, " ")
    .replace(/!\[([^\]]*)\]\([^)\n]*\)/g, " ")
    .replace(/^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/gm, " ")
    .replace(/^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+/gm, " ")
    .replace(/^[ \t]*(?:#{1,6}|```.*|~~~.*)[ \t]*/gm, " ")
    .replace(/\[([^\]]*)\]\(<?[^)\n]*\)/g, "$1")
    .replace(/<\/?[a-z][^>\n]{0,500}>/gi, " ")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(
      /&(amp|lt|gt|quot|nbsp);/g,
      (_, name: string) =>
        ({ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " })[name] ?? " ",
    )
    .replace(/[*_~`|$]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
