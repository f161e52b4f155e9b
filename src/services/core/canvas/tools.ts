import { z } from "zod";
import { platformTool, type ToolDeps, type ToolOutput } from "../tools/platform-tool.ts";
import { canvasFor, type Person } from "./access.ts";
import { Canvas, NewCanvas } from "./contract.ts";
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
  content: z
    .string()
    .max(1_000_000)
    .optional()
    .describe("The whole new content; or give edits"),
  edits: z
    .array(
      z.object({
        find: z.string().min(1).describe("A piece that occurs exactly once"),
        replace: z.string(),
      }),
    )
    .max(100)
    .optional(),
  title: NewCanvas.shape.title.optional(),
});
const Read = z.object({ canvasId: z.uuid() });

/** Tools with which a model writes and revises canvases, with the access of the user it answers. */
export const CANVAS_TOOLS = [
  platformTool({
    name: "create_canvas",
    description:
      "Creates a document, a page or a piece of code beside the conversation, for the user to keep and edit.",
    input: Create,
    effect: "additive",
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
    // older versions stay, so that a replaced text can be restored
    effect: "additive",
    run: (deps, session, input) => updateCanvas(deps, session, input),
  }),
  platformTool({
    name: "read_canvas",
    description: "Reads the newest version of a canvas, which the user may have changed.",
    input: Read,
    effect: "read_only",
    async run(deps, { userId }, { canvasId }) {
      const { title, version, content } = await canvasFor(
        deps,
        { userId },
        canvasId,
        "viewer",
      );
      return { content: `"${title}", version ${version}:\n\n${content}` };
    },
  }),
];

async function updateCanvas(
  deps: ToolDeps,
  { userId, messageId }: Person & Pick<ToolSession, "messageId">,
  { canvasId, content, edits = [], title }: z.output<typeof Update>,
): Promise<ToolOutput> {
  const user = { userId };
  const before = await canvasFor(deps, user, canvasId, "editor");
  const after = content ?? applyEdits(before.content, edits);
  if (after === undefined)
    return {
      content:
        "An edit's piece does not occur exactly once. Read the canvas and try again.",
      isError: true,
    };
  const change = { baseVersion: before.version, content: after, title, messageId };
  return toOutput(await addVersion(deps, user, canvasId, change));
}

function toOutput({ id, version }: Canvas): ToolOutput {
  return {
    content: `Canvas ${id} has version ${version} now. The user sees it beside the conversation: do not repeat it.`,
    events: [{ type: "canvas", canvasId: id, version }],
  };
}

/** @returns undefined when a piece does not occur exactly once. */
function applyEdits(
  content: string,
  edits: readonly { find: string; replace: string }[],
): string | undefined {
  let text = content;
  for (const { find, replace } of edits) {
    const at = text.indexOf(find);
    if (at < 0 || text.indexOf(find, at + 1) >= 0) return undefined;
    text = text.slice(0, at) + replace + text.slice(at + find.length);
  }
  return text;
}
