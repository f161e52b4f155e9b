import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { NAME_HEADER, ParseQuery } from "./contract.ts";

/**
 * The protocol of a parser over HTTP: of the local PDF backend (port 8001), and of any compatible
 * server.
 */

export const BackendAnswer = z.object({
  markdown: z.string().describe("Pages are parted by form feeds"),
  pages: z.number().int().min(1),
  title: z.string().optional(),
  author: z.string().optional(),
  language: z.string().optional(),
  warnings: z.array(z.string()).default([]),
  pageQuality: z
    .array(
      z.object({ page: z.number().int(), characters: z.number().int(), images: z.number().int() }),
    )
    .optional()
    .describe("White space not counted; where it is absent, we count"),
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
export type BackendAnswer = z.output<typeof BackendAnswer>;

export const BACKEND_PATH = "/api/v1/pdf/parse";

export const pdfBackendContract = {
  parsePdf: route({
    method: "post",
    path: BACKEND_PATH,
    access: ["internal", "jwt", "key"],
    permission: "document:process",
    summary: "Read a PDF by the local backend alone",
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
