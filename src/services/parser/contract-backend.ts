import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { TextLayout } from "./contract-jobs.ts";
import { NAME_HEADER, ParsedImage, ParsedTable, ParseQuery } from "./contract.ts";

/**
 * The protocol of a parser over HTTP: of the local PDF backend (port 8001), and of any compatible
 * server.
 */

export const BackendAnswer = z.object({
  markdown: z.string().describe("Form feeds separate pages"),
  pages: z.number().int().min(1),
  layout: TextLayout.optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  language: z.string().optional(),
  warnings: z.array(z.string()).default([]),
  pageQuality: z
    .array(
      z.object({
        page: z.number().int(),
        characters: z.number().int(),
        images: z.number().int(),
        covered: z
          .number()
          .optional()
          .describe("The part of the page that its largest picture covers, from 0.5"),
        unread: z
          .number()
          .int()
          .optional()
          .describe("Drawn characters of which the file does not say the letter"),
      }),
    )
    .optional()
    .describe("Without white space. Absent: Parlance counts"),
  furniture: z
    .array(z.object({ page: z.number().int(), text: z.string() }))
    .optional()
    .describe("Lines that repeat at the edges of pages and are not in the markdown"),
  tables: z.array(ParsedTable).optional(),
  images: z.array(ParsedImage).optional(),
});
export type BackendAnswer = z.output<typeof BackendAnswer>;

export const BACKEND_PATH = "/api/v1/pdf/parse";

export const pdfBackendContract = {
  parsePdf: route({
    method: "post",
    path: BACKEND_PATH,
    access: ["internal", "jwt", "key"],
    permission: "document:process",
    changes: "none",
    summary: "Read a PDF with the local backend only",
    description:
      "The body is the file, named by the header X-Original-Filename (percent-encoded), or multipart/form-data.",
    query: ParseQuery.pick({
      extract_tables: true,
      extract_images: true,
      ocr_enabled: true,
      ocr_mode: true,
    }),
    raw: true,
    upload: { as: ["bytes", "multipart"] },
    headers: NAME_HEADER,
    ok: BackendAnswer,
  }),
};
