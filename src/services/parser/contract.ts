import { z } from "zod";
import { flagText } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { ParseError, ParseMetadata } from "./contract-jobs.ts";

/**
 * Source: requirements 2 "Parser service" and "Document conversion endpoint"; design "Retrieval,
 * embedding, parsing, conversion".
 */

/** Source: requirements 2 "Parser backends"; `local` reads what the cloud would, without it. */
export const BACKENDS = [
  "document_intelligence",
  "pdf_fallback",
  "optional_parser_one",
  "optional_parser_two",
  "local",
] as const;
export type BackendKey = (typeof BACKENDS)[number];

export const NAME_HEADER = {
  "X-Original-Filename":
    "The file's name with its extension, percent-encoded; required where the body is the bare file",
};
/** In a query everything is text, and Python writes `True`. */
const Flag = flagText({ truthy: ["true", "1"], falsy: ["false", "0"] });

export const ParseQuery = z.object({
  parser_method: z
    .enum([...BACKENDS, "auto"])
    .optional()
    .describe("Which backend reads the file first; by its type when absent"),
  extract_tables: Flag.optional().describe("Give the tables as rows, too"),
  extract_images: Flag.optional().describe("Give the pictures, too"),
  ocr_enabled: Flag.optional().describe("Read pages without text from their picture"),
  ocr_mode: z
    .enum(["auto", "always", "never"])
    .optional()
    .describe("auto: only pages without text"),
  caption_images: Flag.optional().describe("Have a vision model say what the pictures show"),
  document_id: z.uuid().optional().describe("The document that this is about"),
  user_id: z.string().max(200).optional().describe("For whom a service asks"),
});
export type ParseQuery = z.output<typeof ParseQuery>;

const FileMetadata = ParseMetadata.extend({ fileName: z.string(), mimeType: z.string() });
export const ParseResult = z.object({
  markdown: z.string().describe("Pages are parted by form feeds"),
  metadata: FileMetadata,
  tables: z
    .array(z.object({ page: z.number().int(), rows: z.array(z.array(z.string())) }))
    .optional(),
  images: z
    .array(
      z.object({
        page: z.number().int(),
        name: z.string(),
        mimeType: z.string(),
        data: z.base64(),
        caption: z.string().optional(),
      }),
    )
    .optional(),
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

/** `internal`: what the requirements call "internal service". A user sees his own jobs alone. */
const access = ["internal", "jwt", "key"] as const;

const byJob = z.object({ job_id: z.uuid() });
const UPLOAD =
  "The body is the file, named by the header X-Original-Filename (percent-encoded), or multipart/form-data.";

const Status = z.enum(["ok", "degraded", "down"]);
const Part = z.object({
  status: z.enum(["ok", "degraded", "down", "absent"]),
  latencyMs: z.number().optional(),
  detail: z.string().optional(),
});
const Ready = z.object({ status: Status, checks: z.record(z.string(), Part) });
const Detailed = Ready.extend({
  backends: z.record(z.string(), Part),
  processes: z.object({
    most: z.number().int(),
    started: z.number().int(),
    busy: z.number().int(),
    waiting: z.number().int(),
  }),
});

const Available = z.object({
  key: z.string(),
  name: z.string(),
  available: z.boolean(),
  reason: z.string().optional().describe("Why it is not"),
});
const Info = z.object({
  default: z.enum(BACKENDS),
  backends: z
    .array(Available.extend({ files: z.array(z.string()) }))
    .describe("In the order in which they are asked"),
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
    timeLimitMs: z.number().describe("Of a process that reads a small file"),
    jobTimeLimitMs: z.number().describe("Of a file from first to last"),
    processes: z.number().int(),
    parsesPerMinute: z.number().int(),
    jobsPerMinute: z.number().int(),
  }),
  device: z.enum(["cuda", "mps", "cpu"]),
});
export type Info = z.output<typeof Info>;

/** Source: requirements 2 "Limits". */
const DEFAULT_CHUNK_SIZE = 500;
export const DEFAULT_OVERLAP = 15;
/** In a query everything is text. */
const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const conversion = {
  method: "post",
  access,
  permission: "document:process",
  query: z
    .object({
      chunk_size: wholeNumber(1, 100_000).default(DEFAULT_CHUNK_SIZE).describe("Tokens a chunk"),
      overlap: wholeNumber(0, 100_000)
        .optional()
        .describe(
          `Tokens that neighbours share; default: ${DEFAULT_OVERLAP}, less with small chunks`,
        ),
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
  headers: NAME_HEADER,
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
        pageNumber: z.number().int().optional(),
        headings: z.array(z.string()),
      }),
    ),
    totalChunks: z.number().int(),
  }),
} as const;

const probe = {
  method: "get",
  access: "public",
  ok: z.object({ status: z.literal("ok") }),
} as const;
const readiness = { method: "get", access: "public", ok: Ready } as const;

export const parserContract = {
  personalData: PERSONAL_DATA.parser,
  parse: route({
    method: "post",
    path: "/api/v1/parser/parse",
    produces: ["text/markdown"],
    access,
    permission: "document:process",
    summary: "Read a file and give it back as markdown; 10 a minute",
    description: `${UPLOAD} With "Accept: text/markdown" the answer is the bare markdown.`,
    query: ParseQuery,
    raw: true,
    upload: { as: ["bytes", "multipart"] },
    headers: NAME_HEADER,
    ok: ParseResult,
  }),
  parseAsync: route({
    method: "post",
    path: "/api/v1/parser/parse-async",
    access,
    permission: "document:process",
    summary: "Have a file read in the background; 30 a minute",
    description: `${UPLOAD} The same Idempotency-Key with the same bytes is the same job.`,
    query: ParseQuery,
    raw: true,
    upload: { as: ["bytes", "multipart"] },
    headers: {
      ...NAME_HEADER,
      "Idempotency-Key": "The same key with the same bytes is the same job",
    },
    status: 202,
    ok: z.object({ job_id: z.uuid(), status: JobStatus }),
  }),
  parseStatus: route({
    method: "get",
    path: "/api/v1/parser/parse-status/:job_id",
    access,
    permission: "document:process",
    summary: "How far a job is, and what came of it",
    params: byJob,
    ok: Job,
  }),
  parseCancel: route({
    method: "delete",
    path: "/api/v1/parser/parse-status/:job_id",
    access,
    permission: "document:process",
    summary: "End a job that is not done, and forget one that is",
    params: byJob,
  }),
  parseMarkdown: route({
    method: "get",
    path: "/api/v1/parser/parse-result/:job_id",
    produces: ["text/markdown"],
    access,
    permission: "document:process",
    summary: "The markdown of a job that is done, to download",
    params: byJob,
    raw: true,
  }),
  parserHealth: route({
    method: "get",
    path: "/api/v1/parser/health",
    access,
    permission: "document:process",
    summary: "Which backends answer",
    ok: z.object({ status: Status, backends: z.record(z.string(), Part) }),
  }),
  parserInfo: route({
    method: "get",
    path: "/api/v1/parser/info",
    access,
    permission: "document:process",
    summary: "What is read here, by what, within which limits; and what is not set up",
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
    summary: "Cut a file into chunks, at the path without a version",
  }),
  probeHealth: route({ ...probe, path: "/health/", summary: "Alive" }),
  probeHealthz: route({
    ...probe,
    path: "/health/healthz",
    summary: "Alive; the same as /health/",
  }),
  probeLiveness: route({
    ...probe,
    path: "/health/liveness",
    summary: "Alive; asks no dependency",
  }),
  probeReadiness: route({
    ...readiness,
    path: "/health/readiness",
    summary: "Memory, disk, parsers and queue; 503 when one is down",
  }),
  probeReadyz: route({
    ...readiness,
    path: "/health/readyz",
    summary: "The same as /health/readiness",
  }),
  probeDetailed: route({
    ...readiness,
    path: "/health/detailed",
    summary: "The same, with every backend",
    ok: Detailed,
  }),
};
