import type { Files } from "../../platform/files/files.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { UnsupportedType } from "../../platform/http/errors.ts";
import type { Backend, SourceFile } from "./backends/backend.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import type { Limits } from "./limits.ts";
import type { LocalFile, LocalFiles } from "./local-files.ts";
import type { VisionModel } from "./ocr/ask-vision-model.ts";
import type { OcrEngine, Picture } from "./ocr/ocr-engine.ts";
import { type ParsedResult, parseFile } from "./parse-file.ts";
import { type ParseRun, withinTime } from "./parse-run.ts";
import type { Turn } from "./reading/file-pool.ts";
import { IDENTIFY, RENDER_PAGE } from "./reading/file-tasks.ts";
import { passwordOf, receiveLocalFile } from "./receive-file.ts";

export interface ReaderDeps {
  files: Files;
  local: LocalFiles;
  limits: Limits;
  backends: readonly Backend[];
  engines: readonly OcrEngine[];
  captions: VisionModel | undefined;
  maxOcrPages: number;
  workers: Workers;
}

type OnProgress = (progress: number, message: string) => void;

interface ReadOptions {
  fileName: string;
  options: ParseOptions;
  /** Opens the file, where it is protected. */
  password?: string | undefined;
  /** Whom the questions to models count for. */
  userId?: string | undefined;
  turn?: Turn | undefined;
}

export interface Reader {
  /**
   * Parses the file in a request, with the password in its header.
   * @throws what `receiveLocalFile` and `parseFile` throw.
   */
  readRequest(
    request: Request,
    asked: Pick<ReadOptions, "options" | "userId">,
    signal: AbortSignal,
  ): Promise<ParsedResult>;
  /** Parses a stored file. @throws NotFound `file_missing`, what `parseFile` throws. */
  readStored(
    file: ReadOptions & { storageKey: string },
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<ParsedResult>;
}

/** Types that no backend reads. */
const FOREIGN =
  /^(?:audio|video)\/|^application\/(?:octet-stream|zip|gzip|x-7z-compressed|vnd\.rar)$/;

/** Copies a file to the local disk, detects its type and parses it. */
export function createReader(deps: ReaderDeps): Reader {
  const { files, local } = deps;
  const { jobTimeLimit, maxBytes } = deps.limits;
  const parse = createLocalParser(deps);
  return {
    async readRequest(request, { options, userId }, signal) {
      const { fileName, stored } = await receiveLocalFile(request, local, {
        maxBytes,
        signal,
      });
      await using file = stored;
      const asked = { fileName, options, password: passwordOf(request) };
      const work = (run: ParseRun) => parse(file, asked, run);
      return await withinTime(jobTimeLimit, signal, work, userId);
    },
    readStored({ storageKey, ...asked }, signal, onProgress) {
      const work = async (run: ParseRun) => {
        await using file = await local.take(await files.read(storageKey), {
          maxBytes,
          signal: run.signal,
        });
        // the prefetch of the queue bounds how many jobs wait
        const turn = { userId: asked.userId, isBackground: true };
        return await parse(file, { ...asked, turn }, run, onProgress);
      };
      return withinTime(jobTimeLimit, signal, work, asked.userId);
    },
  };
}

type LocalParser = (
  file: LocalFile,
  asked: ReadOptions,
  run: ParseRun,
  onProgress?: OnProgress,
) => Promise<ParsedResult>;

/** Returns a function that parses a file of the local disk. */
function createLocalParser({
  limits: { pool },
  backends,
  engines,
  captions,
  maxOcrPages,
  workers,
}: ReaderDeps): LocalParser {
  function renderPage(
    file: SourceFile,
    page: number,
    signal: AbortSignal,
  ): Promise<Picture> {
    const { mimeType, password } = file;
    return pool.run(RENDER_PAGE, { mimeType, page, password }, file, signal);
  }

  const ocr = { engines, renderPage, maxPages: maxOcrPages };
  const deps = { backends, ocr, captions, workers };
  return async ({ path, size }, asked, run, onProgress) => {
    const { fileName, options, password, turn } = asked;
    const file = { path, size, turn };
    const mimeType = await pool.run(IDENTIFY, { fileName, password }, file, run.signal);
    if (FOREIGN.test(mimeType))
      throw new UnsupportedType(
        "file_type_unsupported",
        "This kind of file cannot be read. Send PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, e-mail, text or an image.",
      );
    return parseFile(
      deps,
      { path, fileName, mimeType, size, password, turn },
      { options, run, ...(onProgress && { onProgress }) },
    );
  };
}
