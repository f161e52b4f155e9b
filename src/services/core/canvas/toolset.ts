import { z } from "zod";
import type { Task } from "../../../platform/workers/task.ts";
import {
  defineToolset,
  platformTool,
  type ToolDeps,
  type ToolOutput,
} from "../tools/toolset.ts";
import { canvasFor, type Person } from "./access.ts";
import { Canvas, MAX_CONTENT_CHARACTERS, NewCanvas } from "./contract.ts";
import type editText from "./edit-text.ts";
import { ofConversation } from "../labels/read-resources.ts";
import { addVersion, createCanvas } from "./manage-canvases.ts";
import type { ToolSession } from "../tools/tool-sessions.ts";

const Create = NewCanvas.pick({ title: true, content: true }).extend({
  type: Canvas.shape.type
    .default("markdown")
    .describe("markdown for documents, code for programs, html for pages"),
  language: NewCanvas.shape.language.describe("The programming language of code"),
});
const Update = z.object({
  canvasId: z.uuid(),
  content: NewCanvas.shape.content
    .optional()
    .describe("The whole new content; or give edits"),
  edits: z
    .array(
      z.object({
        find: NewCanvas.shape.content.min(1).describe("A piece that occurs exactly once"),
        replace: NewCanvas.shape.content,
      }),
    )
    .max(100)
    .optional(),
  title: NewCanvas.shape.title.optional(),
});
const Read = z.object({ canvasId: z.uuid() });

const EDIT_TEXT: Task<typeof editText> = {
  file: new URL("./edit-text.ts", import.meta.url),
  timeoutMs: 5_000,
  advice: "Give the whole new content instead of edits.",
};

/** A version more; the older ones stay, so that a replaced text can be restored. */
const ADDS = { readOnly: false, idempotent: false, destructive: false, openWorld: false };
const READS = { readOnly: true, idempotent: true, destructive: false, openWorld: false };

const TOOLS = [
  platformTool({
    name: "create_canvas",
    description:
      "Creates a document, a page or a piece of code beside the conversation, for the user to keep and edit. " +
      "Pages, code in svg, and React components in jsx or tsx run there, without a network: no CDN, no " +
      "remote pictures, styles inside; a component is the default export and imports react alone.",
    input: Create,
    effects: ADDS,
    permission: "canvas:create",
    async run(deps, { userId, conversationId = null, messageId }, input) {
      // the canvas gets the client of its conversation
      const creator = { userId, clientId: "" };
      const canvas = { ...input, conversationId, messageId };
      return toOutput(await createCanvas(deps, creator, canvas));
    },
  }),
  platformTool({
    name: "update_canvas",
    description:
      "Makes a new version of a canvas: from the whole new content, or by edits that each replace a piece which occurs exactly once.",
    input: Update,
    effects: ADDS,
    permission: "canvas:update",
    run: (deps, session, input, signal) => updateCanvas(deps, session, input, signal),
  }),
  platformTool({
    name: "read_canvas",
    description: "Reads the newest version of a canvas, which the user may have changed.",
    input: Read,
    effects: READS,
    async run(deps, { userId }, { canvasId }) {
      const canvas = await canvasFor(deps, { userId }, canvasId, "viewer");
      const { title, version, content, conversationId } = canvas;
      return {
        content: `"${title}", version ${version}:\n\n${content}`,
        reads: conversationId === null ? [] : [ofConversation(conversationId)],
      };
    },
  }),
];

/** With it a model writes and revises canvases, with the access of the user it answers. */
export const canvasToolset = defineToolset({
  name: "canvas",
  title: "Canvases",
  description: "Writes texts, pages and code beside the conversation, and revises them.",
  permission: "canvas:read",
  tools: TOOLS,
  suits: ({ conversationId }) => conversationId !== undefined,
});

async function updateCanvas(
  deps: ToolDeps,
  { userId, messageId, labels }: Person & Pick<ToolSession, "messageId" | "labels">,
  { canvasId, content, edits = [], title }: z.output<typeof Update>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const user = { userId };
  const before = await canvasFor(deps, user, canvasId, "editor");
  if (labels.length > 0 && before.conversationId === null)
    return { content: noCarrier(labels[0]?.name ?? ""), isError: true };
  // it may be a canvas of another conversation
  if (before.conversationId !== null)
    await deps.labels.carry(before.conversationId, labels);
  const request = { text: before.content, edits, maxCharacters: MAX_CONTENT_CHARACTERS };
  const after = content ?? (await deps.workers.run(EDIT_TEXT, request, { userId, signal }));
  if (after === undefined)
    return {
      content:
        "An edit's piece does not occur exactly once, or the text becomes longer than " +
        `${MAX_CONTENT_CHARACTERS} characters. Read the canvas and try again.`,
      isError: true,
    };
  const change = { baseVersion: before.version, content: after, title, messageId };
  return toOutput(await addVersion(deps, user, canvasId, change));
}

function noCarrier(label: string): string {
  return (
    `label_needs_conversation: the canvas belongs to no conversation, which could carry the label ` +
    `"${label}" of what was read here. Create a new canvas instead.`
  );
}

function toOutput({ id, version }: Canvas): ToolOutput {
  return {
    content: `Canvas ${id} has version ${version} now. The user sees it beside the conversation: do not repeat it.`,
    events: [{ type: "canvas", canvasId: id, version }],
  };
}
