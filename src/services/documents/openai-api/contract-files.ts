import { z } from "zod";
import { RANGE_HEADERS } from "../../../platform/http/bounds.ts";
import { route } from "../../../platform/http/route.ts";
import { errorBody, OpenAiError } from "../../core/openai-api/contract-errors.ts";
import { cursorPageOf, cursorQuery, FileId, FileIdInPath } from "./contract-ids.ts";

/** OpenAI's API of files (OpenAI API reference, files), over the caller's documents. */

/** What clients upload files for here. A document without a purpose counts as `user_data`. */
export const PURPOSES = ["assistants", "user_data", "vision"] as const;
export type Purpose = (typeof PURPOSES)[number];
export const DEFAULT_PURPOSE: Purpose = "user_data";
/** The most files of one page; a request may name a larger `limit`. */
export const MAX_FILES_PER_PAGE = 1_000;
const OPENAI_LIMIT = 10_000;

export const FileObject = z.object({
  id: z.string(),
  object: z.literal("file"),
  bytes: z.number().int(),
  created_at: z.number().int(),
  filename: z.string(),
  purpose: z.enum(PURPOSES),
  status: z.enum(["uploaded", "processed", "error"]),
  status_details: z.string().optional().describe("Why it could not be processed"),
});
export type FileObject = z.output<typeof FileObject>;

export const ofOpenAi = {
  access: ["key", "jwt"],
  errorSchema: OpenAiError,
  errorBody,
} as const;
const byId = { ...ofOpenAi, params: z.object({ file_id: FileIdInPath }) } as const;

export const openAiFilesContract = {
  uploadFile: route({
    ...ofOpenAi,
    method: "post",
    path: "/v1/files",
    changes: "document",
    permission: "document:create",
    raw: true,
    upload: { as: ["multipart"], fields: z.object({ purpose: z.enum(PURPOSES) }) },
    summary: "Upload a file as OpenAI's clients do it: a document in no folder",
    description:
      "Its fields may be behind the file. Other fields, such as `expires_after`, are refused. The " +
      "same bytes are another file each time, and are stored once.",
    ok: FileObject,
  }),
  listFiles: route({
    ...ofOpenAi,
    method: "get",
    path: "/v1/files",
    permission: "document:read",
    summary: "List your files, which are your documents",
    description: `A page has at most ${MAX_FILES_PER_PAGE}, whatever \`limit\` says.`,
    query: cursorQuery(OPENAI_LIMIT, OPENAI_LIMIT).extend({
      after: FileId.optional().describe("The id of the last file before the page"),
      purpose: z.enum(PURPOSES).optional(),
    }),
    ok: cursorPageOf(FileObject),
  }),
  readFile: route({
    ...byId,
    method: "get",
    path: "/v1/files/:file_id",
    permission: "document:read",
    summary: "Read a file that you may see",
    ok: FileObject,
  }),
  readFileContent: route({
    ...byId,
    method: "get",
    path: "/v1/files/:file_id/content",
    permission: "document:read",
    produces: ["application/octet-stream", "*/*"],
    headers: RANGE_HEADERS,
    also: { 206: "The range of bytes in `Content-Range`." },
    failures: { 416: "The range begins after the end of the file." },
    summary: "Download a file as it was uploaded",
  }),
  deleteFile: route({
    ...byId,
    method: "delete",
    path: "/v1/files/:file_id",
    changes: "document",
    permission: "document:delete",
    summary: "Delete a file, also from all vector stores",
    ok: z.object({
      id: z.string(),
      object: z.literal("file"),
      deleted: z.literal(true),
    }),
  }),
};
