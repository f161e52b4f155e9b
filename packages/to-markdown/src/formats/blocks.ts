/**
 * What readers of formats give to the one writer of markdown: a flat list of blocks, nested only in
 * the cells of tables.
 */

/** A stretch of text in one style. "\n" is a forced line break. */
export interface Run {
  text: string;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  strike?: boolean | undefined;
  code?: boolean | undefined;
  href?: string | undefined;
  /** A picture of this name; the text is what it shows. */
  image?: string | undefined;
  /** Markdown already: written as it stands. */
  raw?: boolean | undefined;
}

export type Block =
  | { kind: "heading"; level: number; runs: Run[] }
  | Paragraph
  | { kind: "code"; text: string; language?: string | undefined; depth: number; quote: number }
  | Table
  | { kind: "rule" }
  | { kind: "page" };

export interface Paragraph {
  kind: "paragraph";
  runs: Run[];
  /**
   * How many lists it stands in: with a marker it is an item of the innermost, without it goes on
   * an item.
   */
  depth: number;
  /** `-`, or a number with its dot. */
  marker?: string | undefined;
  /** How many quotations it stands in. */
  quote: number;
}

export interface Table {
  kind: "table";
  rows: Cell[][];
  depth: number;
  quote: number;
}

export interface Cell {
  /**
   * What stands in it where that is plain text: sheets have many cells. Then there are no blocks.
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

/** Superscript that can be written is: 10⁶ is not 106. Words stay as they are. */
export function raised(text: string): string {
  return /^[\d+\-−ni]{1,8}$/.test(text)
    ? [...text].map((character) => RAISED[character] ?? character).join("")
    : text;
}

const NONE: Block[] = [];

/** A cell in which nothing but text stands. */
export function textCell(text: string): Cell {
  return { text, blocks: NONE, columns: 1, rows: 1 };
}
