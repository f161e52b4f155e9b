import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Block, Run } from "./blocks.ts";
import { plain } from "./to-text.ts";

type Pdf = PDFKit.PDFDocument;

const FONTS = {
  text: "Regular",
  bold: "Bold",
  italic: "RegularItalic",
  "bold-italic": "BoldItalic",
} as const;
const SIZES = [22, 18, 15, 13, 12, 11];
const SIZE = 11;
const MARGIN = 64;

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
      fileURLToPath(import.meta.resolve(`roboto-fontface/fonts/roboto/Roboto-${file}.woff`)),
    );
  pdf.font("text").fontSize(SIZE);
  for (const one of blocks) draw(pdf, one, 0);
  pdf.end();
  return buffer(pdf as unknown as Readable); // pdfkit's documents are streams of buffers
}

function draw(pdf: Pdf, one: Block, indent: number): void {
  const left = MARGIN + indent;
  switch (one.kind) {
    case "heading":
      pdf.moveDown(0.4).fontSize(SIZES[one.depth - 1] ?? SIZE);
      write(
        pdf,
        one.runs.map((run) => ({ ...run, bold: true as const })),
        left,
      );
      pdf.fontSize(SIZE).moveDown(0.3);
      break;
    case "paragraph":
      write(pdf, one.runs, left);
      pdf.moveDown(0.5);
      break;
    case "list":
      one.items.forEach(({ checked, blocks }, index) => {
        const mark =
          checked === undefined
            ? one.ordered
              ? `${one.start + index}.`
              : "•"
            : checked
              ? "[x]"
              : "[ ]";
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
        pdf
          .font(monospaced(line))
          .text(line.replaceAll("\t", "    ") || " ", left, pdf.y, { width: widthFrom(pdf, left) });
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

function write(pdf: Pdf, runs: readonly Run[], left: number): void {
  const shown = runs.filter(({ text }) => text !== "");
  pdf.x = left;
  shown.forEach(({ text, bold, italic, strike, code, link }, index) => {
    const font = code
      ? monospaced(text)
      : bold && italic
        ? "bold-italic"
        : bold
          ? "bold"
          : italic
            ? "italic"
            : "text";
    const options = {
      width: widthFrom(pdf, left),
      continued: index < shown.length - 1,
      strike: strike === true,
      underline: link !== undefined,
      link: link ?? null,
    };
    pdf.font(font);
    if (index === 0) pdf.text(text, left, pdf.y, options as PDFKit.Mixins.TextOptions); // `null` ends the link of the run before
    else pdf.text(text, options as PDFKit.Mixins.TextOptions);
  });
  pdf.font("text");
}

/** Cells wrap in columns as wide as their contents ask for; a row that does not fit goes to the next page. */
function drawTable(
  pdf: Pdf,
  { header, rows, align }: Extract<Block, { kind: "table" }>,
  left: number,
): void {
  const all = [header, ...rows].map((cells) => cells.map(plain));
  const wanted = header.map((_, column) =>
    Math.min(60, Math.max(4, ...all.map((cells) => (cells[column] ?? "").length))),
  );
  const sum = wanted.reduce((total, characters) => total + characters, 0);
  const widths = wanted.map((characters) => (characters / sum) * widthFrom(pdf, left));
  all.forEach((cells, index) => {
    pdf.font(index === 0 ? "bold" : "text").fontSize(SIZE - 1);
    const heights = cells.map((cell, column) =>
      pdf.heightOfString(cell || " ", { width: (widths[column] ?? 0) - 8 }),
    );
    const height = Math.max(...heights) + 8;
    makeRoom(pdf, height);
    const top = pdf.y;
    let x = left;
    cells.forEach((cell, column) => {
      const width = widths[column] ?? 0;
      pdf.rect(x, top, width, height).strokeColor("#bbbbbb").stroke();
      pdf.text(cell, x + 4, top + 4, { width: width - 8, align: align[column] ?? "left" });
      x += width;
    });
    pdf.y = top + height;
  });
  pdf.fontSize(SIZE).font("text").moveDown(0.6);
}

function makeRoom(pdf: Pdf, height: number): void {
  if (pdf.y + Math.min(height, pdf.page.height - 2 * MARGIN) > pdf.page.height - MARGIN)
    pdf.addPage();
}

function widthFrom(pdf: Pdf, left: number): number {
  return Math.max(80, pdf.page.width - MARGIN - left);
}

/** The built-in Courier knows the characters of Western Europe; for all others the embedded font stands in. */
function monospaced(text: string): string {
  return /^[\u0000-\u00ff]*$/.test(text) ? "Courier" : "text";
}
