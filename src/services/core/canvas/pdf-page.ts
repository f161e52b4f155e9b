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
