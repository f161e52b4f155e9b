import { z } from "zod";
import { int4, int4Text } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { AccessRole } from "../../users/contract-sharing.ts";
import { Source } from "../sources/contract.ts";
import { lockFailures, lockHeader } from "../contract-locked.ts";

/** Canvases and their versions. See docs/canvas.md. */

export const MAX_CONTENT_CHARACTERS = 1_000_000;
const Content = z.string().max(MAX_CONTENT_CHARACTERS);
const Title = z.string().trim().min(1).max(300);

export const Canvas = z.object({
  id: z.uuid(),
  conversationId: z.uuid().nullable(),
  title: z.string(),
  type: z.enum(["markdown", "code", "html"]),
  language: z.string().nullable(),
  version: z.number().int(),
  content: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Canvas = z.output<typeof Canvas>;
const Entry = Canvas.omit({ content: true });
export type CanvasEntry = z.output<typeof Entry>;

const Version = z.object({
  version: z.number().int(),
  createdBy: z.string(),
  createdByName: z.string().nullable().describe("null: the user was deleted"),
  messageId: z
    .uuid()
    .nullable()
    .describe("The reply in which a model wrote it; null: a user wrote it"),
  characters: z.number().int(),
  createdAt: z.iso.datetime(),
});

const State = z.object({
  version: z.number().int().describe("Number of the newest version"),
  role: AccessRole.describe("The caller's role"),
  lock: z
    .object({
      featureId: z.uuid().describe("The id with which an administrator releases the lock"),
      userId: z.string(),
      userName: z.string().nullable(),
      expiresAt: z.iso.datetime(),
    })
    .nullable()
    .describe("The editing lock of the canvas's conversation; null: nobody holds it"),
});
export type CanvasState = z.output<typeof State>;

export const NewCanvas = z.object({
  conversationId: z.uuid().nullable().default(null),
  title: Title,
  type: Canvas.shape.type.default("markdown"),
  language: z
    .string()
    .max(40)
    .regex(/^[\w+#.-]{1,40}$/)
    .nullable()
    .default(null)
    .describe("The programming language of a canvas of the type `code`"),
  content: Content,
});
export type NewCanvas = z.output<typeof NewCanvas>;

/** Types of exported files, each with its media type. */
export const EXPORT_TYPES = {
  md: "text/markdown",
  txt: "text/plain",
  html: "text/html",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pdf: "application/pdf",
  json: "application/json",
} as const;
export const FileType = z.enum(["md", "txt", "html", "docx", "pdf", "json"]);
export type FileType = z.output<typeof FileType>;

const versionNumber = int4Text(1);
const byId = z.object({ canvasId: z.uuid() });
const base = "/api/v1/canvas";

export const canvasContract = {
  createCanvas: route({
    method: "post",
    path: base,
    access: "jwt",
    permission: "canvas:create",
    changes: "canvas",
    summary: "Create a canvas",
    failures: lockFailures,
    body: NewCanvas,
    maxBody: 8 * 1024 * 1024,
    status: 201,
    ok: Canvas,
  }),
  listCanvases: route({
    method: "get",
    path: base,
    access: "jwt",
    permission: "canvas:read",
    summary:
      "Own canvases, all of a conversation that one may see, or those of conversations that " +
      "others share; the last changed first",
    failures: { 404: "`conversation_not_found`: the caller may not see the conversation." },
    query: pageQuery.extend({
      conversationId: z.uuid().optional(),
      scope: z
        .enum(["own", "shared"])
        .default("own")
        .describe("`shared`: of conversations that others share with the caller"),
    }),
    ok: pageOf(Entry.extend({ ownerName: z.string().nullable() })),
  }),
  canvasTrash: route({
    method: "get",
    path: `${base}/trash`,
    access: "jwt",
    permission: "canvas:read",
    summary: "List the caller's deleted canvases, which can still be restored",
    query: pageQuery,
    ok: pageOf(Entry.extend({ deletedAt: z.iso.datetime() })),
  }),
  getCanvas: route({
    method: "get",
    path: `${base}/:canvasId`,
    access: "jwt",
    permission: "canvas:read",
    summary: "Read a canvas with its current version, or with an earlier one",
    params: byId,
    query: z.object({ version: versionNumber.optional() }),
    ok: Canvas.extend({
      sources: z
        .array(Source)
        .optional()
        .describe("The passages that its text cites, of the reply that wrote it"),
    }),
  }),
  canvasState: route({
    method: "get",
    path: `${base}/:canvasId/state`,
    access: "jwt",
    permission: "canvas:read",
    summary: "Read the newest version, the caller's role and the lock of an open canvas",
    params: byId,
    ok: State,
  }),
  changeCanvas: route({
    method: "patch",
    path: `${base}/:canvasId`,
    access: "jwt",
    permission: "canvas:update",
    changes: "canvas/:canvasId",
    summary: "Change the title",
    failures: lockFailures,
    headers: lockHeader,
    params: byId,
    body: z.object({ title: Title }),
    ok: Canvas,
  }),
  deleteCanvas: route({
    method: "delete",
    path: `${base}/:canvasId`,
    access: "jwt",
    permission: "canvas:delete",
    changes: "canvas/:canvasId",
    summary: "Move a canvas to the trash",
    failures: lockFailures,
    params: byId,
  }),
  restoreCanvas: route({
    method: "post",
    path: `${base}/:canvasId/restore`,
    access: "jwt",
    permission: "canvas:update",
    changes: "canvas/:canvasId",
    summary: "Restore a canvas from the trash",
    params: byId,
    ok: Canvas,
  }),
  listCanvasVersions: route({
    method: "get",
    path: `${base}/:canvasId/versions`,
    access: "jwt",
    permission: "canvas:read",
    summary: "List the versions of a canvas, newest first",
    params: byId,
    query: pageQuery,
    ok: pageOf(Version),
  }),
  createCanvasVersion: route({
    method: "post",
    path: `${base}/:canvasId/versions`,
    access: "jwt",
    permission: "canvas:update",
    changes: "canvas/:canvasId",
    summary:
      "Create a version from the newest one; 409 when `baseVersion` is not the newest",
    failures: lockFailures,
    headers: lockHeader,
    params: byId,
    body: z.object({
      baseVersion: int4(1),
      content: Content,
      title: Title.optional(),
    }),
    maxBody: 8 * 1024 * 1024,
    status: 201,
    ok: Canvas,
  }),
  diffCanvas: route({
    method: "get",
    path: `${base}/:canvasId/diff`,
    access: "jwt",
    permission: "canvas:read",
    summary: "Compare two versions, line by line",
    failures: { 413: "`diff_too_large`: the versions differ too much to be compared." },
    params: byId,
    query: z.object({ from: versionNumber, to: versionNumber }),
    ok: z.object({
      from: z.number().int(),
      to: z.number().int(),
      changes: z.array(
        z.object({
          kind: z.enum(["same", "added", "removed"]),
          lines: z.number().int(),
          text: z.string(),
        }),
      ),
    }),
  }),
  exportCanvas: route({
    method: "get",
    path: `${base}/:canvasId/export`,
    produces: Object.values(EXPORT_TYPES),
    access: "jwt",
    permission: "canvas:export",
    summary: "Export a canvas as a file",
    failures: {
      422: "`too_complex`: the export needs more time or memory than it may use.",
    },
    params: byId,
    query: z.object({ fileType: FileType, version: versionNumber.optional() }),
  }),
};
