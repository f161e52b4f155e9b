import { ApiError, Unavailable } from "../../platform/http/errors.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import type { Backend, SourceFile } from "./backends/backend.ts";
import {
  layoutOfType,
  type ParseMetadata,
  type ParseOptions,
  type ParseTrace,
} from "./contract-jobs.ts";
import { captionImages } from "./caption-images.ts";
import { completeFile } from "./complete-file.ts";
import type { VisionModel } from "./ocr/ask-vision-model.ts";
import {
  NO_ENGINE,
  NOTHING_READS,
  type OcrDeps,
  readPictures,
} from "./ocr/read-pictures.ts";
import { countCharacters, isBlank } from "@parlance/to-markdown/count-characters.ts";
import { pageList, pagesOf, poorPages, withPages } from "./pages.ts";
import { ParseFailure, type Parsing } from "./parsing.ts";
import type { ReadFile } from "./read-file.ts";

export interface ParseDeps {
  /** In the order in which they are tried. */
  backends: readonly Backend[];
  ocr: OcrDeps;
  /** Describes images. */
  captions?: VisionModel | undefined;
  workers: Workers;
}

export interface ParsedResult {
  file: ReadFile;
  metadata: ParseMetadata & { fileName: string; mimeType: string };
}

interface ParseContext {
  options: ParseOptions;
  parsing: Parsing;
  /** From 0 to 1. */
  onProgress?: (progress: number, message: string) => void;
}

/** Text needs no layout parser, so the local backend is tried before non-default ones. */
const PLAIN = /^(?:text\/(?!html|rtf)|application\/(?:json|xml)$|message\/)/;

/**
 * Converts a file to Markdown with the first backend that can: the requested one, then the others.
 * Pages with too little text are taken from the next backend that finds more, then from OCR. The
 * trace names the source of each, with reasons.
 * @throws ApiError 422 `no_text_found`, or an error about the file; Unavailable
 * `parsers_unavailable` when no backend answers.
 */
export async function parseFile(
  deps: ParseDeps,
  source: SourceFile,
  asked: ParseContext,
): Promise<ParsedResult> {
  const { options, parsing, onProgress } = asked;
  const { trace } = parsing;
  const startedAt = performance.now();
  const { by, failures, ...read } = await askBackends(deps, source, asked);
  onProgress?.(0.7, "looking for pages that are pictures");
  const seen = await readPictures(deps.ocr, source, read.file, { options, parsing });
  if (isBlank(seen.markdown)) throw new ParseFailure(noText(trace), trace);
  let file = await completeFile(deps.backends, source, seen, {
    options,
    parsing,
    workers: deps.workers,
  });
  if (options.captionImages) {
    onProgress?.(0.9, "captioning pictures");
    parsing.begin("captions");
    file = await captionImages(deps.captions, file, parsing);
  }
  if (!options.extractImages) delete file.images;
  if (!options.extractTables) delete file.tables;
  const { pages, title, author, language, warnings } = file;
  const { layout = layoutOfType(source.mimeType, pages) } = file;
  return {
    file,
    metadata: {
      fileName: source.fileName,
      mimeType: source.mimeType,
      pages,
      layout,
      ...(title && { title }),
      ...(author && { author }),
      ...(language && { language }),
      parserMethod: by,
      fallbacks: failures.map(({ backend, error }) => ({ backend, error: error.message })),
      warnings,
      durationMs: Math.round(performance.now() - startedAt),
      trace,
    },
  };
}

interface Failure {
  backend: string;
  error: ApiError;
}

/** Returns the first reading, with pages of later ones where it has too little text. */
async function askBackends(
  { backends }: ParseDeps,
  source: SourceFile,
  { options, parsing, onProgress }: ParseContext,
): Promise<{ file: ReadFile; by: string; failures: Failure[] }> {
  const { signal, trace } = parsing;
  const failures: Failure[] = [];
  let best: { file: ReadFile; by: string } | undefined;
  const order = orderFor(backends, source, options.parserMethod, trace);
  // captions need the images, whether or not those are requested
  const given = options.captionImages ? { ...options, extractImages: true } : options;
  for (const [index, backend] of order.entries()) {
    signal.throwIfAborted();
    if (best && poorPages(best.file).length === 0) break;
    onProgress?.(0.1 + (0.6 * index) / order.length, `reading with ${backend.key}`);
    parsing.begin(backend.key);
    const began = performance.now();
    const took = (outcome: ParseTrace[number]["outcome"], reason?: string) =>
      trace.push({
        backend: backend.key,
        outcome,
        ...(reason && { reason }),
        durationMs: Math.round(performance.now() - began),
      });
    try {
      const file = await backend.parse(source, given, signal);
      if (!best) {
        best = { file, by: backend.key };
        const poor = poorPages(file);
        took("used", poor.length > 0 ? `too little text on ${pageList(poor)}` : undefined);
        continue;
      }
      if (isBlank(best.file.markdown) && !isBlank(file.markdown)) {
        took("used", `in place of ${best.by}, which found no text`);
        best = { file, by: backend.key };
        continue;
      }
      const more = betterPages(best.file, file);
      if (more.size > 0) best = { ...best, file: withPages(best.file, more) };
      took(
        more.size > 0 ? "improved" : "skipped",
        more.size > 0 ? pageList([...more.keys()]) : "no more text than before",
      );
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof ApiError ? error : unexpected(error);
      failures.push({ backend: backend.key, error: failure });
      took("failed", failure.message);
    }
  }
  if (!best) throw new ParseFailure(whyNone(failures, source), trace);
  return { ...best, failures };
}

/**
 * Returns the backends that can read the file, the requested one first. The trace records why
 * others are not tried.
 */
function orderFor(
  backends: readonly Backend[],
  { mimeType, password }: SourceFile,
  chosen: string | undefined,
  trace: ParseTrace,
): Backend[] {
  const rank = ({ key }: Backend) => {
    if (key === chosen) return 0;
    if (key === "document_intelligence") return 1;
    return key === "local" && PLAIN.test(mimeType) ? 2 : 3;
  };
  const ranked = backends.toSorted((a, b) => rank(a) - rank(b));
  if (
    chosen !== undefined &&
    chosen !== "auto" &&
    !backends.some(({ key }) => key === chosen)
  )
    trace.push({
      backend: chosen,
      outcome: "skipped",
      reason: "there is no such backend",
      durationMs: 0,
    });
  return ranked.filter(({ key, absent, reads, opensProtected }) => {
    const skip = (reason: string) => {
      trace.push({ backend: key, outcome: "skipped", reason, durationMs: 0 });
      return false;
    };
    // only a backend that the caller chose is worth a line in the trace
    if (!reads(mimeType)) return key === chosen && skip(`it does not read ${mimeType}`);
    if (password && !opensProtected) return skip("it does not open files with a password");
    return !absent || skip(absent.message);
  });
}

/**
 * Returns pages with too little text for which another reading has more. Both must have the same
 * page numbers.
 */
function betterPages(file: ReadFile, other: ReadFile): Map<number, string> {
  const texts = pagesOf(other);
  const before = pagesOf(file);
  if (texts.length !== before.length) return new Map();
  const readOf = (page: number) => {
    const { characters = 0, unread = 0 } = file.pageQuality[page - 1] ?? {};
    return unread > 0 ? characters : countCharacters(before[page - 1] ?? "");
  };
  return new Map(
    poorPages(file)
      .map((page) => [page, texts[page - 1] ?? ""] as const)
      .filter(([page, text]) => countCharacters(text) > readOf(page)),
  );
}

function unexpected(cause: unknown): ApiError {
  return new ApiError(502, "parser_failed", "The backend failed without giving a reason.", {
    cause,
  });
}

/** An error about the file takes precedence over a backend that does not answer. */
function whyNone(failures: readonly Failure[], { mimeType }: SourceFile): ApiError {
  const ofTheFile = failures.findLast(({ error }) => error.status < 500);
  if (ofTheFile) return ofTheFile.error;
  if (failures.length > 0)
    return new Unavailable(
      "parsers_unavailable",
      "No parser answers now. Try again in a moment.",
      10_000,
    );
  return new ApiError(
    415,
    "file_type_unsupported",
    `No parser here reads ${mimeType}. GET /api/v1/parser/info lists what is read.`,
  );
}

function noText(trace: ParseTrace): ApiError {
  const ocr = trace.findLast(({ backend }) => backend.startsWith("ocr"));
  const why = ocr?.reason?.startsWith(NO_ENGINE)
    ? NOTHING_READS
    : (ocr?.reason ?? "OCR is off; pages that are pictures need ocr_enabled.");
  return new ApiError(422, "no_text_found", `There is no text in this file. ${why}`);
}
