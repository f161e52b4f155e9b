import { readFile } from "node:fs/promises";
import { ApiError } from "../../../platform/http/errors.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import type { SourceFile } from "../backends/backend.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import { countCharacters } from "@parlance/to-markdown/count-characters.ts";
import { isPicture, pageList, poorPages, withPages } from "../pages.ts";
import type { Parsing } from "../parsing.ts";
import type { ReadFile } from "../read-file.ts";
import type { OcrEngine, Picture } from "./ocr-engine.ts";

export interface OcrDeps {
  /** In the order in which they are tried. */
  engines: readonly OcrEngine[];
  /** Renders one page of a PDF as an image. */
  renderPage(file: SourceFile, page: number, signal: AbortSignal): Promise<Picture>;
  /** The maximum number of pages of one document. */
  maxPages: number;
}

/** Pages that are read concurrently. */
const AT_ONCE = 2;

/**
 * Reads pages by OCR: with `auto` those for which no backend found text, with `always` all of them.
 * Reports problems in the trace and in the warnings; a page that cannot be read does not fail the
 * others.
 */
export async function readPictures(
  { engines, renderPage, maxPages }: OcrDeps,
  source: SourceFile,
  file: ReadFile,
  {
    options: { ocrEnabled, ocrMode = "auto", sendsPictures = false },
    parsing,
  }: { options: ParseOptions; parsing: Parsing },
): Promise<ReadFile> {
  const { signal, trace, begin } = parsing;
  const picture = isPicture(source.mimeType);
  const poor = poorPages(file);
  const wanted =
    ocrMode === "always" && ocrEnabled ? file.pageQuality.map(({ page }) => page) : poor;
  if (wanted.length === 0) return file;
  const skip = (reason: string, said = reason) => {
    trace.push({ backend: "ocr", outcome: "skipped", reason, durationMs: 0 });
    const missing =
      poor.length > 0 ? [`There is little or no text on ${pageList(poor)}. ${said}`] : [];
    return { ...file, warnings: [...file.warnings, ...missing] };
  };
  if (!picture && source.mimeType !== "application/pdf")
    return skip("OCR reads PDFs and pictures alone.");
  // only OCR finds the text of an image, so it is on unless the request turns it off
  const isOn = ocrEnabled ?? picture;
  if (ocrMode === "never" || !isOn)
    return skip("OCR is off; turn it on with ocr_enabled=true.");
  const isRendered = !picture || source.mimeType === "image/tiff";
  const mimeType = isRendered ? "image/png" : source.mimeType;
  const maySend = ocrEnabled ?? (picture && sendsPictures);
  const able = engines.filter(
    ({ absent, isRemote, reads }) =>
      absent === undefined && reads(mimeType) && (maySend || !isRemote),
  );
  const [engine] = able;
  if (!engine) {
    const why = whyNoEngine(engines, mimeType);
    return skip(why, why.startsWith(NO_ENGINE) ? NOTHING_READS : why);
  }

  begin(engine.name);
  const began = performance.now();
  const pages = wanted.slice(0, maxPages);
  // what stands beside a picture stays where OCR finds less
  const charactersOn = (page: number) => {
    const { characters, unread = 0 } = file.pageQuality[page - 1] ?? { characters: 0 };
    return ocrMode === "auto" && unread === 0 ? characters : 0;
  };
  const readOne = async (page: number) => {
    const picture = isRendered
      ? await renderPage(source, page, signal)
      : { bytes: await readFile(source.path), mimeType };
    return firstText(able, picture, parsing);
  };
  const { texts, failures } = await readPages(pages, charactersOn, readOne, signal);
  const improved = texts.size > 0;
  const [failure] = failures;
  const reason = improved
    ? pageList([...texts.keys()].sort((a, b) => a - b))
    : (failure?.message ?? "It finds no text.");
  trace.push({
    backend: engine.name,
    outcome: improved ? "improved" : failure ? "failed" : "skipped",
    reason,
    durationMs: Math.round(performance.now() - began),
  });
  return {
    ...withPages(file, texts),
    warnings: [...file.warnings, ...warningsOf(pages.length, wanted.length, failures)],
  };
}

/** The texts of the pages that have more than before, and why others could not be read. */
async function readPages(
  pages: readonly number[],
  charactersOn: (page: number) => number,
  readOne: (page: number) => Promise<string>,
  signal: AbortSignal,
): Promise<{ texts: Map<number, string>; failures: ApiError[] }> {
  const texts = new Map<number, string>();
  const failures: ApiError[] = [];
  const read = async (page: number) => {
    try {
      const text = await readOne(page);
      if (countCharacters(text) > charactersOn(page)) texts.set(page, text);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      failures.push(error);
    }
  };
  for (const some of inGroups(pages, AT_ONCE)) await Promise.all(some.map(read));
  return { texts, failures };
}

/** How the trace begins to say, to those who can change it, what is missing. */
export const NO_ENGINE = "No OCR is available";
/** To whoever gave the file: they cannot set up what is missing. */
export const NOTHING_READS =
  "Nothing here reads pictures of text. Ask an administrator to set up OCR.";

/** Explains why no engine can read an image, and what to do. */
function whyNoEngine(engines: readonly OcrEngine[], mimeType: string): string {
  const reasons = engines.map(
    ({ name, absent, isRemote, reads }) =>
      absent?.message ??
      (reads(mimeType) && isRemote
        ? `${name} needs ocr_enabled=true`
        : `${name} does not read ${mimeType}`),
  );
  const isAbsent = engines.every(({ absent }) => absent !== undefined);
  const beginning = isAbsent ? NO_ENGINE : "No OCR may read this";
  return (
    `${beginning}: ${reasons.join("; ")}. ` +
    "Install Tesseract, or set OCR_MODEL to a vision model."
  );
}

function warningsOf(read: number, wanted: number, failures: readonly ApiError[]): string[] {
  const left =
    wanted > read ? [`OCR read the first ${read} of ${wanted} pages without text.`] : [];
  const failed = failures[0]
    ? [`OCR failed on ${failures.length} of them: ${failures[0].message}`]
    : [];
  return [...left, ...failed];
}

/** Returns the result of the first engine that does not fail. */
async function firstText(
  engines: readonly OcrEngine[],
  picture: Picture,
  parsing: Parsing,
): Promise<string> {
  let failure: unknown;
  for (const engine of engines) {
    try {
      return await engine.read(picture, parsing);
    } catch (error) {
      parsing.signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}
