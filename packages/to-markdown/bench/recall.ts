import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { readArguments, refuseArguments } from "../../../scripts/read-arguments.ts";
import { toMarkdown } from "../src/to-markdown.ts";
import { halfOf } from "./corpus.ts";
import { type Extracted, findExtractors, withoutMarkup } from "./extractors.ts";
import { charactersKept, type Kept } from "./kept-characters.ts";
import { REASONS } from "./recall-reasons.ts";

const USAGE = `Usage: node packages/to-markdown/bench/recall.ts --corpus <folder> [options]

Counts how many of the letters and digits that other programs find in files stand in our markdown:
the union of what they find, without the running heads and what no person sees, which ours leaves
out. Of spreadsheets, it asks for words without digits alone: other programs give numbers as stored, not as shown. Prints a
row for each format and half, and names the worst files of the half for work with the words that
they lack, or with the reason why nothing is lost where recall-reasons.ts knows one. Writes bench/results/recall.json.

  --corpus <folder>  the files; may be given several times
  --with <a,b>       some of pymupdf,pdftotext,markitdown,pandoc
  --python <file>    the Python in which make-peers.sh installed them
  --only <text>      files whose name contains this
  --worst <number>   how many files are named; 20 by default
  --help             print this`;

const { values } = readArguments(USAGE, {
  options: {
    corpus: { type: "string", multiple: true },
    with: { type: "string", default: "pymupdf,pdftotext,markitdown,pandoc" },
    python: { type: "string" },
    only: { type: "string", default: "" },
    worst: { type: "string", default: "20" },
  },
});
const { corpus } = values;
if (corpus === undefined)
  refuseArguments("Say where the files are: --corpus <folder>.", USAGE);
const FORMATS = "pdf,docx,xlsx,xlsm,pptx,odt,epub,html,csv,xls".split(",");
const SPREADSHEETS = new Set(["xlsx", "xlsm", "xls", "csv"]);
/** Files with less text prove nothing. */
const MIN_CHARACTERS = 20;
const WANTED = 0.98;

interface File {
  name: string;
  path: string;
  format: string;
  half: "work" | "scored";
}

interface Outcome extends File, Kept {
  error?: string;
}

async function filesOf(folder: string): Promise<File[]> {
  const files: File[] = [];
  for await (const name of glob(`**/*.{${FORMATS.join(",")}}`, { cwd: folder })) {
    if (!name.includes(values.only)) continue;
    const format = name.slice(name.lastIndexOf(".") + 1).replace("xlsm", "xlsx");
    const path = join(folder, name);
    files.push({ name: relative(folder, path), path, format, half: halfOf(path) });
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const wordsAlone = (text: string) => text.replace(/\S*\p{N}\S*/gu, " ");

const files = (await Promise.all(corpus.map(filesOf))).flat();
const extractors = await findExtractors(
  values.with.split(",").filter(Boolean),
  values.python,
);
const found: Map<string, Extracted>[] = [];
for (const { reads, extract } of extractors)
  found.push(
    await extract(files.filter(({ format }) => reads(format)).map(({ path }) => path)),
  );

async function judge(file: File): Promise<Outcome | undefined> {
  const others = found.flatMap((texts) => texts.get(file.path) ?? []);
  const shown = SPREADSHEETS.has(file.format) ? wordsAlone : (text: string) => text;
  const texts = others.map(({ text }) => shown(text));
  const leftOut = others.flatMap(({ runningHeads, unseen }) => [runningHeads, unseen]);
  const result = await toMarkdown(await readFile(file.path), { fileName: file.name }).catch(
    (error: unknown) => ({ error: String(error).split("\n")[0] ?? "", markdown: "" }),
  );
  const kept = charactersKept(
    texts,
    shown(withoutMarkup(result.markdown)),
    leftOut.join("\n"),
  );
  if (kept.characters < MIN_CHARACTERS) return undefined;
  return { ...file, ...kept, ...("error" in result && { error: result.error }) };
}

const outcomes: Outcome[] = [];
for (const file of files) {
  const outcome = await judge(file);
  if (outcome) outcomes.push(outcome);
}
const recallOf = ({ kept, characters }: Kept) => kept / characters;
const isBelow = (outcome: Outcome) => recallOf(outcome) < WANTED;
const reasonOf = ({ name }: Outcome) => REASONS[basename(name)];

function row(format: string, half: string, of: readonly Outcome[]) {
  const sum = (key: "kept" | "characters") =>
    of.reduce((total, outcome) => total + outcome[key], 0);
  const mean = of.reduce((total, outcome) => total + recallOf(outcome), 0) / of.length;
  return {
    format,
    half,
    files: of.length,
    "not read": of.filter(({ error }) => error !== undefined).length,
    characters: sum("characters"),
    recall: (sum("kept") / sum("characters")).toFixed(4),
    "mean of files": mean.toFixed(4),
    [`below ${WANTED}`]: of.filter(isBelow).length,
    "without a reason": of.filter((each) => isBelow(each) && !reasonOf(each)).length,
  };
}

function isOf(file: File, format: string): boolean {
  if (format === "others") return file.format !== "pdf";
  return format === "all" || file.format === format;
}

const formats = [...new Set(outcomes.map(({ format }) => format)), "others", "all"];
const rows = formats.flatMap((format) =>
  ["work", "scored"].flatMap((half) => {
    const of = outcomes.filter((each) => each.half === half && isOf(each, format));
    return of.length > 0 ? [row(format, half, of)] : [];
  }),
);
console.log(`Beside ${extractors.map(({ name }) => name).join(", ")}:`);
console.table(rows);
const worst = outcomes
  .filter((outcome) => outcome.half === "work" && isBelow(outcome))
  .toSorted((a, b) => recallOf(a) - recallOf(b));
console.log(`The worst of ${worst.length} files of the half for work below ${WANTED}:`);
for (const outcome of worst.slice(0, Number(values.worst))) {
  const words = outcome.missing.slice(0, 12).map(([word, count]) => `${word}×${count}`);
  const lost = outcome.characters - outcome.kept;
  console.log(
    `  ${recallOf(outcome).toFixed(3)} ${outcome.name} (${lost} of ${outcome.characters} lost): ${outcome.error ?? reasonOf(outcome) ?? words.join(" ")}`,
  );
}
await mkdir("bench/results", { recursive: true });
const each = outcomes.map(({ name, half, characters, kept, error }) => ({
  name,
  half,
  characters,
  kept,
  error,
}));
await writeFile(
  "bench/results/recall.json",
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows, each }, null, 2)}\n`,
);
