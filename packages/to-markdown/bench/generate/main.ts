import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readArguments, refuseArguments } from "../../../../scripts/read-arguments.ts";
import { KINDS } from "./document.ts";
import { makeDocument } from "./make-document.ts";
import { findWriters, type PrintJob, printDocuments } from "./print-documents.ts";
import { createRandom } from "./random.ts";
import { truthOf } from "./truth.ts";
import { WRITERS } from "./writers.ts";

const USAGE = `Usage: node packages/to-markdown/bench/generate/main.ts --out <folder> [options]

Makes PDFs whose markdown is known by construction, printed by the writers that this machine has:
NAME.pdf with NAME.pdf.truth.md, and NAME.pdf.truth-repeated.md, in which merged cells stand in
every place that they cover.

  --out <folder>    where they go
  --seed <text>     another seed is another set; 1 by default
  --count <number>  how many; 400 by default
  --python <file>   the Python in which make-peers.sh installed its writers
  --sources         keep what the PDFs were printed from
  --help            print this`;

const { values } = readArguments(USAGE, {
  options: {
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "400" },
    python: {
      type: "string",
      default: new URL("../.peers/bin/python", import.meta.url).pathname,
    },
    sources: { type: "boolean", default: false },
  },
});
if (values.out === undefined)
  refuseArguments("Say where the documents go: --out <folder>.", USAGE);
const out = values.out;
const { seed, python } = values;
await mkdir(out, { recursive: true });
const found = await findWriters(WRITERS, python);
const present = WRITERS.filter(({ name }) => found.has(name));
const absent = WRITERS.filter(({ name }) => !found.has(name)).map(({ name }) => name);
console.log(`Writers: ${present.map(({ name }) => name).join(", ")}.`);
if (absent.length > 0)
  console.log(
    `Absent: ${absent.join(", ")}. make-peers.sh installs those of Python; Debian has the others.`,
  );

const jobs: PrintJob[] = [];
for (let at = 0; at < Number(values.count); at += 1) {
  const kind = KINDS[at % KINDS.length] ?? "headings";
  const able = present.filter(({ without }) => !without?.includes(kind));
  if (able.length === 0) continue;
  const writer = createRandom(`${seed} ${at} writer`).pick(able);
  const name = `${seed}-${String(at).padStart(4, "0")}_${kind}_${writer.name}`;
  const document = makeDocument(name, kind, writer.languages);
  const source = join(out, `${name}.${writer.extension}`);
  const pdf = join(out, `${name}.pdf`);
  jobs.push({ writer, document, source, pdf });
}
const errors = await printDocuments(jobs, python);
let made = 0;
for (const { document, source, pdf } of jobs) {
  if (!values.sources) await rm(source, { force: true });
  if (!(await stat(pdf).catch(() => undefined))) {
    console.log(
      `${document.name} was not printed: ${errors.get(pdf) ?? "the writer made no file"}`,
    );
    continue;
  }
  await writeFile(`${pdf}.truth.md`, truthOf(document, false));
  await writeFile(`${pdf}.truth-repeated.md`, truthOf(document, true));
  made += 1;
}
console.log(`${made} PDFs in ${out}.`);
