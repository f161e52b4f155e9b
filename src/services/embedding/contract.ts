import { z } from "zod";
import { int4 } from "../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, route } from "../../platform/http/route.ts";
import { CHUNKING_METHODS } from "./contract-jobs.ts";
import { TextLayout } from "../parser/contract-jobs.ts";
import { InputType, modelContract, ofModel, ToEmbed } from "./contract-model.ts";
import { openAiEmbeddingsContract } from "./openai-api/contract.ts";
import { PageNumber, Place } from "./contract-places.ts";

/** The provider that needs no model: hashed words. */
export const LOCAL_PROVIDER = "local";

export const DEFAULT_METHOD = "lib_recursive";
export const DEFAULT_CHUNK_SIZE = 500;
export const DEFAULT_CHUNK_OVERLAP = 15;
export const MAX_TEXTS = 100;
/** The maximum number of dimensions of a stored vector. */
export const MAX_DIMENSIONS = 2_000;
/** The maximum text of a stored document, which is the parser's limit of Markdown. */
export const MAX_TEXT_CHARACTERS = 30_000_000;
/**
 * A vector search compares up to this many chunks one by one, which always finds the nearest.
 * Above, it uses the HNSW index, which is empty before.
 */
export const MAX_EXACT_CHUNKS = 25_000;
/** The maximum text in a request. JSON escapes make it longer. */
const MAX_REQUEST_CHARACTERS = 4_000_000;

const Size = z.number().int().min(1).max(1_000_000);
export const Cut = z
  .object({
    method: z.enum(CHUNKING_METHODS).default(DEFAULT_METHOD),
    chunkSize: Size.default(DEFAULT_CHUNK_SIZE),
    chunkOverlap: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe(
        `Default: ${DEFAULT_CHUNK_OVERLAP}, less for a small chunkSize; 0 for semchunk`,
      ),
    unit: z.enum(["tokens", "characters"]).default("tokens"),
    tableHeads: z
      .boolean()
      .optional()
      .describe(
        "Whether each chunk of a long table begins with its header, as in documents",
      ),
    layout: TextLayout.optional().describe(
      "What form feeds separate. Default: pages, where the text has any",
    ),
  })
  .refine(({ chunkSize, chunkOverlap = 0 }) => chunkOverlap < chunkSize, {
    path: ["chunkOverlap"],
    message: "must be less than chunkSize",
  });

export const Chunk = z.object({
  index: z.number().int(),
  content: z.string(),
  start: z
    .number()
    .int()
    .describe(
      "In UTF-16 units: text.slice(start, end) is the content, after the header of its table",
    ),
  end: z.number().int(),
  tokenCount: z.number().int(),
  pageNumber: PageNumber,
  place: Place,
  headings: z.array(z.string()).describe("Headings of its sections, the outermost first"),
});
export type Chunk = z.output<typeof Chunk>;

const Method = z.object({
  key: z.enum(CHUNKING_METHODS),
  name: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.string().meta({ examples: ["integer"] }),
      default: z.union([z.string(), z.number()]).meta({ examples: [300] }),
      description: z.string(),
    }),
  ),
});

const ToTranslate = z.string().min(1).max(50_000);
export const Translation = z.object({
  translatedText: z.string(),
  detectedLanguage: z.string().nullable().describe("ISO 639-1; null when it is unknown"),
  confidence: z.number().min(0).max(1),
  translated: z.boolean(),
});
export type Translation = z.output<typeof Translation>;

const access = ["internal", "jwt", "key"] as const;

export const embeddingContract = {
  chunk: route({
    method: "post",
    path: "/api/v1/chunk",
    changes: "none",
    access,
    permission: "document:process",
    summary: "Cut a text into chunks, without embedding them",
    body: z.object({ text: z.string().max(MAX_REQUEST_CHARACTERS) }).and(Cut),
    maxBody: MAX_BODY_BYTES,
    failures: {
      413: "The body is too large, or the chunks would be: choose a smaller overlap.",
    },
    ok: z.object({
      chunks: z.array(Chunk),
      method: z.enum(CHUNKING_METHODS),
      totalChunks: z.number().int(),
    }),
  }),
  chunkMethods: route({
    method: "get",
    path: "/api/v1/chunk/methods",
    access,
    permission: "document:process",
    summary: "List the chunking methods",
    ok: z.object({ methods: z.array(Method), default: z.enum(CHUNKING_METHODS) }),
  }),
  embedSingle: route({
    method: "post",
    path: "/api/v1/embed/single",
    changes: "none",
    access,
    permission: "document:process",
    summary: "Embed one text",
    body: z.object({
      text: ToEmbed,
      inputType: InputType.default("query"),
      userId: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("For other services: the user whom it counts for"),
    }),
    ok: z.object({ embedding: z.array(z.number()), ...ofModel }),
  }),
  embed: route({
    method: "post",
    path: "/api/v1/embed",
    changes: "none",
    access,
    permission: "document:process",
    summary: `Embed up to ${MAX_TEXTS} texts; the vectors are in the order of the texts`,
    body: z.object({
      texts: z.array(ToEmbed).min(1).max(MAX_TEXTS),
      inputType: InputType.default("passage"),
    }),
    maxBody: MAX_BODY_BYTES,
    ok: z.object({ embeddings: z.array(z.array(z.number())), ...ofModel }),
  }),
  ...modelContract,
  ...openAiEmbeddingsContract,
  embedStatus: route({
    method: "get",
    path: "/api/v1/embed/:document_id",
    access,
    permission: "document:read",
    summary: "Get the embedding progress of a document",
    params: z.object({ document_id: z.uuid() }),
    ok: z.object({
      documentId: z.uuid(),
      status: z.enum(["pending", "processing", "completed", "failed"]),
      chunks: z.number().int(),
      embedded: z.number().int(),
      ...ofModel,
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  }),
  process: route({
    method: "post",
    path: "/api/v1/process",
    changes: "none",
    access,
    permission: "document:process",
    summary:
      "Cut, optionally translate and embed a text, and store it as its document's index",
    body: z
      .object({
        documentId: z.uuid(),
        text: z
          .string()
          .min(1)
          .max(MAX_REQUEST_CHARACTERS)
          .describe("Form feeds separate pages"),
        fileName: z.string().min(1).max(255).optional(),
        translate: z.boolean().optional(),
        pages: z
          .array(int4())
          .max(10_000)
          .optional()
          .describe("The offset of each page, instead of form feeds"),
      })
      .and(Cut),
    maxBody: MAX_BODY_BYTES,
    ok: z.object({
      documentId: z.uuid(),
      status: z.literal("completed"),
      chunks: z.number().int(),
      embedded: z.number().int(),
      translated: z.number().int(),
    }),
  }),
  translationHealth: route({
    method: "get",
    path: "/api/v1/translation/health",
    access,
    permission: "document:process",
    summary: "Check whether texts can be translated",
    ok: z.object({
      status: z.enum(["ok", "degraded", "down"]),
      model: z.string().nullable(),
      detail: z.string().optional(),
    }),
  }),
  translate: route({
    method: "post",
    path: "/api/v1/translation/translate",
    access: "jwt",
    permission: "document:process",
    changes: "none",
    summary: "Translate a text to English",
    body: z.object({
      text: ToTranslate,
      sourceLanguage: z.string().min(2).max(35).optional(),
    }),
    ok: Translation,
  }),
  translateBatch: route({
    method: "post",
    path: "/api/v1/translation/translate-batch",
    access: "jwt",
    permission: "document:process",
    changes: "none",
    summary: "Translate several texts to English",
    body: z.object({
      texts: z.array(ToTranslate).min(1).max(MAX_TEXTS),
      sourceLanguage: z.string().min(2).max(35).optional(),
    }),
    maxBody: MAX_BODY_BYTES,
    ok: z.object({ results: z.array(Translation) }),
  }),
};

const MAX_BYTES = 256 * 2 ** 20;
const SHARE_OF_MEMORY = 1 / 8;
/** Of a vector, beside its numbers of 8 bits: ids, scale and place. */
const BYTES_BESIDE = 40;

/**
 * How many vectors the retrieval service holds in memory beside an embedded database.
 * @param memory bytes that the process may use.
 */
export function mostInMemory(memory: number, dimensions: number): number {
  const bytes = Math.min(MAX_BYTES, memory * SHARE_OF_MEMORY);
  return Math.floor(bytes / (dimensions + BYTES_BESIDE));
}

/** Up to so many vectors are compared one by one. Beyond, there is an HNSW index. */
export function mostExact(
  { isEmbedded }: { isEmbedded: boolean },
  memory: number,
  dimensions: number,
): number {
  return isEmbedded
    ? Math.max(MAX_EXACT_CHUNKS, mostInMemory(memory, dimensions))
    : MAX_EXACT_CHUNKS;
}
