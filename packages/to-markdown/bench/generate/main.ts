import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readArguments, refuseArguments } from "../../../../scripts/read-arguments.ts";
import { type Kind, KINDS } from "./document.ts";
import { makeDocument } from "./make-document.ts";
import { findWriters, type PrintJob, printDocuments } from "./print-documents.ts";
import { createRandom } from "./random.ts";
import { truthOf } from "./truth.ts";
import { OFFICE_WRITERS } from "./office-writers.ts";
import { type Writer, WRITERS } from "./writers.ts";

const USAGE = `Usage: node packages/to-markdown/bench/generate/main.ts --out <folder> [options]

Makes documents whose markdown is known by construction, with the writers that this machine has:
NAME.pdf with NAME.pdf.truth.md, and NAME.pdf.truth-repeated.md, in which merged cells stand in
every place that they cover.

  --out <folder>    where they go
  --seed <text>     another seed is another set; 1 by default
  --count <number>  how many; 400 by default
  --only <text>     only those of the set whose names contain this
  --python <file>   the Python in which make-peers.sh installed its writers
  --office          files of Office programs, books and pages rather than PDFs
  --sources         keep what they were printed from
  --help            print this`;

const { values } = readArguments(USAGE, {
  options: {
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "400" },
    only: { type: "string", default: "" },
    python: {
      type: "string",
      default: new URL("../.peers/bin/python", import.meta.url).pathname,
    },
    office: { type: "boolean", default: false },
    sources: { type: "boolean", default: false },
  },
});
if (values.out === undefined)
  refuseArguments("Say where the documents go: --out <folder>.", USAGE);
const out = values.out;
const { seed, python } = values;
await mkdir(out, { recursive: true });
const writers = values.office ? OFFICE_WRITERS : WRITERS;
const found = await findWriters(writers, python);
const present = writers.filter(({ name }) => found.has(name));
const absent = writers.filter(({ name }) => !found.has(name)).map(({ name }) => name);
console.log(`Writers: ${present.map(({ name }) => name).join(", ")}.`);
if (absent.length > 0)
  console.log(`Absent: ${absent.join(", ")}. make-peers.sh installs them.`);

/**
 * The kind and writer of a document of the set: every kind of PDF, or every other format, in turn.
 */
function choose(at: number): { kind: Kind; writer: Writer } | undefined {
  const random = createRandom(`${seed} ${at} writer`);
  if (values.office) {
    const writer = present[at % present.length];
    return writer && { writer, kind: random.pick(writer.only ?? KINDS) };
  }
  const kind = KINDS[at % KINDS.length] ?? "headings";
  const able = present.filter(({ without }) => !without?.includes(kind));
  return able.length > 0 ? { writer: random.pick(able), kind } : undefined;
}

const jobs: PrintJob[] = [];
for (let at = 0; at < Number(values.count); at += 1) {
  const chosen = choose(at);
  if (!chosen) continue;
  const { kind, writer } = chosen;
  const name = `${seed}-${String(at).padStart(4, "0")}_${kind}_${writer.name}`;
  if (!name.includes(values.only)) continue;
  const whole = makeDocument(name, kind, writer.languages);
  const document = writer.holds?.(whole) ?? whole;
  const source = join(out, `${name}.${writer.extension}`);
  const target = join(out, `${name}.${writer.makes}`);
  jobs.push({ writer, document, source, target });
}
const errors = await printDocuments(jobs, python);
let made = 0;
for (const { document, source, target } of jobs) {
  if (!values.sources && source !== target) await rm(source, { force: true });
  if (!(await stat(target).catch(() => undefined))) {
    console.log(
      `${document.name} was not printed: ${errors.get(target) ?? "the writer made no file"}`,
    );
    continue;
  }
  await writeFile(`${target}.truth.md`, truthOf(document, false));
  await writeFile(`${target}.truth-repeated.md`, truthOf(document, true));
  made += 1;
}
console.log(`${made} documents in ${out}.`);
