/**
 * The output of the formats' readers and the input of the Markdown writer: a list of blocks, nested
 * only in the cells of tables.
 */

/** A piece of text in one style. "\n" is a forced line break. */
export interface Run {
  text: string;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  strike?: boolean | undefined;
  code?: boolean | undefined;
  href?: string | undefined;
  /** The name of an image; the text describes it. */
  image?: string | undefined;
  /** Whether the text is Markdown already, to be written without escapes. */
  raw?: boolean | undefined;
}

export type Block =
  | { kind: "heading"; level: number; runs: Run[] }
  | Paragraph
  | {
      kind: "code";
      text: string;
      language?: string | undefined;
      depth: number;
      quote: number;
    }
  | Table
  | Records
  | { kind: "rule" }
  | { kind: "page" };

export interface Paragraph {
  kind: "paragraph";
  runs: Run[];
  /**
   * The number of lists that contain it. With a marker it is an item of the innermost list; without
   * one it continues an item.
   */
  depth: number;
  /** `-`, or a number and a dot. */
  marker?: string | undefined;
  /** The number of quotations that contain it. */
  quote: number;
  /** The row of a sheet that it is, from 1. */
  sheetRow?: number | undefined;
}

export interface Table {
  kind: "table";
  rows: Cell[][];
  depth: number;
  quote: number;
  /** For each row, which row of a sheet it is, from 1. */
  sheetRows?: readonly number[] | undefined;
  /** For each row, on how many pages after that of the table it begins. */
  pagesOn?: readonly number[] | undefined;
}

/**
 * A table of plain text. Its rows are produced again for each reading, because those of a large
 * table do not fit into memory.
 */
export interface Records {
  kind: "records";
  rows(): Iterable<readonly string[]>;
  /** The number of each of its rows in the file, from 1. */
  numbers(): Iterable<number>;
}

export interface Cell {
  /**
   * The content of a cell with plain text, which then has no blocks. Sheets have many such cells.
   */
  text?: string;
  blocks: Block[];
  columns: number;
  rows: number;
}

export function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join("");
}

export function paragraph(runs: Run[], rest: Partial<Paragraph> = {}): Paragraph {
  return { kind: "paragraph", runs, depth: 0, quote: 0, ...rest };
}

const RAISED: Record<string, string> = {
  0: "⁰",
  1: "¹",
  2: "²",
  3: "³",
  4: "⁴",
  5: "⁵",
  6: "⁶",
  7: "⁷",
  8: "⁸",
  9: "⁹",
  "+": "⁺",
  "-": "⁻",
  "−": "⁻",
  n: "ⁿ",
  i: "ⁱ",
};

/** Writes numbers as superscript characters, because 10⁶ is not 106. Keeps words. */
export function raised(text: string): string {
  return /^[\d+\-−ni]{1,8}$/.test(text)
    ? [...text].map((character) => RAISED[character] ?? character).join("")
    : text;
}

const NONE: Block[] = [];

/** Returns a cell of plain text. */
export function textCell(text: string): Cell {
  return { text, blocks: NONE, columns: 1, rows: 1 };
}
