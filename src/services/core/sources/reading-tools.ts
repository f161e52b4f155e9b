import { z } from "zod";
import { shortenText } from "../../../platform/shorten-text.ts";
import { MAX_READ_LINES, type TextLines } from "../../documents/contract-texts.ts";
import { ofDocument } from "../labels/read-resources.ts";
import { addSources, type ToolSession } from "../tools/tool-sessions.ts";
import {
  platformTool,
  type ToolDeps,
  type ToolOutput,
  type ToolContext,
} from "../tools/toolset.ts";
import type { Source } from "./contract.ts";
import type { Passage } from "./find-passages.ts";
import { READING_TOOLS, scopeOf } from "./plan-retrieval.ts";
import { findPassage, passageText, takePassages } from "./take-passages.ts";
import { textsUnavailable } from "./texts-client.ts";

const mayRead = ({ retrieval }: ToolContext) => retrieval?.mayRead === true;
const READS = { readOnly: true, idempotent: true, destructive: false, openWorld: false };
const MAX_LISTED = 50;
const MAX_FOUND = 40;
const MAX_SHOWN_CHARACTERS = 300;
/** Of one passage: about as much as a person reads to check a sentence. */
const MAX_PASSAGE_CHARACTERS = 1_500;
/** Passages that are read have numbers of their own beside the chunks that a search finds. */
const READ_FROM_INDEX = -1_000_000;

const List = z.object({
  query: z.string().trim().max(200).optional().describe("Part of the name; default: all"),
  offset: z.number().int().min(0).max(100_000).default(0).describe("How many to skip"),
});
const Find = z.object({
  pattern: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .describe(
      "Words as they stand in a line; | between alternatives. Capitals do not matter",
    ),
  documentId: z.uuid().optional().describe("Only in this document; default: in all"),
});
const Read = z.object({
  documentId: z.uuid().describe("As list_documents or find_in_documents name it"),
  from: z.number().int().min(1).max(10_000_000).default(1).describe("The first line"),
  lines: z
    .number()
    .int()
    .min(1)
    .max(MAX_READ_LINES)
    .default(200)
    .describe("How many lines; a long document says where it goes on"),
});
const [LIST_DOCUMENTS, FIND_IN_DOCUMENTS, READ_DOCUMENT] = READING_TOOLS;

/** With them a model reads documents as a person does, and not only the passages of a search. */
export const readingTools = [
  platformTool({
    name: LIST_DOCUMENTS,
    description: "Lists the documents with their ids, the last changed first.",
    input: List,
    effects: READS,
    permission: "document:read",
    suits: mayRead,
    run: (deps, session, input, signal) => list(deps, session, input, signal),
  }),
  platformTool({
    name: FIND_IN_DOCUMENTS,
    description:
      "Finds the lines of documents that have these exact words, with their numbers. Read around " +
      "them with read_document before you rely on them.",
    input: Find,
    effects: READS,
    permission: "document:read",
    suits: mayRead,
    run: (deps, session, input, signal) => find(deps, session, input, signal),
  }),
  platformTool({
    name: READ_DOCUMENT,
    description:
      "Reads a document from a line on. Each passage comes with the number by which to cite it.",
    input: Read,
    effects: READS,
    permission: "document:read",
    suits: mayRead,
    run: (deps, session, input, signal) => read(deps, session, input, signal),
  }),
];

async function list(
  { texts }: ToolDeps,
  { userId, retrieval }: ToolSession,
  { query, offset }: z.output<typeof List>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (!texts || !retrieval) throw textsUnavailable();
  const asked = { query, offset, limit: MAX_LISTED };
  const { documents, total } = await texts.list(
    scopeOf({ userId, retrieval }),
    asked,
    signal,
  );
  const lines = documents.map(({ id, fileName, size, pages, status, updatedAt }) => {
    const parts = pages && pages > 1 ? `, ${pages} pages` : "";
    const state = status === "PROCESSED" ? "" : `, ${status.toLowerCase()}`;
    return `${id} “${fileName}”, ${size} bytes${parts}, of ${updatedAt.slice(0, 10)}${state}`;
  });
  const end = offset + documents.length;
  if (end < total) lines.push(`${total - end} more: list them with offset ${end}.`);
  return {
    content: lines.join("\n") || "There is no such document.",
    figures: { unit: "documents", count: documents.length, of: total },
    // names may say as much as texts
    reads: documents.map(({ id }) => ofDocument(id)),
  };
}

async function find(
  { texts }: ToolDeps,
  { userId, retrieval }: ToolSession,
  { pattern, documentId }: z.output<typeof Find>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (!texts || !retrieval) throw textsUnavailable();
  const { docIds } = retrieval;
  const isOther = documentId !== undefined && docIds && !docIds.includes(documentId);
  const scope = {
    userId,
    attached: retrieval.attached,
    docIds: documentId === undefined ? docIds : isOther ? [] : [documentId],
  };
  const words = pattern
    .split("|")
    .map((word) => word.trim().slice(0, 200))
    .filter(Boolean)
    .slice(0, 10);
  if (words.length === 0) return { content: "Name words to find.", isError: true };
  const found = await texts.find(scope, { words, limit: MAX_FOUND }, signal);
  const shown: string[] = [];
  let last: string | undefined;
  for (const { id, fileName, number, text } of found.lines) {
    if (id !== last) shown.push(`${id} “${fileName}”:`);
    last = id;
    shown.push(`${number}: ${aroundWords(text, words)}`);
  }
  if (shown.length === 0)
    shown.push(`None of ${found.searched} documents has a line with these words.`);
  if (found.more) shown.push("There is more. Use rarer words, or name a document.");
  if (found.unread.length > 0)
    shown.push(`Without a text yet: ${found.unread.join(", ")}.`);
  return {
    content: shown.join("\n"),
    figures: { unit: "lines", count: found.lines.length },
    // that a document lacks the words says something of it, too
    reads: found.ids.map(ofDocument),
  };
}

/** The part of a long line that has a word. */
function aroundWords(text: string, words: readonly string[]): string {
  if (text.length <= MAX_SHOWN_CHARACTERS) return text;
  const folded = text.toLowerCase();
  const places = words.map((word) => folded.indexOf(word.toLowerCase()));
  const at = Math.min(...places.filter((place) => place >= 0), text.length);
  const from = Math.max(0, at - MAX_SHOWN_CHARACTERS / 2);
  const part = shortenText(text.slice(from), MAX_SHOWN_CHARACTERS);
  return from > 0 ? `…${part}` : part;
}

async function read(
  { db, texts }: ToolDeps,
  { id, userId, retrieval, contextWindow }: ToolSession,
  { documentId, from, lines }: z.output<typeof Read>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (!texts || !retrieval) throw textsUnavailable();
  const text = await texts.read(
    scopeOf({ userId, retrieval }),
    { id: documentId, from, lines },
    signal,
  );
  const wanted = dividedLines(text);
  const { known, added } = await addSources(db, id, (before) =>
    takeInOrder(before, wanted, contextWindow),
  );
  const again = wanted.flatMap((passage) => findPassage(known, passage) ?? []);
  const shown = added.map(passageText);
  if (again.length > 0)
    shown.push(`Read before: ${again.map(({ index }) => `[${index}]`).join(", ")}.`);
  const last = text.lines.at(-1)?.number;
  if (last === undefined)
    shown.push(
      text.total === 0
        ? `“${text.fileName}” has no text.`
        : `“${text.fileName}” has ${text.total} lines. Begin at one of them.`,
    );
  else if (added.length + again.length < wanted.length)
    shown.push("The rest has no room in this reply: answer from what you have read.");
  else if (last < text.total)
    shown.push(`Read to line ${last} of ${text.total}: it goes on with from ${last + 1}.`);
  else shown.push(`This is the end of “${text.fileName}”, after ${text.total} lines.`);
  return {
    content: shown.join("\n\n"),
    figures: { unit: "lines", count: text.lines.length, of: text.total },
    reads: [ofDocument(documentId)],
    events: added.length > 0 ? [{ type: "sources", sources: added }] : [],
  };
}

/** Those that have room, up to the first that has none: a text with gaps reads as another one. */
function takeInOrder(
  known: readonly Source[],
  wanted: readonly Passage[],
  contextWindow: number,
): Source[] {
  const taken = takePassages(known, wanted, contextWindow);
  const end = wanted.findIndex(
    (passage) => !findPassage(known, passage) && !findPassage(taken, passage),
  );
  if (end < 0) return taken;
  const before = new Set(wanted.slice(0, end).map(({ chunkIndex }) => chunkIndex));
  return taken.filter(({ chunkIndex }) => before.has(chunkIndex));
}

/** Divides lines into passages within one page, sheet or section. */
function dividedLines({ id, fileName, lines, places }: TextLines): Passage[] {
  const groups: (typeof lines)[] = [];
  let size = 0;
  for (const line of lines) {
    const group = groups.at(-1);
    size += line.text.length + 1;
    if (group && group[0]?.part === line.part && size <= MAX_PASSAGE_CHARACTERS)
      group.push(line);
    else {
      groups.push([line]);
      size = line.text.length + 1;
    }
  }
  return groups.flatMap((group) => {
    const [first] = group;
    const content = group
      .map(({ text }) => text)
      .join("\n")
      .trim();
    if (!first || content === "") return [];
    const place = places.find(({ part }) => part === first.part);
    const isPage = place?.kind === "page" || place?.kind === "slide";
    return {
      kind: "document" as const,
      documentId: id,
      fileName,
      pageNumber: isPage ? first.part : null,
      ...(place && { place }),
      chunkIndex: READ_FROM_INDEX - first.number,
      score: 1,
      content,
    };
  });
}
