import type { Formula } from "./formula.ts";

/** A document whose Markdown is known before it is printed. */
export interface SourceDocument {
  name: string;
  kind: Kind;
  language: Language;
  blocks: SourceBlock[];
  look: Look;
}

export const KINDS = [
  "ruled-tables",
  "open-tables",
  "coloured-tables",
  "spanned-tables",
  "long-tables",
  "many-tables",
  "framed-page",
  "headings",
  "numbered-headings",
  "long-headings",
  "lists",
  "parallel-lists",
  "notes",
  "columns",
  "captions",
  "formulas",
  "nested-tables",
  "forms",
  "right-to-left",
  "wide-characters",
] as const;
export type Kind = (typeof KINDS)[number];

export type Language = "en" | "de" | "fr" | "ru" | "ar" | "he" | "zh" | "ja";

export type SourceBlock =
  | { type: "title"; text: string }
  /** Level 2 is the first below the title. */
  | { type: "heading"; level: number; number?: string; text: string }
  | { type: "paragraph"; text: string }
  | { type: "caption"; text: string }
  /** Within the text before and after it, or on lines of its own. */
  | { type: "formula"; formula: Formula; within?: { before: string; after: string } }
  | { type: "list"; ordered: boolean; items: SourceItem[] }
  | { type: "table"; table: SourceTable }
  | { type: "columns"; columns: SourceBlock[][]; flowing: boolean }
  | { type: "fields"; fields: { label: string; value: string }[] }
  | { type: "notes"; notes: string[] };

export interface SourceItem {
  text: string;
  items: string[];
}

export interface SourceTable {
  /** The number of header rows. */
  headRows: number;
  columns: number;
  rows: SourceCell[][];
  look: TableLook;
  /** For each column, whether it contains numbers, which are aligned right. */
  numbers: boolean[];
}

export interface SourceCell {
  text: string;
  /** The numbers of columns and rows that it spans; cells that another cell covers are left out. */
  across: number;
  down: number;
  /** A table below the text of the cell. */
  table?: SourceTable;
}

export type TableLook =
  | "grid"
  | "levels"
  | "book"
  | "uprights"
  | "frame"
  | "zebra"
  | "head-fill"
  | "blocks"
  | "heat"
  | "white-grid"
  | "dashed"
  | "none";

/** The typography of a document. */
export interface Look {
  font: string;
  size: number;
  leading: number;
  paper: "a4" | "letter" | "a5";
  margin: number;
  justified: boolean;
  /** The sizes of the title and the three levels of headings, in body sizes. */
  headingSizes: [number, number, number, number];
  headingBold: boolean;
  headingColour: string;
  headingStyle: "plain" | "centred" | "underlined" | "band" | "italic";
  accent: string;
  pale: string;
  tagged: boolean;
  framed: boolean;
  running: boolean;
  cellPadding: number;
}
