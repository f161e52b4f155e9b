import type { Box } from "./geometry.ts";
import type { Style, TaggedCell } from "./page-content.ts";

/** Characters of one style that stand together. */
export interface Word extends Box {
  text: string;
  baseline: number;
  size: number;
  style: Style;
  /** Whether it stands against the word before it in the line, without a space. */
  glued: boolean;
  /** Set small above the line: a mark that points to a note, an exponent. */
  raised: boolean;
  /** Whether the file itself has a space before it. */
  spaced: boolean;
  /** Whether the file begins a piece of text with it: after a jump, or without a space. */
  begins: boolean;
  target?: string;
  /** The cell that its author put it into, in a tagged file. */
  cell?: TaggedCell;
}

/**
 * Words of one line that belong together: a line of a column, a cell's line. From left to right.
 */
export interface Segment extends Box {
  words: Word[];
  baseline: number;
  /** The type size of most of its characters. */
  size: number;
}

/** A table as rows of cells, with the place that it takes. */
export interface Table extends Box {
  rows: string[][];
  /** Whether the first row names the columns. */
  headed: boolean;
  /** Left edge of each column. */
  columns: number[];
}

/** A part of a page that is read as one, lines from top to bottom; or a table. */
export type Region = { lines: Segment[] } | { table: Table };

/** A block of the finished document. */
export type Block =
  | { kind: "paragraph"; lines: Segment[] }
  | { kind: "heading"; lines: Segment[]; level: number }
  | { kind: "item"; lines: Segment[]; depth: number; marker: string }
  | { kind: "code"; lines: Segment[] }
  | { kind: "note"; lines: Segment[]; label: string }
  | { kind: "table"; table: Table };

/** The plain text of a segment. */
export function textOf(segment: Segment): string {
  let text = "";
  for (const word of segment.words)
    text += text === "" || word.glued ? word.text : ` ${word.text}`;
  return text;
}
