import {
  layoutName,
  MAX_LAYOUT_LINES,
  MAX_LAYOUT_NAMES,
  type TextLayout,
} from "../parsed-file.ts";
import { type Block, textOf } from "./blocks.ts";
import type { OnBlock } from "./write-markdown.ts";

type Lines = NonNullable<TextLayout["lines"]>;

interface Places {
  onBlock: OnBlock;
  /** @returns the layout of a text with so many parts. */
  finish(parts: number): TextLayout;
}

/** Collects where the rows of sheets, and of tables over several pages, stand in the text. */
export function collectPlaces(kind: TextLayout["kind"]): Places {
  const lines: Lines = [];
  const add = (part: number, line: number, number: number) => {
    if (lines.length > MAX_LAYOUT_LINES) return;
    // from here on nothing is known
    lines.push([part, line, lines.length === MAX_LAYOUT_LINES ? 0 : number]);
  };
  const addRow = (part: number, line: number, row: number) => {
    const last = lines.at(-1);
    // a part begins without rows
    const isKnown = row === 0 && (last?.[0] !== part || last[2] === 0);
    if (!isKnown) add(part, line, row);
  };
  return {
    onBlock(block, { part, line, text }) {
      if (kind === "sheets")
        addRows(block, text, (at, row) => addRow(part, line + at, row));
      else if (kind === "pages" && block.kind === "table" && block.pagesOn)
        addPages(block.pagesOn, text, (at, pages) =>
          add(part, line + at, pages === undefined ? 0 : part + pages),
        );
    },
    finish: (parts) => ({ kind, parts, ...(lines.length > 0 && { lines }) }),
  };
}

/** The names of parts: the first heading of each. */
export function namesOfParts(blocks: readonly Block[]): string[] {
  const names = [""];
  for (const block of blocks) {
    if (block.kind === "page") {
      if (names.length >= MAX_LAYOUT_NAMES) break;
      names.push("");
    } else if (block.kind === "heading" && names.at(-1) === "")
      names[names.length - 1] = layoutName(textOf(block.runs));
  }
  return names;
}

/** @param add takes a line of the block, from 0, and its row; 0 for a line that is no row. */
function addRows(
  block: Parameters<OnBlock>[0],
  text: string,
  add: (line: number, row: number) => void,
): void {
  const lines = text.split("\n").length;
  if (block.kind === "paragraph" && block.sheetRow !== undefined)
    for (let line = 0; line < lines; line += 1) add(line, block.sheetRow);
  else if (block.kind === "records") addSuccessive(block.numbers(), add);
  else if (block.kind === "table" && block.sheetRows?.length === lines - 1)
    addSuccessive(block.sheetRows, add);
  else return add(0, 0);
  add(lines, 0);
}

/** Adds the rows of a pipe table, whose second line is no row. */
function addSuccessive(
  rows: Iterable<number>,
  add: (line: number, row: number) => void,
): void {
  let line = 0;
  let before = NaN;
  for (const row of rows) {
    if (row !== before + 1 || line === 2) add(line, row);
    if (line === 0) add(1, 0);
    line += line === 0 ? 2 : 1;
    before = row;
  }
}

/** Adds the rows of a table that are on a later page than the row above. */
function addPages(
  pagesOn: readonly number[],
  text: string,
  add: (line: number, pages: number | undefined) => void,
): void {
  const isWhole = pagesOn.length === text.split("\n").length - 1;
  let before = 0;
  for (const [row, pages] of pagesOn.entries()) {
    if (pages !== before) add(row === 0 ? 0 : row + 1, isWhole ? pages : undefined);
    before = pages;
  }
}
