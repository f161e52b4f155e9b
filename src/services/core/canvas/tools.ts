import { z } from "zod";
import { type OwnTool, PLATFORM } from "../conversations/own-tools.ts";
import { type CanvasDeps, canvasFor } from "./access.ts";
import { Canvas, NewCanvas } from "./contract.ts";
import { addVersion, createCanvas } from "./manage-canvases.ts";

const Create = NewCanvas.pick({ title: true, content: true }).extend({
  type: Canvas.shape.type
    .default("markdown")
    .describe("markdown for documents, code for programs, html for pages"),
  language: NewCanvas.shape.language.describe("The programming language of code"),
});
const Update = z.object({
  canvasId: z.uuid(),
  content: z.string().max(1_000_000).optional().describe("The whole new content; or give edits"),
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

/**
 * What lets a model write and revise canvases as the person who asks it might, where the
 * conversation or its agent permits these tools by name.
 */
export function canvasTools(deps: CanvasDeps, userId: string, conversationId: string): OwnTool[] {
  const user = { userId };
  const told = ({ id, version }: Canvas) => ({
    content: `Canvas ${id} has version ${version} now. The person sees it beside the conversation: do not repeat it.`,
    events: [{ type: "canvas" as const, canvasId: id, version }],
  });
  return [
    {
      name: "create_canvas",
      description:
        "Creates a document, a page or a piece of code beside the conversation, for the person to keep and edit.",
      input: Create,
      effect: "additive",
      ...PLATFORM,
      async run(input) {
        const canvas = Create.parse(input);
        // the client is the conversation's
        return told(
          await createCanvas(deps, { userId, clientId: "" }, { ...canvas, conversationId }),
        );
      },
    },
    {
      name: "update_canvas",
      description:
        "Makes a new version of a canvas: from the whole new content, or by edits that each replace a piece which occurs exactly once.",
      input: Update,
      // versions stay as they are: what it replaces can be restored
      effect: "additive",
      ...PLATFORM,
      async run(input) {
        const { canvasId, content, edits = [], title } = Update.parse(input);
        const before = await canvasFor(deps, user, canvasId, "editor");
        const after = content ?? edited(before.content, edits);
        if (after === undefined)
          return {
            content: "An edit's piece does not occur exactly once. Read the canvas and try again.",
            isError: true,
          };
        return told(
          await addVersion(deps, user, canvasId, {
            baseVersion: before.version,
            content: after,
            title,
          }),
        );
      },
    },
    {
      name: "read_canvas",
      description: "Reads the newest version of a canvas, which the person may have changed.",
      input: Read,
      effect: "read_only",
      ...PLATFORM,
      async run(input) {
        const { title, version, content } = await canvasFor(
          deps,
          user,
          Read.parse(input).canvasId,
          "viewer",
        );
        return { content: `"${title}", version ${version}:\n\n${content}` };
      },
    },
  ];
}

function edited(
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
