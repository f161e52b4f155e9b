import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readArguments, refuseArguments } from "../../../scripts/read-arguments.ts";
import { fileToMarkdown } from "../src/formats/file-to-markdown.ts";
import { findFormatPeers, pandocMarkdown, type PeerResult } from "./format-peers.ts";
import { type Kept, keptElements } from "./kept-elements.ts";
import { plainText } from "./plain-text.ts";
import { score, type Score } from "./score.ts";
import { indelSimilarity } from "./text-similarity.ts";

const USAGE = `Usage: node packages/to-markdown/bench/formats.ts --corpus <folder> [options]

Compares the markdown of Office files, books, pages and texts with known markdown, beside other
parsers, per format: text (words in order), NID, TEDS (tables), MHS (headings), links, items of
lists, emphasis, and milliseconds a file. A file that a parser cannot read counts 0. Writes
bench/results/parser-formats.json.

  --corpus <folder>  NAME with NAME.md beside it, or NAME.truth.native where pandoc is installed
  --peers <a,b>      some of pandoc,markitdown,docling
  --python <file>    the Python in which make-peers.sh installed them
  --only <text>      files whose name contains this
  --each             show each file
  --save <folder>    keep the markdown of each parser there
  --help             print this`;

const { values } = readArguments(USAGE, {
  options: {
    corpus: { type: "string" },
    peers: { type: "string", default: "pandoc,markitdown,docling" },
    python: { type: "string" },
    only: { type: "string", default: "" },
    each: { type: "boolean", default: false },
    save: { type: "string" },
  },
});
const EXTENSIONS =
  "docx,xlsx,xlsm,pptx,odt,ods,odp,epub,html,rtf,csv,md,asciidoc,eml,msg,doc,xls,ppt".split(
    ",",
  );
const { corpus } = values;
if (corpus === undefined)
  refuseArguments("Say where the documents are: --corpus <folder>.", USAGE);

interface Specimen {
  path: string;
  format: string;
  truth: string;
}

async function specimensOf(folder: string): Promise<Specimen[]> {
  const found: Specimen[] = [];
  for await (const name of glob(`**/*.{${EXTENSIONS.join(",")}}`, { cwd: folder })) {
    const path = join(folder, name);
    if (!name.includes(values.only)) continue;
    const truth = await readFile(`${path}.md`, "utf8").catch(() =>
      pandocMarkdown(`${path}.truth.native`, "native").catch(() => undefined),
    );
    const format = name.slice(name.lastIndexOf(".") + 1).replace("xlsm", "xlsx");
    if (truth !== undefined && truth.trim() !== "") found.push({ path, truth, format });
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
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

function figuresOf(truth: string, markdown: string): Figures {
  return {
    text: indelSimilarity(plainText(truth), plainText(markdown)),
    ...score(truth, markdown),
    ...keptElements(truth, markdown),
  };
}

const KEYS = ["text", "nid", "teds", "mhs", "links", "items", "emphasis"] as const;

function row(
  name: string,
  format: string,
  files: readonly { figures: Figures; result: PeerResult | undefined }[],
) {
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
    format,
    parser: name,
    files: files.length,
    "not read": files.filter(({ result }) => result?.markdown === undefined).length,
    ...Object.fromEntries(KEYS.map((key) => [key, mean(key)])),
    "ms (median)": (times[times.length >> 1] ?? 0).toFixed(1),
  };
}

const specimens = await specimensOf(corpus);
const paths = specimens.map(({ path }) => path);
await ours(paths); // code is loaded once a process: that is no file's time
const parsers = [
  { name: "parlance", readAll: ours },
  ...(await findFormatPeers(values.peers.split(",").filter(Boolean), values.python)),
];
const rows: ReturnType<typeof row>[] = [];
const each: Record<string, unknown>[] = [];
for (const { name, readAll } of parsers) {
  const results = await readAll(paths);
  const files = specimens.map((specimen) => {
    const result = results.get(specimen.path);
    return {
      ...specimen,
      result,
      figures: figuresOf(specimen.truth, result?.markdown ?? ""),
    };
  });
  for (const format of [...new Set(specimens.map((specimen) => specimen.format)), "all"]) {
    rows.push(
      row(
        name,
        format,
        files.filter((file) => format === "all" || file.format === format),
      ),
    );
  }
  for (const { path, figures, result } of files) {
    each.push({
      parser: name,
      path: relative(corpus, path),
      ...figures,
      error: result?.error,
    });
    if (values.save === undefined) continue;
    await mkdir(join(values.save, name), { recursive: true });
    await writeFile(
      join(values.save, name, `${relative(corpus, path).replaceAll("/", "__")}.md`),
      result?.markdown ?? result?.error ?? "",
    );
  }
}
const shown = rows.toSorted((a, b) =>
  a.format < b.format ? -1 : a.format > b.format ? 1 : 0,
);
if (values.each)
  console.table(
    each
      .filter(({ parser }) => parser === "parlance")
      .map(({ parser: _, ...rest }) => rest),
  );
console.table(shown);
await mkdir("bench/results", { recursive: true });
await writeFile(
  "bench/results/parser-formats.json",
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows: shown, each }, null, 2)}\n`,
);
