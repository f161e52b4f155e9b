import { READABLE_FORMATS } from "@parlance/to-markdown/formats/refuse-file.ts";
import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import type { ServiceContext } from "../../platform/service.ts";
import { allBackends, namedHosts } from "./backends/all-backends.ts";
import type { Backend, SourceFile } from "./backends/backend.ts";
import type { ParserConfig } from "./config.ts";
import { type ParsingProcesses, openParsingProcesses } from "./parsing-processes.ts";
import type { LocalFiles, LocalFile } from "./local-files.ts";
import { type VisionModel, visionOcr } from "./ocr/ask-vision-model.ts";
import type { OcrEngine, Picture } from "./ocr/ocr-engine.ts";
import { tesseract } from "./ocr/tesseract.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { UnsupportedType } from "../../platform/http/errors.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import { type ParsedResult, parseFile } from "./parse-file.ts";
import { type Parsing, withinTime } from "./parsing.ts";
import type { TurnOwner } from "./reading/file-pool.ts";
import { IDENTIFY, RENDER_PAGE } from "./reading/file-tasks.ts";
import { passwordOf, receiveLocalFile } from "./receive-file.ts";

const OCR_PAGE_MS = 60_000;
const VISION_MS = 120_000;

/** Everything that reads files, with its limits. */
export interface Readers extends AsyncDisposable {
  limits: ParsingProcesses;
  backends: readonly Backend[];
  engines: readonly OcrEngine[];
  /** Whether a model can describe images. */
  captions: boolean;
  reader: Reader;
}

type Context = ServiceContext<ParserConfig>;

/** Opens the parsing processes, the backends and the OCR of the configuration. */
export async function openReaders(context: Context, local: LocalFiles): Promise<Readers> {
  const { config, files, log, secrets, workers } = context;
  const limits = await openParsingProcesses(config, { folder: local.folder, log });
  const outgoing = openOutgoing({ allow: namedHosts(config), own: () => [] });
  const backends = allBackends(config, {
    limits,
    fetch: outgoing.fetch,
    secret: secrets.SERVICE_SECRET,
  });
  const engines = await openEngines(context, limits);
  const captions = visionModel(context, config.CAPTION_MODEL);
  const maxOcrPages = config.OCR_MAX_PAGES;
  const reader = createReader({
    files,
    local,
    limits,
    backends,
    engines,
    captions,
    maxOcrPages,
    workers,
  });
  const { memory, memoryBytes } = limits;
  const ocr = engines.filter(({ absent }) => !absent).map(({ name }) => name);
  const report = { memory: memory.kind, memoryBytes, ocr, atStart: true };
  log.info(report, "the parser reads files");
  return {
    limits,
    backends,
    engines,
    captions: captions !== undefined,
    reader,
    async [Symbol.asyncDispose]() {
      await limits.pool[Symbol.asyncDispose]();
      await outgoing[Symbol.asyncDispose]();
    },
  };
}

/** The OCR engines, in the order in which they are tried. */
async function openEngines(
  context: Context,
  { memory, isolation, processes }: ParsingProcesses,
): Promise<OcrEngine[]> {
  const { OCR_MODEL, OCR_COMMAND, OCR_LANGUAGES } = context.config;
  return [
    visionOcr(visionModel(context, OCR_MODEL)),
    await tesseract({
      command: OCR_COMMAND,
      languages: OCR_LANGUAGES,
      timeoutMs: OCR_PAGE_MS,
      memory,
      isolation,
      processes,
    }),
  ];
}

function visionModel(
  { peer, hasPeer }: Context,
  model: string | undefined,
): VisionModel | undefined {
  if (!model || !hasPeer("completion")) return undefined;
  const core = hasPeer("core") ? peer("core") : undefined;
  return { completion: peer("completion"), core, model, timeoutMs: VISION_MS };
}

interface ReaderDeps {
  files: Files;
  local: LocalFiles;
  limits: ParsingProcesses;
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
  turn?: TurnOwner | undefined;
}

interface Reader {
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
function createReader(deps: ReaderDeps): Reader {
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
      // a service asks in the name of a user, whose turn it is
      const turn = userId === undefined ? undefined : { userId };
      const asked = { fileName, options, password: passwordOf(request), turn };
      const work = (parsing: Parsing) => parse(file, asked, parsing);
      return await withinTime(jobTimeLimit, signal, work, userId);
    },
    readStored({ storageKey, ...asked }, signal, onProgress) {
      const work = async (parsing: Parsing) => {
        await using file = await local.take(await files.read(storageKey), {
          maxBytes,
          signal: parsing.signal,
        });
        // the prefetch of the queue bounds how many jobs wait
        const turn = { userId: asked.userId, isBackground: true };
        return await parse(file, { ...asked, turn }, parsing, onProgress);
      };
      return withinTime(jobTimeLimit, signal, work, asked.userId);
    },
  };
}

type LocalParser = (
  file: LocalFile,
  asked: ReadOptions,
  parsing: Parsing,
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
  return async ({ path, size }, asked, parsing, onProgress) => {
    const { fileName, options, password, turn } = asked;
    const file = { path, size, turn };
    const mimeType = await pool.run(IDENTIFY, { fileName, password }, file, parsing.signal);
    if (FOREIGN.test(mimeType))
      throw new UnsupportedType(
        "file_type_unsupported",
        `This kind of file cannot be read. Send an image, ${READABLE_FORMATS}.`,
      );
    return parseFile(
      deps,
      { path, fileName, mimeType, size, password, turn },
      { options, parsing, ...(onProgress && { onProgress }) },
    );
  };
}
