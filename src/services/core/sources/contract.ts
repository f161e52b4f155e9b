import { z } from "zod";
import { PageNumber, Place } from "../../embedding/contract-places.ts";
import { NotFoundReason } from "../../retrieval/contract-retrieve.ts";

const KeptRows = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.string().nullable())),
  cut: z.boolean().describe("Whether there are more rows"),
});

/** What a query over tables of documents answered, as it is kept with the reply. */
export const TableOfSource = z.object({
  sql: z.string(),
  documentIds: z.array(z.string()).describe("Those whose tables the query could name"),
  answer: KeptRows,
  behind: KeptRows.extend({
    total: z.number().int(),
    sql: z.string().describe("The query that returns all of them"),
  })
    .optional()
    .describe("The first of the rows that the answer's sums and counts are made from"),
});
export type TableOfSource = z.output<typeof TableOfSource>;

/** A passage of a document or of a page of the web, or rows, that a reply is made from. */
export const Source = z.object({
  index: z.number().int().describe("The number by which the reply cites it, from 1"),
  documentId: z.string().describe("Of a page of the web: its address"),
  fileName: z.string(),
  pageNumber: PageNumber.nullable().describe(
    "The page or slide of its start; null where the file does not state it: see `place`",
  ),
  place: Place.optional().describe("Absent for a page of the web, and in older replies"),
  chunkIndex: z.number().int(),
  score: z.number(),
  content: z.string(),
  kind: z
    .enum(["document", "web", "table"])
    .optional()
    .describe("Absent in older replies: a page of the web has a `url`"),
  table: TableOfSource.optional().describe("Of a table: the query and its rows"),
  url: z.string().optional().describe("Of a page of the web. Absent: a document"),
  fetchedAt: z.string().optional().describe("When the page had these words"),
});
export type Source = z.output<typeof Source>;

/** Why a search for a reply found nothing, and what is nearest. */
export const NotFound = z.object({
  reason: NotFoundReason,
  waiting: z
    .array(z.string())
    .describe("Names of documents that are not processed yet, or failed; a few of them"),
  waitingCount: z.number().int().describe("How many these are"),
  unavailable: z
    .number()
    .int()
    .describe(
      "How many of the documents that the agent or the conversation names do not exist, or are not shared",
    ),
  nearest: z
    .array(Source.omit({ index: true }))
    .describe("Passages below the threshold, which the reply is not made from"),
});
export type NotFound = z.output<typeof NotFound>;

export const StoredSource = Source.extend({
  cited: z.boolean().describe("Whether the reply cites it"),
});
export type StoredSource = z.output<typeof StoredSource>;

/** Says in English why nothing was found. */
export function describeNotFound({
  reason,
  waiting,
  waitingCount,
  unavailable,
}: NotFound): string {
  const names = waiting.map((name) => `“${name}”`).join(", ");
  const more = waitingCount - waiting.length;
  const listed = more > 0 ? `${names} and ${more} more` : names;
  const sentences = {
    below_threshold: "No passage of the documents is near enough to the question.",
    not_processed: `The documents have not been processed yet, or could not be read: ${listed}.`,
    not_available:
      "The documents to answer from are not shared with the user, or do not exist.",
    no_documents: "There are no documents that the user may search.",
  };
  const others = [
    reason === "below_threshold" &&
      waitingCount > 0 &&
      `Not searched, because not processed: ${listed}.`,
    reason !== "not_available" &&
      unavailable > 0 &&
      `Not searched, because not shared with the user, or gone: ${unavailable} of the documents to answer from.`,
  ];
  return [sentences[reason], ...others.filter(Boolean)].join(" ");
}
