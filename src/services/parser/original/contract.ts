import { z } from "zod";
import { route } from "../../../platform/http/route.ts";

/** Pages of PDF files as they look. For other services alone. */

/** No file has more; those with as many are refused anyway. */
export const MAX_PAGE = 100_000;

const Share = z.number().min(0).max(1);

export const PageWord = z.object({
  text: z.string(),
  left: Share,
  top: Share,
  width: Share,
  height: Share,
});

export const OriginalPage = z.object({
  pages: z.number().int().describe("How many the file has"),
  width: z.number().describe("Of the page as it is drawn, in points"),
  height: z.number(),
  words: z
    .array(PageWord)
    .describe(
      "Where its words stand, in shares of the page: at most 8,000, none of a scan",
    ),
});
export type OriginalPage = z.output<typeof OriginalPage>;

const AskedPage = z.object({
  userId: z.string().min(1).max(300).describe("For whom; users take turns"),
  storageKey: z.string().min(1).max(300).describe("Of the file"),
  page: z.number().int().min(1).max(MAX_PAGE),
});
export type AskedPage = z.output<typeof AskedPage>;

export const originalContract = {
  readOriginalPage: route({
    method: "post",
    path: "/api/v1/parser/original/page",
    access: "service-secret",
    changes: "none",
    summary: "Say how large a page of a PDF file is, and where its words stand",
    body: AskedPage,
    ok: OriginalPage,
  }),
  drawOriginalPage: route({
    method: "post",
    path: "/api/v1/parser/original/picture",
    access: "service-secret",
    changes: "none",
    produces: ["image/png"],
    summary: "Draw a page of a PDF file",
    body: AskedPage,
  }),
};
