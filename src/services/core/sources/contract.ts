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
