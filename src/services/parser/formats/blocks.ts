/** What readers of formats give to the one writer of markdown: a flat list of blocks, nested only in the cells of tables. */

/** A stretch of text in one style. "\n" is a forced line break. */
export interface Run {
  text: string;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  strike?: boolean | undefined;
  code?: boolean | undefined;
  href?: string | undefined;
  /** Markdown already: written as it stands. */
  raw?: boolean | undefined;
}

export type Block =
  | { kind: "heading"; level: number; runs: Run[] }
  | Paragraph
  | { kind: "code"; text: string; language?: string | undefined; depth: number; quote: number }
  | { kind: "table"; rows: Cell[][]; depth: number; quote: number }
  | { kind: "rule" }
  | { kind: "page" };

export interface Paragraph {
  kind: "paragraph";
  runs: Run[];
  /** How many lists it stands in: with a marker it is an item of the innermost, without it goes on an item. */
  depth: number;
  /** `-`, or a number with its dot. */
  marker?: string | undefined;
  /** How many quotations it stands in. */
  quote: number;
}

export interface Cell {
  blocks: Block[];
  columns: number;
  rows: number;
  header?: boolean;
}

export function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join("");
}
