import { execFile, execFileSync, spawn } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import type { SourceDocument } from "./document.ts";
import type { Writer } from "./writers.ts";

/** A document to be printed from its source. */
export interface PrintJob {
  writer: Writer;
  document: SourceDocument;
  source: string;
  target: string;
}

const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const BOUNDS = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
const ROOT = here("../../../..");

/** The names of those of the writers `all` that are installed. */
export async function findWriters(
  all: readonly Writer[],
  python: string,
): Promise<Set<string>> {
  const listed = await run(python, [here("print_documents.py"), "--list"], BOUNDS).catch(
    () => undefined,
  );
  const found = new Set(listed?.stdout.split("\n").filter(Boolean));
  for (const { name, command, runs } of all) {
    if (runs === "stored") found.add(name);
    if (command === undefined) continue;
    const there = await run("which", [command]).then(
      () => true,
      () => false,
    );
    if (there && (name !== "ghostscript" || found.has("weasyprint"))) found.add(name);
  }
  if (chromiumPath() !== undefined) found.add("chromium");
  return found;
}

function chromiumPath(): string | undefined {
  try {
    return execFileSync(join(ROOT, "scripts/chromium"), { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

/** Prints all documents. @returns the errors by file name */
export async function printDocuments(
  jobs: readonly PrintJob[],
  python: string,
): Promise<Map<string, string>> {
  for (const { source, writer, document } of jobs)
    await writeFile(source, await writer.source(document));
  const of = (runs: Writer["runs"]) => jobs.filter(({ writer }) => writer.runs === runs);
  const errors = new Map<string, string>();
  await printInChromium(of("chromium"));
  await printInPython(of("python"), python, errors);
  await printInOffice(of("soffice"));
  for (const job of of("command")) {
    await printByCommand(job, python).catch((error: unknown) =>
      errors.set(job.target, String(error).slice(0, 500)),
    );
  }
  return errors;
}

async function printInChromium(jobs: readonly PrintJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox"], // Chromium refuses its sandbox to root
  });
  const page = await browser.newPage();
  for (const { source, target, document } of jobs) {
    await page.setContent(await readFile(source, "utf8"));
    const { tagged, running } = document.look;
    await page.pdf({
      path: target,
      preferCSSPageSize: true,
      printBackground: true,
      tagged,
      outline: tagged,
      displayHeaderFooter: running,
      headerTemplate: "<span></span>",
      footerTemplate:
        '<span class="pageNumber" style="font-size:8px;width:100%;text-align:center"></span>',
    });
  }
  await browser.close();
}

async function printInPython(
  jobs: readonly PrintJob[],
  python: string,
  errors: Map<string, string>,
): Promise<void> {
  if (jobs.length === 0) return;
  const child = spawn(python, [here("print_documents.py")], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = jobs.map(({ writer, source, target }) =>
    JSON.stringify({ writer: writer.name, source, target }),
  );
  child.stdin.end(`${lines.join("\n")}\n`);
  for await (const line of createInterface({ input: child.stdout })) {
    // the Python script beside this file writes such lines
    const { target, error } = JSON.parse(line) as { target: string; error?: string };
    if (error !== undefined) errors.set(target, error);
  }
}

async function printInOffice(jobs: readonly PrintJob[]): Promise<void> {
  const folder = jobs[0] && dirname(jobs[0].target);
  if (folder === undefined) return;
  const home = `-env:UserInstallation=file://${folder}/.office`;
  const alike = Map.groupBy(
    jobs,
    ({ writer, document }) =>
      `${writer.extension} ${writer.makes} ${writer.makes === "pdf" && document.look.tagged}`,
  );
  for (const [formats, each] of alike) {
    const [from, to, tagged] = formats.split(" ");
    // the default filter for HTML is for web layout, which prints in another way
    const filter = from === "html" ? ["--infilter=HTML (StarWriter)"] : [];
    const tags = `{"UseTaggedPDF":{"type":"boolean","value":"${tagged}"}}`;
    const makes = to === "pdf" ? `pdf:writer_pdf_Export:${tags}` : String(to);
    const options = ["--headless", ...filter, "--convert-to", makes, "--outdir", folder];
    const sources = each.map(({ source }) => source);
    await run("soffice", [home, ...options, ...sources], { ...BOUNDS, timeout: 600_000 });
  }
  await rm(`${folder}/.office`, { recursive: true, force: true });
}

async function printByCommand(
  { writer, source, target }: PrintJob,
  python: string,
): Promise<void> {
  const folder = dirname(target);
  if (writer.command === "gs") {
    const plain = `${target}.plain.pdf`;
    const job = `${JSON.stringify({ writer: "weasyprint", source, target: plain })}\n`;
    const child = run(python, [here("print_documents.py")], BOUNDS);
    child.child.stdin?.end(job);
    await child;
    await run("gs", ["-q", "-sDEVICE=pdfwrite", "-o", target, plain], BOUNDS);
    await rm(plain);
  } else if (writer.command === "pandoc") {
    await run("pandoc", ["-s", "-o", target, source], BOUNDS);
  } else if (writer.command === "groff") {
    const options = { ...BOUNDS, encoding: "buffer" as const };
    await writeFile(
      target,
      (await run("groff", ["-k", "-t", "-ms", "-Tpdf", source], options)).stdout,
    );
  } else {
    const name = basename(source, ".tex");
    const options = ["-interaction=batchmode", `-output-directory=${folder}`, source];
    // a longtable finds its column widths in the second run; TeX exits with 1 on warnings
    for (let turn = 0; turn < 2; turn += 1)
      await run(writer.command ?? "", options, BOUNDS).catch(() => undefined);
    await rename(join(folder, `${name}.pdf`), target);
    for (const rest of ["aux", "log", "out", "toc"])
      await rm(join(folder, `${name}.${rest}`), { force: true });
  }
}
