import { z } from "zod";
import { flagText, RANGE_HEADERS } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";

const FolderFile = z.object({
  id: z.uuid(),
  kind: z
    .enum(["written", "attached"])
    .describe("`written`: by code; `attached`: a document of a message, whose `id` it has"),
  name: z.string().describe("In the folder that code sees"),
  mediaType: z.string(),
  size: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type FolderFile = z.output<typeof FolderFile>;

const ofConversation = z.object({ conversationId: z.uuid() });

export const codeContract = {
  conversationFiles: route({
    method: "get",
    path: "/api/v1/conversation/:conversationId/files",
    access: "jwt",
    permission: "conversation:read",
    summary: "List the files of a conversation, as code sees them; the newest first",
    description:
      "What code wrote, the newest of each name, and the attached documents that the caller may " +
      "see.",
    params: ofConversation,
    query: pageQuery,
    ok: pageOf(FolderFile),
  }),
  deleteConversationFile: route({
    method: "delete",
    path: "/api/v1/conversation/:conversationId/files/:fileId",
    access: "jwt",
    permission: "conversation:update",
    changes: "conversation/:conversationId",
    summary: "Delete a file that code wrote, with the earlier ones of its name",
    description:
      "A session that runs keeps its copy until it ends. Attached documents are not deleted here.",
    params: ofConversation.extend({ fileId: z.uuid() }),
    status: 204,
  }),
  conversationFile: route({
    method: "get",
    path: "/api/v1/conversation/files/:fileId/content",
    produces: ["application/octet-stream", "*/*"],
    access: "jwt",
    permission: "conversation:read",
    summary: "Download a file that code of a conversation wrote, or a range of its bytes",
    description:
      "Results of `run_python` and `run_javascript` name the files by `fileId`. `inline` lets a browser show pictures " +
      "(PNG, JPEG, GIF, WebP) and PDF; files of other types are downloads all the same. Only the " +
      "newest 200 files of a conversation are kept.",
    params: z.object({ fileId: z.uuid() }),
    query: z.object({ inline: flagText().optional() }),
    headers: RANGE_HEADERS,
    also: { 206: "The range of bytes in `Content-Range`." },
    failures: { 416: "The range begins after the end of the file." },
  }),
};
