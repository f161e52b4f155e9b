import { readFile } from "node:fs/promises";
import { ApiError } from "../../../platform/http/errors.ts";
import type { SourceFile } from "../backends/backend.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import { countCharacters } from "@parlance/to-markdown/count-characters.ts";
import { isPicture, pageList, poorPages, withPages } from "../pages.ts";
import type { ParseRun } from "../parse-run.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";
import type { OcrEngine, Picture } from "./ocr-engine.ts";

export interface OcrDeps {
  /** In the order in which they are asked. */
  engines: readonly OcrEngine[];
  /** One page of a PDF as a picture. */
  renderPage(file: SourceFile, page: number, signal: AbortSignal): Promise<Picture>;
  /** Pages of one document at most. */
  mostPages: number;
}

/** Pages that are read at once. */
const AT_ONCE = 2;

/**
 * Reads the pages that no backend had text of from their picture: with `auto` those, with `always`
 * all. What could not be done, and why, goes to the trace and the warnings; a page that cannot be
 * read is no reason to lose the others.
 */
export async function readPictures(
  { engines, renderPage, mostPages }: OcrDeps,
  source: SourceFile,
  file: ParsedFile,
  {
    options: { ocrEnabled = false, ocrMode = "auto" },
    run: { signal, trace, begin },
  }: { options: ParseOptions; run: ParseRun },
): Promise<ParsedFile> {
  const picture = isPicture(source.mimeType);
  const poor = poorPages(file);
  const wanted =
    ocrMode === "always" && ocrEnabled ? file.pageQuality.map(({ page }) => page) : poor;
  if (wanted.length === 0) return file;
  const skip = (reason: string) => {
    trace.push({ backend: "ocr", outcome: "skipped", reason, durationMs: 0 });
    const missing =
      poor.length > 0 ? [`There is little or no text on ${pageList(poor)}. ${reason}`] : [];
    return { ...file, warnings: [...file.warnings, ...missing] };
  };
  if (!picture && source.mimeType !== "application/pdf")
    return skip("OCR reads PDFs and pictures alone.");
  // a picture has nothing but what OCR finds
  if (ocrMode === "never" || !(ocrEnabled || picture))
    return skip("OCR is off; switch it on with ocr_enabled.");
  const mimeType = picture ? source.mimeType : "image/png";
  const able = engines.filter(({ absent, reads }) => absent === undefined && reads(mimeType));
  const [engine] = able;
  if (!engine)
    return skip(
      `No OCR is set up here: ${engines.map(({ absent }) => absent ?? `none reads ${mimeType}`).join("; ")}.`,
    );

  begin(engine.name);
  const began = performance.now();
  const pages = wanted.slice(0, mostPages);
  const texts = new Map<number, string>();
  const failures: ApiError[] = [];
  const readOne = async (page: number) => {
    try {
      const image = picture
        ? { bytes: await readFile(source.path), mimeType }
        : await renderPage(source, page, signal);
      const text = await firstText(able, image, signal);
      if (countCharacters(text) > 0) texts.set(page, text);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      failures.push(error);
    }
  };
  for (let index = 0; index < pages.length; index += AT_ONCE)
    await Promise.all(pages.slice(index, index + AT_ONCE).map(readOne));
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

function warningsOf(read: number, wanted: number, failures: readonly ApiError[]): string[] {
  const left = wanted > read ? [`OCR read the first ${read} of ${wanted} pages without text.`] : [];
  const failed = failures[0]
    ? [`OCR failed on ${failures.length} of them: ${failures[0].message}`]
    : [];
  return [...left, ...failed];
}

/** The first engine that does not fail. */
async function firstText(
  engines: readonly OcrEngine[],
  picture: Picture,
  signal: AbortSignal,
): Promise<string> {
  let failure: unknown;
  for (const engine of engines) {
    try {
      return await engine.read(picture, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}
