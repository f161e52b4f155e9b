import { z } from "zod";
import { flagText } from "../../platform/http/bounds.ts";
import { SentenceCode } from "../../platform/http/reported-error.ts";
import { MAX_BODY_BYTES, route } from "../../platform/http/route.ts";
import { SEEN_IMAGES } from "../completion/contract-model-kinds.ts";
import { Place } from "../embedding/contract-places.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { ParseError, ParseMetadata } from "./contract-jobs.ts";
import { Part, probesContract, Status } from "./contract-probes.ts";
import { originalContract } from "./original/contract.ts";
import { tablesContract } from "./tables/contract.ts";
import { FORMATS } from "@parlance/to-markdown/formats/formats.ts";

/** The parser backends; see docs/parser.md. */
const BACKENDS = [
  "document_intelligence",
  "pdf_fallback",
  "optional_parser_one",
  "optional_parser_two",
  "local",
] as const;
export type BackendKey = (typeof BACKENDS)[number];

export const NAME_HEADER = {
  "X-Original-Filename":
    "The file's name with its extension, percent-encoded; required when the body is the file itself",
};
/** Of a file that is protected. Never stored. */
const FILE_HEADERS = {
  ...NAME_HEADER,
  "X-File-Password":
    "Opens a protected PDF or Office file; percent-encoded, and never stored",
};
/** In a query everything is text, and Python writes `True`. */
const Flag = flagText({ truthy: ["true", "1"], falsy: ["false", "0"] });

export const ParseQuery = z.object({
  parser_method: z
    .enum([...BACKENDS, "auto"])
    .optional()
    .describe("The backend to try first; default: chosen by the file's type"),
  extract_tables: Flag.prefault("false").describe("Also return the tables as rows"),
  extract_images: Flag.prefault("false").describe("Also return the images"),
  ocr_enabled: Flag.optional().describe(
    "Run OCR on pages without text. Default: false, but image files are read, unless it is false",
  ),
  ocr_mode: z
    .enum(["auto", "always", "never"])
    .optional()
    .describe("auto: only pages without text"),
  caption_images: Flag.prefault("false").describe(
    "Describe the images with a vision model",
  ),
  document_id: z.uuid().optional().describe("The document that the file belongs to"),
  user_id: z
    .string()
    .max(200)
    .optional()
    .describe("The user on whose behalf a service calls"),
});
export type ParseQuery = z.output<typeof ParseQuery>;

const FileMetadata = ParseMetadata.extend({ fileName: z.string(), mimeType: z.string() });
export const ParsedTable = z.object({
  page: z.number().int(),
  rows: z.array(z.array(z.string())),
});
export const ParsedImage = z.object({
  page: z.number().int(),
  name: z.string(),
  mimeType: z.string(),
  data: z.base64(),
  caption: z.string().optional(),
});
export const ParseResult = z.object({
  markdown: z.string().describe("Form feeds separate pages"),
  metadata: FileMetadata,
  tables: z.array(ParsedTable).optional(),
  images: z.array(ParsedImage).optional(),
});
export type ParseResult = z.output<typeof ParseResult>;

export const JobStatus = z.enum(["queued", "processing", "completed", "failed"]);
export type JobStatus = z.output<typeof JobStatus>;
const Job = z.object({
  job_id: z.uuid(),
  status: JobStatus,
  progress: z.number().min(0).max(1),
  file_name: z.string(),
  document_id: z.string().optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  result: ParseResult.optional(),
  error: ParseError.optional(),
});
export type Job = z.output<typeof Job>;

/** Users see only their own jobs. */
const access = ["internal", "jwt", "key"] as const;

const byJob = z.object({ job_id: z.uuid() });
const UPLOAD =
  "The body is the file, with its name in the header X-Original-Filename (percent-encoded), " +
  "or multipart/form-data.";

const Available = z.object({
  key: z.string(),
  name: z.string(),
  available: z.boolean(),
  reason: z.string().optional().describe("Why it is not available"),
  ...SentenceCode.shape,
});
const Info = z.object({
  default: z.enum(BACKENDS),
  backends: z
    .array(Available.extend({ files: z.array(z.string()) }))
    .describe("In the order in which they are tried"),
  ocr: z.array(Available),
  captions: Available,
  formats: z.array(z.string()),
  limits: z.object({
    maxBytes: z.number(),
    memoryBytes: z.number(),
    memoryLimit: z.enum(["cgroup", "watchdog"]),
    isolation: z.object({
      kind: z.enum(["bubblewrap", "namespaces", "own-user", "none"]),
      holds: z.array(z.enum(["files", "network", "processes", "user"])),
      lacks: z.array(z.enum(["files", "network", "processes", "user"])),
    }),
    timeLimitMs: z.number().describe("For one process that parses a small file"),
    jobTimeLimitMs: z.number().describe("For all steps of one file"),
    processes: z.number().int(),
    parsesPerMinute: z.number().int(),
    jobsPerMinute: z.number().int(),
  }),
  device: z.enum(["cuda", "mps", "cpu"]),
});
export type Info = z.output<typeof Info>;

const DEFAULT_CHUNK_SIZE = 500;
export const DEFAULT_OVERLAP = 15;
/** Query values are text, so numbers are coerced. */
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const conversion = {
  method: "post",
  access,
  permission: "document:process",
  changes: "none",
  query: z
    .object({
      chunk_size: wholeNumber(1, 100_000)
        .default(DEFAULT_CHUNK_SIZE)
        .describe("Tokens per chunk"),
      overlap: wholeNumber(0, 100_000).optional().meta({
        default: DEFAULT_OVERLAP,
        description: "Tokens that adjacent chunks share; less by default for small chunks",
      }),
      ...ParseQuery.omit({
        document_id: true,
        user_id: true,
        extract_tables: true,
        extract_images: true,
      }).shape,
    })
    .refine(({ chunk_size, overlap = 0 }) => overlap < chunk_size, {
      path: ["overlap"],
      message: "must be less than chunk_size",
    }),
  raw: true,
  upload: { as: ["bytes", "multipart"] },
  headers: FILE_HEADERS,
  failures: {
    413: "The file, its text, or its chunks together are too large; the code says which.",
  },
  ok: z.object({
    fileName: z.string(),
    mimeType: z.string(),
    pages: z.number().int(),
    device: z.enum(["cuda", "mps", "cpu"]),
    chunks: z.array(
      z.object({
        index: z.number().int(),
        text: z.string(),
        tokenCount: z.number().int(),
        pageNumber: z
          .number()
          .int()
          .optional()
          .describe("Absent where the file does not say its pages"),
        place: Place,
        headings: z.array(z.string()),
      }),
    ),
    totalChunks: z.number().int(),
  }),
} as const;

export const parserContract = {
  personalData: PERSONAL_DATA.parser,
  parse: route({
    method: "post",
    path: "/api/v1/parser/parse",
    changes: "none",
    produces: ["text/markdown"],
    access,
    permission: "document:process",
    summary: "Convert a file to markdown; 10 per minute",
    description: `${UPLOAD} With "Accept: text/markdown" the response is the markdown itself.`,
    query: ParseQuery,
    raw: true,
    upload: { as: ["bytes", "multipart"] },
    headers: FILE_HEADERS,
    ok: ParseResult,
  }),
  readText: route({
    method: "post",
    path: "/api/v1/parser/text",
    changes: "none",
    access: "service-secret",
    summary:
      "Read the text of a file in a user's request; for other services. 10 per minute and user",
    body: z.object({
      userId: z.string().min(1).max(200),
      fileName: z.string().min(1).max(1_000),
      data: z.base64().max(MAX_BODY_BYTES),
    }),
    maxBody: MAX_BODY_BYTES,
    ok: z.object({ text: z.string() }),
  }),
  parseAsync: route({
    method: "post",
    path: "/api/v1/parser/parse-async",
    changes: "none",
    access,
    permission: "document:process",
    summary: "Convert a file in the background; 30 per minute",
    description: `${UPLOAD} The same Idempotency-Key with the same bytes returns the same job.`,
    query: ParseQuery,
    raw: true,
    upload: { as: ["bytes", "multipart"] },
    headers: {
      ...NAME_HEADER,
      "Idempotency-Key": "The same key with the same bytes returns the same job",
    },
    status: 202,
    ok: z.object({ job_id: z.uuid(), status: JobStatus }),
  }),
  parseStatus: route({
    method: "get",
    path: "/api/v1/parser/parse-status/:job_id",
    access,
    permission: "document:process",
    summary: "Get the progress and the result of a job",
    params: byJob,
    ok: Job,
  }),
  parseCancel: route({
    method: "delete",
    path: "/api/v1/parser/parse-status/:job_id",
    changes: "none",
    access,
    permission: "document:process",
    summary: "Cancel a job, or delete a finished one",
    params: byJob,
  }),
  parseMarkdown: route({
    method: "get",
    path: "/api/v1/parser/parse-result/:job_id",
    produces: ["text/markdown"],
    access,
    permission: "document:process",
    summary: "Download the markdown of a finished job",
    params: byJob,
    raw: true,
  }),
  parserHealth: route({
    method: "get",
    path: "/api/v1/parser/health",
    access,
    permission: "document:process",
    summary: "Check which backends are reachable",
    ok: z.object({ status: Status, backends: z.record(z.string(), Part) }),
  }),
  parserInfo: route({
    method: "get",
    path: "/api/v1/parser/info",
    access,
    permission: "document:process",
    summary: "List the formats, backends and limits, and what is not configured",
    ok: Info,
  }),
  processDocument: route({
    ...conversion,
    path: "/api/v1/services/process-document",
    summary: "Cut a file into chunks",
    description: UPLOAD,
  }),
  processDocumentPlain: route({
    ...conversion,
    path: "/services/process-document",
    summary: "Cut a file into chunks; the same at a path without a version",
  }),
  ...probesContract,
  ...tablesContract,
  ...originalContract,
};

/** Images that OCR and vision models read. */
export const PICTURES: readonly string[] = [...SEEN_IMAGES, "image/tiff", "image/bmp"];

/** The media types that can be parsed. */
export const READABLE_TYPES = [
  "application/pdf",
  ...FORMATS.map(({ mimeTypes: [registered] }) => registered),
  ...PICTURES,
];
