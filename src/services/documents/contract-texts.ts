import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { Place } from "../embedding/contract-places.ts";
import { DocumentStatus } from "./contract-stored.ts";

/** Whole texts of documents, for tools that read them line by line. */

/** The most documents that one call names: an agent's files and documents, and attached ones. */
export const MAX_NAMED_DOCUMENTS = 5_000;
/** The most lines that one call returns. */
export const MAX_READ_LINES = 500;
const MAX_LISTED_TEXTS = 100;
const MAX_FOUND_LINES = 100;
const MAX_WORDS_CHARACTERS = 200;

/** Attachments of the conversation that asks, beside all that the user may see. */
export const AlsoIds = z
  .array(z.uuid())
  .max(MAX_NAMED_DOCUMENTS)
  .optional()
  .describe("Without `ids`: these attachments too");

const Scope = z.object({
  userId: z.string().min(1).max(200),
  ids: z
    .array(z.uuid())
    .max(MAX_NAMED_DOCUMENTS)
    .optional()
    .describe("Only these; default: all that the user may see"),
  alsoIds: AlsoIds,
});

const Line = z.object({
  number: z.number().int().describe("In the whole text, from 1"),
  part: z.number().int().describe("The page, sheet or other part, from 1"),
  text: z.string(),
});
export type Line = z.output<typeof Line>;

const TextLines = z.object({
  id: z.uuid(),
  fileName: z.string(),
  lines: z.array(Line),
  places: z
    .array(Place.pick({ kind: true, part: true, name: true }))
    .describe("Where the parts of these lines are"),
  total: z.number().int().describe("How many lines the text has"),
});
export type TextLines = z.output<typeof TextLines>;

const FoundLines = z.object({
  lines: z.array(Line.extend({ id: z.uuid(), fileName: z.string() })),
  more: z.boolean().describe("Whether there is more that was not looked through or listed"),
  searched: z.number().int().describe("How many documents were looked through"),
  ids: z.array(z.uuid()).describe("Of those, and of those that have no text"),
  unread: z
    .array(z.string())
    .describe("Names of documents without a text, because they are not processed; a few"),
});
export type FoundLines = z.output<typeof FoundLines>;

const ListedTexts = z.object({
  documents: z.array(
    z.object({
      id: z.uuid(),
      fileName: z.string(),
      mimeType: z.string(),
      size: z.number().int(),
      pages: z.number().int().nullable(),
      status: DocumentStatus,
      updatedAt: z.iso.datetime(),
    }),
  ),
  total: z.number().int(),
});
export type ListedTexts = z.output<typeof ListedTexts>;

const base = "/api/v1/documents/texts";

export const textsContract = {
  listTexts: route({
    method: "post",
    path: base,
    access: "service-secret",
    changes: "none",
    summary: "List the documents of a user, the last changed first; for other services",
    body: Scope.extend({
      query: z.string().trim().max(200).optional().describe("Part of the name"),
      offset: z.number().int().min(0).max(100_000).default(0),
      limit: z.number().int().min(1).max(MAX_LISTED_TEXTS).default(50),
    }),
    ok: ListedTexts,
  }),
  readLines: route({
    method: "post",
    path: `${base}/lines`,
    access: "service-secret",
    changes: "none",
    summary: "Read lines of a document that a user may see; for other services",
    body: z.object({
      userId: Scope.shape.userId,
      id: z.uuid(),
      from: z.number().int().min(1).max(10_000_000).default(1),
      lines: z.number().int().min(1).max(MAX_READ_LINES).default(200),
    }),
    ok: TextLines,
  }),
  findLines: route({
    method: "post",
    path: `${base}/find`,
    access: "service-secret",
    changes: "none",
    summary: "Find the lines with these words in documents of a user; for other services",
    body: Scope.extend({
      words: z
        .array(z.string().trim().min(1).max(MAX_WORDS_CHARACTERS))
        .min(1)
        .max(10)
        .describe("A line that has one of them, in capitals or not, is found"),
      limit: z.number().int().min(1).max(MAX_FOUND_LINES).default(40),
    }),
    ok: FoundLines,
  }),
};
