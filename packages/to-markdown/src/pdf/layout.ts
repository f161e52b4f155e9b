import type { Box } from "./geometry.ts";
import type { Style, TaggedCell } from "./page-content.ts";

/** Adjacent characters of one style. */
export interface Word extends Box {
  text: string;
  baseline: number;
  size: number;
  style: Style;
  /** Whether no space separates it from the word before it in the line. */
  glued: boolean;
  /** Small and above or below the baseline: a footnote mark, an exponent or an index. */
  script: boolean;
  /** Whether the file has a space character before it. */
  spaced: boolean;
  /** Whether a new piece of text begins with it in the file: after a jump, or without a space. */
  begins: boolean;
  target?: string;
  /** Its table cell by the tags of the file. */
  cell?: TaggedCell;
}

/** Words of one line that belong together, from left to right: a line of a column or of a cell. */
export interface Segment extends Box {
  words: Word[];
  baseline: number;
  /** The font size of most of its characters. */
  size: number;
}

/** A table as rows of cells, with its place on the page. */
export interface Table extends Box {
  rows: string[][];
  /** Whether the first row is a header. */
  headed: boolean;
  /** The left edge of each column. */
  columns: number[];
  /** The upper edge of each row and the lower one of the last, where they are drawn. */
  heights?: number[];
}

/** A chart with its labels and numbers, in no order of reading. */
export interface Figure extends Box {
  lines: Segment[];
}

/** A part of a page that is read as a whole: lines from top to bottom, a table or a figure. */
export type Region = { lines: Segment[] } | { table: Table } | { figure: Figure };

/** A block of the finished document. */
export type Block =
  | { kind: "paragraph"; lines: Segment[] }
  | { kind: "heading"; lines: Segment[]; level: number }
  | { kind: "item"; lines: Segment[]; depth: number; marker: string }
  | { kind: "code"; lines: Segment[] }
  | { kind: "note"; lines: Segment[]; label: string }
  | { kind: "figure"; lines: Segment[] }
  | { kind: "table"; table: Table };

/** Whether points lead from a title to its page, as in a table of contents. */
export const hasLeaders = (text: string): boolean => /\.{4,}|(\. ){4,}/.test(text);

/** Whether a line ends with the page of a title, or with the points that lead to it. */
export const endsEntry = (text: string): boolean =>
  /(?:(?<!\.)\.{4,}|(?<!\. )(?:\. ){4,}\.?)\s*(?:\d{1,4}|[ivxlc]{1,8})?$/i.test(text);

/** The plain text of a segment. */
export function textOf(segment: Segment): string {
  let text = "";
  for (const word of segment.words)
    text += text === "" || word.glued ? word.text : ` ${word.text}`;
  return text;
}
