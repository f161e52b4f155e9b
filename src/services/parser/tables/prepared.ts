/** The tables of a file, as they are kept for queries. */

export interface Column {
  name: string;
  /** As DuckDB names it: VARCHAR, BIGINT, DECIMAL(18,2), DATE … */
  type: string;
}

export interface PreparedTable {
  /** Its name in the database of the file. */
  id: string;
  /** Of a workbook; else empty. */
  sheet: string;
  rows: number;
  columns: Column[];
  /** The first rows. */
  sample: (string | null)[][];
  notes: string[];
}

export const MAX_TABLES = 50;
export const MAX_COLUMNS = 500;
/** Of the file, in the worker's folder. */
export const INPUT = "input";
/** Of the database that is made of it. */
export const OUTPUT = "tables.duckdb";
