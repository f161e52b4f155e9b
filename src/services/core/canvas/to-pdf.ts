import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Block, TextRun, Table } from "./blocks.ts";
import {
  monospaced,
  write,
  type Area,
  fontOf,
  type FontState,
  makeRoom,
  MARGIN,
  type Pdf,
  SIZE,
  widthFrom,
} from "./pdf-text.ts";
import { substituteGlyphs } from "./substitute-glyphs.ts";
import { plain } from "./to-text.ts";

const FONTS = {
  text: "Regular",
  bold: "Bold",
  italic: "RegularItalic",
  "bold-italic": "BoldItalic",
} as const;
const SIZES = [22, 18, 15, 13, 12, 11];
/**
 * Longer words may be broken, because pdfkit measures a word that does not fit once for each
 * letter.
 */
const MAX_WORD = 60;

/** A4 pages with an embedded font, streamed as they are made. */
export async function toPdf(title: string, blocks: readonly Block[]): Promise<Uint8Array> {
  // loaded with the first export: most servers never need it
  const { default: PDFDocument } = await import("pdfkit");
  const pdf = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    info: { Title: title, Creator: "Parlance" },
    lang: "und",
  });
  for (const [name, file] of Object.entries(FONTS))
    pdf.registerFont(
      name,
      fileURLToPath(
        import.meta.resolve(`roboto-fontface/fonts/roboto/Roboto-${file}.woff`),
      ),
    );
  pdf.font("text").fontSize(SIZE);
  const { font } = (pdf as unknown as FontState)._font;
  const has = (codePoint: number) => font.hasGlyphForCodePoint(codePoint);
  for (const one of printableBlocks(blocks, has)) draw(pdf, one, 0);
  pdf.end();
  return buffer(pdf as unknown as Readable); // pdfkit's documents are streams of buffers
}

type HasGlyph = (codePoint: number) => boolean;

/** Replaces characters that the fonts lack, and breaks words that are longer than a line. */
function printableBlocks(blocks: readonly Block[], has: HasGlyph): Block[] {
  const text = (given: string) => breakWords(substituteGlyphs(given, has));
  const runs = (given: readonly TextRun[]) =>
    given.map((run) => ({ ...run, text: text(run.text) }));
  const inner = (given: readonly Block[]) => printableBlocks(given, has);
  return blocks.map((block): Block => {
    switch (block.kind) {
      case "heading":
      case "paragraph":
        return { ...block, runs: runs(block.runs) };
      case "list":
        return {
          ...block,
          items: block.items.map((item) => ({ ...item, blocks: inner(item.blocks) })),
        };
      case "table":
        return {
          ...block,
          header: block.header.map(runs),
          rows: block.rows.map((cells) => cells.map(runs)),
        };
      case "code":
        return { ...block, text: text(block.text) };
      case "quote":
        return { ...block, blocks: inner(block.blocks) };
      case "rule":
        return block;
    }
  });
}

function breakWords(text: string): string {
  return text.replace(new RegExp(`\\S{${MAX_WORD}}(?=\\S)`, "gu"), "$&\u200b");
}

function draw(pdf: Pdf, one: Block, indent: number): void {
  const left = MARGIN + indent;
  switch (one.kind) {
    case "heading":
      pdf.moveDown(0.4).fontSize(SIZES[one.depth - 1] ?? SIZE);
      write(
        pdf,
        one.runs.map((run) => ({ ...run, bold: true as const })),
        { left, width: widthFrom(pdf, left) },
      );
      pdf.fontSize(SIZE).moveDown(0.3);
      break;
    case "paragraph":
      write(pdf, one.runs, { left, width: widthFrom(pdf, left) });
      pdf.moveDown(0.5);
      break;
    case "list":
      one.items.forEach(({ checked, blocks }, index) => {
        const mark = toMark(one, checked, index);
        makeRoom(pdf, SIZE * 2);
        const top = pdf.y;
        pdf.font("text").text(mark, left, top, { lineBreak: false });
        pdf.y = top;
        for (const inside of blocks) draw(pdf, inside, indent + 24);
        if (blocks.length === 0) pdf.moveDown(1);
      });
      break;
    case "table":
      drawTable(pdf, one, left);
      break;
    case "code":
      pdf.fontSize(SIZE - 2);
      for (const line of one.text.split("\n"))
        pdf.font(monospaced(line)).text(line.replaceAll("\t", "    ") || " ", left, pdf.y, {
          width: widthFrom(pdf, left),
        });
      pdf.fontSize(SIZE).font("text").moveDown(0.5);
      break;
    case "quote":
      pdf.fillColor("#555555");
      for (const inside of one.blocks) draw(pdf, inside, indent + 20);
      pdf.fillColor("black");
      break;
    case "rule":
      pdf
        .moveTo(left, pdf.y)
        .lineTo(pdf.page.width - MARGIN, pdf.y)
        .strokeColor("#bbbbbb")
        .stroke();
      pdf.moveDown(0.5);
      break;
  }
}

function toMark(
  { ordered, start }: Extract<Block, { kind: "list" }>,
  checked: boolean | undefined,
  index: number,
): string {
  if (checked !== undefined) return checked ? "[x]" : "[ ]";
  return ordered ? `${start + index}.` : "•";
}

const CELL_PADDING = 4;
/** The widths of a column, in characters. */
const [MIN_COLUMN, MAX_COLUMN] = [8, 60];

/**
 * Draws a table. Columns are as wide as their content needs, cells wrap, and a row that does not
 * fit starts the next page.
 */
function drawTable(pdf: Pdf, { header, rows, align }: Table, left: number): void {
  const bold = (runs: readonly TextRun[]) =>
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

function columnWidths(
  rows: readonly TextRun[][][],
  columns: number,
  width: number,
): number[] {
  const wanted = Array.from({ length: columns }, (_, column) =>
    rows.reduce(
      (most, cells) => Math.max(most, longestLine(cells[column] ?? [])),
      MIN_COLUMN,
    ),
  );
  const sum = wanted.reduce((total, characters) => total + characters, 0);
  return wanted.map((characters) => (characters / sum) * width);
}

function longestLine(runs: readonly TextRun[]): number {
  const lengths = plain(runs)
    .split("\n")
    .map(({ length }) => length);
  return Math.min(MAX_COLUMN, Math.max(...lengths));
}

/** Measures with the widest font of the cell, so that no text leaves its row. */
function heightOf(pdf: Pdf, runs: readonly TextRun[], width: number): number {
  const text = plain(runs) || " ";
  const fonts = new Set(["bold", ...runs.map(fontOf)]);
  return Math.max(
    ...[...fonts].map((font) => pdf.font(font).heightOfString(text, { width })),
  );
}

/** Text that fits in a line follows the alignment of its column; longer text starts at the left. */
function writeCell(
  pdf: Pdf,
  runs: readonly TextRun[],
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
