import type { Cell } from "./blocks.ts";
import { tooComplex } from "./refuse-file.ts";
import { plainMarkdown, writeInline } from "./write-inline.ts";

export const MAX_COLUMNS = 500;
const MAX_CELLS = 3_000_000;
/**
 * The text of a merged cell is repeated in each place that it covers, if it is at most this long,
 * so that each row can be read by itself.
 */
const MAX_REPEATED_CHARACTERS = 80;
const MAX_REPEATED = 30;

/**
 * The texts of a table's cells in rows of equal length, without merged cells.
 * @throws FileError `too_complex`.
 */
export function layOut(rows: readonly Cell[][]): string[][] {
  const grid: string[][] = [];
  /** For each column, the cell above that covers it, and for how many more rows */
  const covered: ({ rows: number; text: string } | undefined)[] = [];
  let cellCount = 0;
  for (const [index, cells] of rows.entries()) {
    const row: string[] = [];
    const skip = () => {
      for (
        let above = covered[row.length];
        above && above.rows > 0;
        above = covered[row.length]
      ) {
        above.rows -= 1;
        row.push(above.text);
      }
    };
    for (const cell of cells) {
      skip();
      if (row.length >= MAX_COLUMNS) break;
      const text = cellText(cellMarkdown(cell));
      const columns = Math.max(1, Math.min(cell.columns, MAX_COLUMNS - row.length));
      const below = Math.max(1, Math.min(cell.rows, rows.length - index)) - 1;
      const label =
        text.length <= MAX_REPEATED_CHARACTERS && columns <= MAX_REPEATED ? text : "";
      const labelBelow = below < MAX_REPEATED ? label : "";
      for (let step = 0; step < columns; step += 1) {
        if (below > 0 || covered[row.length])
          covered[row.length] = { rows: below, text: labelBelow };
        row.push(step === 0 ? text : label);
      }
    }
    skip();
    cellCount += row.length;
    if (cellCount > MAX_CELLS) throw tooComplex(`a table has more than ${MAX_CELLS} cells`);
    // a row whose cells all continue below has no content of its own
    if (
      cells.length === 0 ||
      cells.some((cell) => cell.rows <= 1 && (cell.text ?? cell.blocks.length)) ||
      index === rows.length - 1 ||
      cells.every((cell) => cell.rows <= 1)
    )
      grid.push(row);
  }
  return trimmed(grid);
}

/** Removes empty rows and columns, and makes all rows equally long. */
function trimmed(grid: string[][]): string[][] {
  const rows = grid.filter((row) => row.some((cell) => cell !== ""));
  const used: boolean[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) if (cell !== "") used[column] = true;
  const columns = [...used.keys()].filter((column) => used[column]);
  return rows.map((row) => columns.map((column) => row[column] ?? ""));
}

/** Writes rows of escaped texts as a pipe table. */
export function pipeTable(grid: readonly (readonly string[])[], width: number): string {
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? "").join(" | ")} |`;
  const [head = [], ...body] = grid;
  return [line(head), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n");
}

/** The text of a cell of a pipe table. */
export function cellText(text: string): string {
  return text
    .trim()
    .replaceAll("|", "\\|")
    .replace(/\s*\n+\s*/g, "<br>");
}

function cellMarkdown(cell: Cell): string {
  if (cell.text !== undefined) return plainMarkdown(cell.text);
  const parts = cell.blocks.map((block) => {
    if (block.kind === "table")
      return block.rows
        .map((row) => row.map(cellMarkdown).filter(Boolean).join(" "))
        .join("\n");
    if (block.kind === "code") return writeInline([{ text: block.text, code: true }]);
    if (block.kind === "paragraph")
      return (block.marker ? `${block.marker} ` : "") + writeInline(block.runs, "\n");
    return block.kind === "heading"
      ? writeInline(block.runs.map((run) => ({ ...run, bold: true })))
      : "";
  });
  return parts.filter(Boolean).join("\n");
}

/**
 * Whether a table only arranges its content: it has a single cell, or blocks that cells of a pipe
 * table cannot contain.
 */
export function isLayout(rows: readonly Cell[][]): boolean {
  const widest = Math.max(0, ...rows.map((row) => row.length));
  if (widest <= 1 && rows.length <= 1) return true;
  return (
    widest <= 2 &&
    rows.length === 1 &&
    rows.some((row) =>
      row.some(({ blocks }) =>
        blocks.some(({ kind }) => kind === "table" || kind === "code"),
      ),
    )
  );
}
