import { ApiError } from "../../platform/http/errors.ts";
import type { Task } from "../../platform/workers/task.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import type { Backend, SourceFile } from "./backends/backend.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import type findTables from "./find-tables.ts";
import { pagesOf } from "./pages.ts";
import type { Parsing } from "./parsing.ts";
import type { ReadFile } from "./read-file.ts";

interface CompleteContext {
  options: ParseOptions;
  parsing: Parsing;
  workers: Workers;
}

const FIND_TABLES: Task<typeof findTables> = {
  file: new URL("./find-tables.ts", import.meta.url),
  timeoutMs: 20_000,
  advice: "Ask for the file without its tables.",
};

/**
 * Adds what was requested (`extract_tables`, `extract_images`, `caption_images`) and the backend
 * does not return: the tables of the markdown, and the images from the first backend that extracts
 * images.
 */
export async function completeFile(
  backends: readonly Backend[],
  source: SourceFile,
  file: ReadFile,
  { options, parsing, workers }: CompleteContext,
): Promise<ReadFile> {
  const whole =
    options.extractTables && !file.tables ? await withTables(file, parsing, workers) : file;
  if (whole.images || !(options.extractImages || options.captionImages)) return whole;
  const backend = backends.find(
    ({ pictures, absent, reads, opensProtected }) =>
      pictures &&
      absent === undefined &&
      reads(source.mimeType) &&
      (opensProtected || !source.password),
  );
  if (!backend)
    return {
      ...whole,
      warnings: [...whole.warnings, "No parser here gives the pictures of such a file."],
    };
  parsing.begin(backend.key);
  const began = performance.now();
  try {
    const { images = [] } = await backend.parse(
      source,
      { ...options, extractImages: true },
      parsing.signal,
    );
    const durationMs = Math.round(performance.now() - began);
    parsing.trace.push({
      backend: backend.key,
      outcome: "improved",
      reason: "asked for the pictures",
      durationMs,
    });
    return { ...whole, images: images.filter(({ page }) => page <= whole.pages) };
  } catch (error) {
    parsing.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    return {
      ...whole,
      warnings: [...whole.warnings, `The pictures were not found: ${error.message}`],
    };
  }
}

async function withTables(
  file: ReadFile,
  parsing: Parsing,
  workers: Workers,
): Promise<ReadFile> {
  try {
    const tables = await workers.run(FIND_TABLES, pagesOf(file), {
      signal: parsing.signal,
    });
    return { ...file, tables };
  } catch (error) {
    parsing.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    const warning = `The tables were not found: ${error.message}`;
    return { ...file, warnings: [...file.warnings, warning] };
  }
}
