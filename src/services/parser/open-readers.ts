import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import type { ServiceContext } from "../../platform/service.ts";
import { allBackends, namedHosts } from "./backends/all-backends.ts";
import type { Backend } from "./backends/backend.ts";
import type { ParserConfig } from "./config.ts";
import { type Limits, openLimits } from "./limits.ts";
import type { LocalFiles } from "./local-files.ts";
import { type VisionModel, visionOcr } from "./ocr/ask-vision-model.ts";
import type { OcrEngine } from "./ocr/ocr-engine.ts";
import { tesseract } from "./ocr/tesseract.ts";
import { createReader, type Reader } from "./read-stored.ts";

const OCR_PAGE_MS = 60_000;
const VISION_MS = 120_000;

/** Everything that reads files, with its limits. */
export interface Readers extends AsyncDisposable {
  limits: Limits;
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
  const limits = await openLimits(config, { folder: local.folder, log });
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
  log.info({ memory: memory.kind, memoryBytes, ocr }, "the parser reads files");
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
  { memory, isolation, processes }: Limits,
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
