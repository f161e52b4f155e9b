import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";

/**
 * What a backend reads in a file. Its tables are JSON from where they were read: to copy or write
 * millions of cells in the server's own process would hold up the event loop.
 */
export interface ReadFile extends Omit<ParsedFile, "tables" | "attachments"> {
  /** A JSON array of `ParsedTable`. */
  tables?: string;
}

export function encodeTables({ tables, attachments: _, ...file }: ParsedFile): ReadFile {
  return { ...file, ...(tables && { tables: JSON.stringify(tables) }) };
}
