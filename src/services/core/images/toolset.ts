import { z } from "zod";
import { Unavailable } from "../../../platform/http/errors.ts";
import { MAX_EDITED_IMAGES } from "../../completion/contract-media.ts";
import { toToolFiles } from "../code/tool-files.ts";
import { ofDocument } from "../labels/read-resources.ts";
import { addLabels, type ToolSession } from "../tools/tool-sessions.ts";
import {
  defineToolset,
  platformTool,
  type ToolDeps,
  type ToolOutput,
} from "../tools/toolset.ts";
import type { AskedImages } from "./images.ts";

const EFFECTS = {
  readOnly: false,
  // each call makes other images, and costs
  idempotent: false,
  destructive: false,
  // the provider is judged by labels as that of the model which answers
  openWorld: false,
} as const;

const shared = {
  size: z
    .string()
    .max(20)
    .optional()
    .describe("Width and height, such as 1024x1024, 1536x1024 or 1024x1536"),
  name: z
    .string()
    .trim()
    .max(60)
    .optional()
    .describe(
      "A few words that name the file, without ending. Default: the prompt's first",
    ),
};
const Make = z.object({
  prompt: z.string().trim().min(1).max(4_000).describe("What the image shows, and how"),
  count: z.number().int().min(1).max(4).default(1),
  ...shared,
});
const Edit = z.object({
  prompt: z.string().trim().min(1).max(4_000).describe("What is to be different"),
  files: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(MAX_EDITED_IMAGES)
    .describe("Names of images of the conversation: to change, or to combine"),
  ...shared,
});

/** With it a model makes pictures, which the reader sees in the conversation. */
export const imagesToolset = defineToolset({
  name: "images",
  title: "Images",
  description: "Makes images, and changes those of the conversation.",
  permission: "image:create",
  tools: [
    platformTool({
      name: "make_image",
      description: "Makes images from a description. The user sees them at once.",
      input: Make,
      effects: EFFECTS,
      run: (deps, session, { name, ...asked }, signal) =>
        makeImage(deps, session, { asked, reads: [], name }, signal),
    }),
    platformTool({
      name: "edit_image",
      description:
        "Changes an image of the conversation, or makes one of several. The original stays.",
      input: Edit,
      effects: EFFECTS,
      run: (deps, session, asked, signal) => editImage(deps, session, asked, signal),
    }),
  ],
  // they are files of a conversation
  suits: ({ conversationId }) => conversationId !== undefined,
  lacks: async ({ images }) => (images ? images.lacks() : imagesUnavailable()),
  instructions:
    "You can make images with make_image and change those of the conversation with edit_image. The " +
    "user sees the results: do not repeat them as links. Describe in the prompt all that matters, " +
    "also the style, and words that stand in the image literally.",
});

interface Making {
  asked: AskedImages;
  reads: ReturnType<typeof ofDocument>[];
  name: string | undefined;
}

async function makeImage(
  deps: ToolDeps,
  session: ToolSession,
  { asked, reads, name }: Making,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { images } = deps;
  const { userId, conversationId } = session;
  if (!images || conversationId === undefined) throw imagesUnavailable();
  const { all: labels } = await addLabels(deps, session, reads);
  const { images: made } = await images.makeFor(userId, { ...asked, labels }, signal);
  const kept = await images.keep(conversationId, made, name || asked.prompt);
  const names = kept.map((file) => file.name).join(", ");
  return {
    content: `Made, and shown to the user: ${names}`,
    files: await toToolFiles(images.files, kept),
    reads,
  };
}

async function editImage(
  deps: ToolDeps,
  session: ToolSession,
  { files: names, prompt, size, name }: z.output<typeof Edit>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { images } = deps;
  const { userId, conversationId } = session;
  if (!images || conversationId === undefined) throw imagesUnavailable();
  const found = await images.read({ userId, conversationId }, names, signal);
  const given = found.map(({ documentId: _, mediaType: type, ...file }) => ({
    field: "image",
    type,
    ...file,
  }));
  const reads = found.flatMap(({ documentId }) =>
    documentId === undefined ? [] : [ofDocument(documentId)],
  );
  const asked: AskedImages = { prompt, size, count: 1, images: given };
  return makeImage(deps, session, { asked, reads, name }, signal);
}

function imagesUnavailable(): Unavailable {
  return new Unavailable(
    "images_unavailable",
    "Images cannot be made here. Ask an administrator.",
  );
}
