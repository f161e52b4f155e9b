import type { TextRun } from "./blocks.ts";

export interface Area {
  left: number;
  width: number;
}

/**
 * Writes the runs of a paragraph line by line, because pdfkit drops a line break between two runs.
 */
export function write(pdf: Pdf, runs: readonly TextRun[], area: Area): void {
  for (const line of splitLines(runs)) {
    if (line.length === 0) pdf.font("text").moveDown(1);
    else writeLine(pdf, line, area);
  }
  pdf.font("text");
}

function splitLines(runs: readonly TextRun[]): TextRun[][] {
  const lines: TextRun[][] = [[]];
  for (const run of runs) {
    const [first = "", ...others] = run.text.split("\n");
    if (first) lines.at(-1)?.push({ ...run, text: first });
    for (const text of others) lines.push(text ? [{ ...run, text }] : []);
  }
  return lines;
}

/** Puts all runs on the same baseline, whatever their fonts. */
function writeLine(pdf: Pdf, runs: readonly TextRun[], { left, width }: Area): void {
  const baseline = ascentOf(pdf);
  runs.forEach((run, index) => {
    const options = {
      width,
      baseline,
      continued: index < runs.length - 1,
      strike: run.strike === true,
      underline: run.link !== undefined,
      link: run.link ?? null,
    } as PDFKit.Mixins.TextOptions; // `null` ends the link of the run before
    pdf.font(fontOf(run));
    if (index === 0) pdf.text(run.text, left, pdf.y, options);
    else pdf.text(run.text, options);
  });
}

export function fontOf({ text, bold, italic, code }: TextRun): string {
  if (code) return monospaced(text, bold);
  if (bold && italic) return "bold-italic";
  return bold ? "bold" : italic ? "italic" : "text";
}

/** Returns the height above the baseline in points, measured downwards as pdfkit expects. */
function ascentOf(pdf: Pdf): number {
  const { _font: font, _fontSize: size } = pdf.font("text") as unknown as FontState;
  return (-font.ascender / 1000) * size;
}

/** The built-in Courier covers Western European characters; the embedded font covers the others. */
export function monospaced(text: string, bold = false): string {
  if (!/^[\u0000-\u00ff]*$/.test(text)) return bold ? "bold" : "text";
  return bold ? "Courier-Bold" : "Courier";
}

export type Pdf = PDFKit.PDFDocument;

/** The size of text. */
export const SIZE = 11;
export const MARGIN = 64;

/** Properties of pdfkit's font that its types lack. */
export interface FontState {
  _font: { ascender: number; font: { hasGlyphForCodePoint(codePoint: number): boolean } };
  _fontSize: number;
}

/** Starts the next page when a height does not fit on this one. */
export function makeRoom(pdf: Pdf, height: number): void {
  if (pdf.y + Math.min(height, pdf.page.height - 2 * MARGIN) > pdf.page.height - MARGIN)
    pdf.addPage();
}

/** Returns the width from a place to the right margin. */
export function widthFrom(pdf: Pdf, left: number): number {
  return Math.max(80, pdf.page.width - MARGIN - left);
}
