import type { Records } from "./blocks.ts";
import { cellText, MAX_COLUMNS } from "./lay-out-table.ts";
import { tooComplex } from "./refuse-file.ts";
import { plainMarkdown } from "./write-inline.ts";

/** Joined lines take less memory than single ones. */
const LINES_PER_BLOCK = 100;
const NEEDS_ESCAPE = /[^\p{L}\p{N} .,:;+%()/-]|  /u;

/**
 * Writes a table of plain text as a pipe table, row by row. Leaves out empty rows and columns.
 * @throws FileError `too_complex` beyond a number of characters.
 */
export function writeRecords({ rows }: Records, maxCharacters: number): string {
  const columns = usedColumns(rows());
  const blocks: string[] = [];
  let lines: string[] = [];
  let characters = 0;
  for (const cells of rows()) {
    if (cells.every((cell) => cell === "")) continue;
    lines.push(toLine(columns, cells));
    if (characters === 0) lines.push(`|${" --- |".repeat(columns.length)}`);
    characters += lines.at(-1)?.length ?? 0;
    if (characters > maxCharacters)
      throw tooComplex(`it holds more than ${maxCharacters} characters`);
    if (lines.length < LINES_PER_BLOCK) continue;
    blocks.push(lines.join("\n"));
    lines = [];
  }
  return [...blocks, ...lines].join("\n");
}

function toLine(columns: readonly number[], cells: readonly string[]): string {
  let line = "|";
  for (const column of columns) line += ` ${toCell(cells[column] ?? "")} |`;
  return line;
}

function toCell(text: string): string {
  return NEEDS_ESCAPE.test(text) ? cellText(plainMarkdown(text)) : text;
}

/** Returns the table as rows of equal length. */
export function layOutRecords({ rows }: Records): string[][] {
  const columns = usedColumns(rows());
  const grid: string[][] = [];
  for (const cells of rows())
    if (cells.some((cell) => cell !== ""))
      grid.push(columns.map((column) => toCell(cells[column] ?? "")));
  return grid;
}

function usedColumns(rows: Iterable<readonly string[]>): number[] {
  const used: boolean[] = [];
  for (const cells of rows)
    for (const [column, cell] of cells.slice(0, MAX_COLUMNS).entries())
      if (cell !== "") used[column] = true;
  return [...used.keys()].filter((column) => used[column]);
}
