import { z } from "zod";
import { route } from "../../../platform/http/route.ts";

/** Tables of documents, and questions about them in SQL. For other services alone. */

/** The media types of files that are tables. JSON is one where each line is a record. */
export const TABLE_TYPES = {
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.apache.parquet": "parquet",
} as const;
const JSON_TYPE = "application/json";
/** How the names of files end whose lines are records. */
const JSON_LINES = /\.(?:jsonl|ndjson)$/i;

export type TableKind = (typeof TABLE_TYPES)[keyof typeof TABLE_TYPES] | "jsonl";

/** How the tables of a file are read; undefined for a file that is no table. */
export function tableKind(mimeType: string, fileName: string): TableKind | undefined {
  if (mimeType === JSON_TYPE) return JSON_LINES.test(fileName) ? "jsonl" : undefined;
  return Object.entries(TABLE_TYPES).find(([type]) => type === mimeType)?.[1];
}

/** The most documents whose tables one query may read. */
export const MAX_TABLE_DOCUMENTS = 20;
export const MAX_SQL_CHARACTERS = 20_000;
/** Rows that one query returns at most. */
const MAX_QUERY_ROWS = 10_000;

/** A document whose bytes the parser reads for a user who may see it. */
export const TableDocument = z.object({
  id: z.uuid(),
  fileName: z.string().max(300),
  mimeType: z.string().max(200),
  sha256: z.hash("sha256").max(64),
});
export type TableDocument = z.output<typeof TableDocument>;

const Column = z.object({ name: z.string(), type: z.string() });
const TableRows = z.array(z.array(z.string().nullable()));

export const DescribedTable = z.object({
  name: z.string().describe("As queries name it, between double quotes"),
  documentId: z.string(),
  fileName: z.string(),
  sheet: z.string().describe("Of a workbook; else empty"),
  rows: z.number().int(),
  columns: z.array(Column),
  sample: TableRows.describe("The first rows"),
  notes: z.array(z.string()),
});
export type DescribedTable = z.output<typeof DescribedTable>;

const Rows = z.object({
  columns: z.array(Column),
  rows: TableRows,
  cut: z.boolean().describe("Whether there are more rows"),
});

export const QueriedTable = Rows.extend({
  behind: Rows.extend({
    sql: z.string().describe("The query that returns all of them"),
    total: z.number().int(),
  })
    .optional()
    .describe("The first of the rows that sums, counts and groups are made from"),
  documents: z
    .array(z.object({ id: z.string(), fileName: z.string() }))
    .describe("Those whose tables the query reads"),
});
export type QueriedTable = z.output<typeof QueriedTable>;

const asked = {
  userId: z.string().min(1).max(300).describe("For whom; users take turns"),
  documents: z.array(TableDocument).min(1).max(MAX_TABLE_DOCUMENTS),
};

/** Of an answer as CSV. */
export const MAX_CSV_ROWS = 100_000;
export const MAX_CSV_CHARACTERS = 20_000_000;

export const tablesContract = {
  describeTables: route({
    method: "post",
    path: "/api/v1/parser/tables/describe",
    access: "service-secret",
    changes: "none",
    summary: "List the tables of documents with their columns and first rows",
    body: z.object(asked),
    ok: z.object({
      tables: z.array(DescribedTable),
      unreadable: z.array(
        z.object({ documentId: z.string(), fileName: z.string(), reason: z.string() }),
      ),
    }),
  }),
  queryTables: route({
    method: "post",
    path: "/api/v1/parser/tables/query",
    access: "service-secret",
    changes: "none",
    summary: "Answer one SELECT statement over the tables of documents",
    body: z.object({
      ...asked,
      sql: z.string().min(1).max(MAX_SQL_CHARACTERS),
      maxRows: z.number().int().min(1).max(MAX_QUERY_ROWS),
      maxBehind: z.number().int().min(0).max(MAX_QUERY_ROWS).default(0),
    }),
    ok: QueriedTable,
  }),
  exportTables: route({
    method: "post",
    path: "/api/v1/parser/tables/export",
    access: "service-secret",
    changes: "none",
    summary: "Answer one SELECT statement over the tables of documents as CSV",
    body: z.object({ ...asked, sql: z.string().min(1).max(MAX_SQL_CHARACTERS) }),
    ok: z.object({ csv: z.string() }),
  }),
};
