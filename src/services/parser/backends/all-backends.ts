import { z } from "zod";
import { duration, httpUrl } from "../../../platform/config/schemas.ts";
import type { ParsingProcesses } from "../parsing-processes.ts";
import type { Backend } from "./backend.ts";
import { doclingServe } from "./docling-serve.ts";
import { documentIntelligence } from "./document-intelligence.ts";
import { httpParser } from "./http-parser.ts";
import { pdfBackend } from "./pdf.ts";
import { canRead } from "@parlance/to-markdown/formats/file-to-markdown.ts";
import { isPicture } from "../pages.ts";
import type { ReadFile } from "../read-file.ts";
import type { FilePool } from "../reading/file-pool.ts";
import { COUNT_TIFF_PAGES, READ_OTHER } from "../reading/file-tasks.ts";

export const backendsConfig = z.object({
  DOCUMENT_INTELLIGENCE_ENDPOINT: httpUrl()
    .optional()
    .describe(
      "Azure AI Document Intelligence, such as https://NAME.cognitiveservices.azure.com; with its key it reads files first",
    ),
  DOCUMENT_INTELLIGENCE_KEY: z
    .string()
    .optional()
    .meta({ secret: true })
    .describe("Key of that service"),
  DOCUMENT_INTELLIGENCE_MODEL: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._~-]{1,63}$/, "must be the name of a model")
    .default("prebuilt-layout")
    .describe("Its model"),
  DOCUMENT_INTELLIGENCE_API_VERSION: z
    .string()
    .default("2024-11-30")
    .describe("Version of its API"),
  PDF_PARSER_URL: httpUrl()
    .optional()
    .describe(
      "Where the PDF backend is, when it runs elsewhere (`serve pdf-backend`, port 8001); default: in processes of the parser",
    ),
  OPTIONAL_PARSER_ONE_URL: httpUrl()
    .optional()
    .describe("A docling-serve, such as http://localhost:8002"),
  OPTIONAL_PARSER_ONE_KEY: z
    .string()
    .optional()
    .meta({ secret: true })
    .describe("Its API key, where it asks for one"),
  OPTIONAL_PARSER_TWO_URL: httpUrl()
    .optional()
    .describe(
      "A parser that speaks the PDF backend's protocol (docs/parser.md), such as http://localhost:8003",
    ),
  PARSER_REMOTE_TIMEOUT: duration()
    .default(300_000)
    .describe("How long a parser that is asked over HTTP may take for one file, in ms"),
});
export type BackendsConfig = z.output<typeof backendsConfig>;

/**
 * Returns every backend, in the order in which they are tried. A backend that is not configured
 * says so.
 */
export function allBackends(
  config: BackendsConfig,
  {
    limits,
    fetch,
    secret,
  }: { limits: ParsingProcesses; fetch: typeof globalThis.fetch; secret: string },
): Backend[] {
  const timeoutMs = config.PARSER_REMOTE_TIMEOUT;
  const { pool } = limits;
  const settings = {
    endpoint: config.DOCUMENT_INTELLIGENCE_ENDPOINT,
    key: config.DOCUMENT_INTELLIGENCE_KEY,
    model: config.DOCUMENT_INTELLIGENCE_MODEL,
    apiVersion: config.DOCUMENT_INTELLIGENCE_API_VERSION,
    timeoutMs,
  };
  const pdf = config.PDF_PARSER_URL
    ? httpParser(fetch, {
        key: "pdf_fallback",
        name: "PDF backend",
        url: config.PDF_PARSER_URL,
        variable: "PDF_PARSER_URL",
        secret,
        timeoutMs,
      })
    : pdfBackend(pool);
  return [
    documentIntelligence(fetch, settings),
    pdf,
    doclingServe(fetch, {
      url: config.OPTIONAL_PARSER_ONE_URL,
      key: config.OPTIONAL_PARSER_ONE_KEY,
      timeoutMs,
    }),
    httpParser(fetch, {
      key: "optional_parser_two",
      name: "Layout parser two",
      url: config.OPTIONAL_PARSER_TWO_URL,
      variable: "OPTIONAL_PARSER_TWO_URL",
      timeoutMs,
    }),
    localBackend(pool),
  ];
}

/** The hosts that an operator configured. They are allowed even if private. */
export function namedHosts(config: BackendsConfig): string[] {
  const {
    DOCUMENT_INTELLIGENCE_ENDPOINT,
    PDF_PARSER_URL,
    OPTIONAL_PARSER_ONE_URL,
    OPTIONAL_PARSER_TWO_URL,
  } = config;
  return [
    DOCUMENT_INTELLIGENCE_ENDPOINT,
    PDF_PARSER_URL,
    OPTIONAL_PARSER_ONE_URL,
    OPTIONAL_PARSER_TWO_URL,
  ].flatMap((url) => (url === undefined ? [] : [new URL(url).host]));
}

/**
 * Reads Office files, HTML, EPUB, RTF, CSV, e-mail, Markdown and text in an isolated process. The
 * pages of an image are empty: OCR reads them.
 */
function localBackend(pool: FilePool): Backend {
  return {
    key: "local",
    name: "Local readers of documents",
    pictures: true,
    opensProtected: true,
    reads: (mimeType) =>
      isPicture(mimeType) || canRead(mimeType, "") || mimeType === "image/svg+xml",
    async parse(file, options, signal) {
      const { fileName, mimeType, password } = file;
      if (mimeType === "image/tiff")
        return emptyPages(await pool.run(COUNT_TIFF_PAGES, {}, file, signal));
      if (isPicture(mimeType)) return emptyPages(1);
      const input = { fileName, mimeType, options, password };
      return pool.run(READ_OTHER, input, file, signal);
    },
  };
}

function emptyPages(count: number): ReadFile {
  const pages = Math.max(1, count);
  return {
    markdown: "\f".repeat(pages - 1),
    pages,
    warnings: [],
    pageQuality: Array.from({ length: pages }, (_, at) => ({
      page: at + 1,
      characters: 0,
      images: 1,
    })),
  };
}
