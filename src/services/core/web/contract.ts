import { z } from "zod";
import { ReportedError } from "../../../platform/http/reported-error.ts";
import { route } from "../../../platform/http/route.ts";
import { TextChange } from "../contract-text-change.ts";

/** Of the words that an answer keeps of a page. */
const MAX_KEPT_CHARACTERS = 10_000;

export const pagesContract = {
  compareWebPage: route({
    method: "post",
    path: "/api/v1/web-pages/compare",
    access: "jwt",
    permission: "web:use",
    changes: "none",
    summary: "Say whether a page of the web still has the words that an answer cites",
    description:
      "The page is read as replies read it, at most once an hour. A page that cannot be read is a " +
      "200 with `state: unreadable` and the reason.",
    body: z.object({
      url: z.string().min(1).max(8_000),
      content: z.string().min(1).max(MAX_KEPT_CHARACTERS).describe("The words as kept"),
    }),
    ok: z.object({
      state: z.enum(["same", "changed", "unreadable"]),
      readAt: z.iso.datetime().optional(),
      changes: z
        .array(TextChange)
        .optional()
        .describe(
          "Where the page changed: from the words as kept to the part of it that is most like them. Absent where no part is",
        ),
      problem: ReportedError.optional().describe("Why it cannot be read"),
    }),
  }),
};
