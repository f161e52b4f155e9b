import { marked, type Tokens } from "marked";
import { ApiError } from "../../platform/http/errors.ts";
import type { Backend, SourceFile } from "./backends/backend.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import { pagesOf } from "./pages.ts";
import type { ParseRun } from "./parse-run.ts";
import type { ParsedFile, ParsedTable } from "@parlance/to-markdown/parsed-file.ts";

interface Asked {
  options: ParseOptions;
  run: ParseRun;
}

/**
 * What was asked for and the backend does not give: the tables of its markdown, and the pictures as the first backend finds them that looks for
 * pictures. Source: requirements 2 "Parse parameters", `extract_tables`, `extract_images`, `caption_images`.
 */
export async function completeFile(
  backends: readonly Backend[],
  source: SourceFile,
  file: ParsedFile,
  { options, run }: Asked,
): Promise<ParsedFile> {
  const tables = options.extractTables && !file.tables ? tablesIn(file) : file.tables;
  const whole = { ...file, ...(tables && { tables }) };
  if (whole.images || !(options.extractImages || options.captionImages)) return whole;
  const backend = backends.find(
    ({ pictures, absent, reads }) => pictures && absent === undefined && reads(source.mimeType),
  );
  if (!backend)
    return {
      ...whole,
      warnings: [...whole.warnings, "No parser here gives the pictures of such a file."],
    };
  run.begin(backend.key);
  const began = performance.now();
  try {
    const { images = [] } = await backend.parse(
      source,
      { ...options, extractImages: true },
      run.signal,
    );
    const durationMs = Math.round(performance.now() - began);
    run.trace.push({
      backend: backend.key,
      outcome: "improved",
      reason: "asked for the pictures",
      durationMs,
    });
    return { ...whole, images: images.filter(({ page }) => page <= whole.pages) };
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    return {
      ...whole,
      warnings: [...whole.warnings, `The pictures were not found: ${error.message}`],
    };
  }
}

function tablesIn(file: ParsedFile): ParsedTable[] {
  return pagesOf(file).flatMap((text, index) =>
    marked
      .lexer(text)
      .filter((token): token is Tokens.Table => token.type === "table")
      .map(({ header, rows }) => ({
        page: index + 1,
        rows: [header, ...rows].map((row) => row.map((cell) => cell.text)),
      })),
  );
}
