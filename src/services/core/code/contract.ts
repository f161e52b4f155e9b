import { z } from "zod";
import { flagText, RANGE_HEADERS } from "../../../platform/http/bounds.ts";
import { route } from "../../../platform/http/route.ts";

export const codeContract = {
  conversationFile: route({
    method: "get",
    path: "/api/v1/conversation/files/:fileId/content",
    produces: ["*/*"],
    access: "jwt",
    permission: "conversation:read",
    summary: "Download a file that code of a conversation wrote, or a range of its bytes",
    description:
      "Results of `run_python` name the files by `fileId`. `inline` lets a browser show pictures " +
      "(PNG, JPEG, GIF, WebP) and PDF; files of other types are downloads all the same. Only the " +
      "newest 200 files of a conversation are kept.",
    params: z.object({ fileId: z.uuid() }),
    query: z.object({ inline: flagText().optional() }),
    headers: RANGE_HEADERS,
    also: { 206: "The range of bytes in `Content-Range`." },
    failures: { 416: "The range begins after the end of the file." },
  }),
};
