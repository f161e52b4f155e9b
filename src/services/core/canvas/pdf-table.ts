import type { Run, Table } from "./blocks.ts";
import { makeRoom, type Pdf, SIZE, widthFrom } from "./pdf-page.ts";
import { type Area, fontOf, write } from "./pdf-text.ts";
import { plain } from "./to-text.ts";

const CELL_PADDING = 4;
/** The widths of a column, in characters. */
const [MIN_COLUMN, MAX_COLUMN] = [8, 60];

/**
 * Draws a table. Columns are as wide as their content needs, cells wrap, and a row that does not
 * fit starts the next page.
 */
export function drawTable(pdf: Pdf, { header, rows, align }: Table, left: number): void {
  const bold = (runs: readonly Run[]) =>
    runs.map((run) => ({ ...run, bold: true as const }));
  const all = [header.map(bold), ...rows];
  const widths = columnWidths(all, header.length, widthFrom(pdf, left));
  pdf.fontSize(SIZE - 1);
  for (const cells of all) {
    const heights = cells.map((cell, column) =>
      heightOf(pdf, cell, innerWidth(widths[column])),
    );
    const height = Math.max(...heights) + 2 * CELL_PADDING;
    makeRoom(pdf, height);
    const top = pdf.y;
    let x = left;
    cells.forEach((cell, column) => {
      const width = widths[column] ?? 0;
      pdf.rect(x, top, width, height).strokeColor("#bbbbbb").stroke();
      pdf.y = top + CELL_PADDING;
      const area = { left: x + CELL_PADDING, width: innerWidth(width) };
      writeCell(pdf, cell, area, align[column] ?? "left");
      x += width;
    });
    pdf.y = top + height;
  }
  pdf.fontSize(SIZE).font("text").moveDown(0.6);
}

function innerWidth(width = 0): number {
  return Math.max(1, width - 2 * CELL_PADDING);
}

function columnWidths(rows: readonly Run[][][], columns: number, width: number): number[] {
  const wanted = Array.from({ length: columns }, (_, column) =>
    rows.reduce(
      (most, cells) => Math.max(most, longestLine(cells[column] ?? [])),
      MIN_COLUMN,
    ),
  );
  const sum = wanted.reduce((total, characters) => total + characters, 0);
  return wanted.map((characters) => (characters / sum) * width);
}

function longestLine(runs: readonly Run[]): number {
  const lengths = plain(runs)
    .split("\n")
    .map(({ length }) => length);
  return Math.min(MAX_COLUMN, Math.max(...lengths));
}

/** Measures with the widest font of the cell, so that no text leaves its row. */
function heightOf(pdf: Pdf, runs: readonly Run[], width: number): number {
  const text = plain(runs) || " ";
  const fonts = new Set(["bold", ...runs.map(fontOf)]);
  return Math.max(
    ...[...fonts].map((font) => pdf.font(font).heightOfString(text, { width })),
  );
}

/** Text that fits in a line follows the alignment of its column; longer text starts at the left. */
function writeCell(
  pdf: Pdf,
  runs: readonly Run[],
  { left, width }: Area,
  align: "left" | "center" | "right",
): void {
  const used = runs.reduce(
    (sum, run) => sum + pdf.font(fontOf(run)).widthOfString(run.text),
    0,
  );
  const isLine = used < width && !plain(runs).includes("\n");
  const free = isLine ? width - used : 0;
  const offset = align === "right" ? free : align === "center" ? free / 2 : 0;
  // a width of exactly its text would wrap
  write(pdf, runs, { left: left + offset, width: width - offset + (offset > 0 ? 1 : 0) });
}
