import type { Box } from "./geometry.ts";
import { height, width } from "./geometry.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Glyph, Style } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";
import { type Matrix, placeBox } from "./placement.ts";

/** The visible text of a form field or note that the file contains no drawing of. */
export interface LooseText extends Box {
  text: string;
}

const FREE_TEXT = 3;
const STAMP = 13;
const WIDGET = 20;
const SHOWN: ReadonlySet<number> = new Set([FREE_TEXT, STAMP, WIDGET]);
const HIDDEN = 1 << 1;
const MAX_ANNOTATIONS = 2_000;
const MAX_CHARACTERS = 4_000;
const NORMAL_DISPLAY = 0;
const NORMAL_LOOK = 0;
/** The drawing of a field without its value, which readers draw themselves. */
const EMPTIED = /\/Tx\s+BMC\s+EMC/;

/**
 * Makes the values of form fields, free text and stamps a part of their page, as PDF viewers show
 * them.
 * @param page the page's handle, which is closed if the page had to be opened again
 * @returns the handle to use from then on, and texts without a drawing, in the coordinates of the
 * PDF
 */
export function showAnnotations(
  { api, scratch, float, text }: Pdfium,
  document: OpenPdf,
  index: number,
  page: number,
): { page: number; loose: LooseText[] } {
  const count = Math.min(api.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  const loose: LooseText[] = [];
  let drawn = false;
  const isEmptied = (annotation: number) => {
    const kind = text("utf-16le", (buffer, size) =>
      api.FPDFAnnot_GetStringValue(annotation, "FT", buffer, size),
    );
    if (kind === "Btn") return false;
    const drawing = text("utf-16le", (buffer, size) =>
      api.FPDFAnnot_GetAP(annotation, NORMAL_LOOK, buffer, size),
    );
    return EMPTIED.test(drawing);
  };
  for (let at = 0; at < count; at += 1) {
    const annotation = api.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const type = api.FPDFAnnot_GetSubtype(annotation);
    if (SHOWN.has(type) && (api.FPDFAnnot_GetFlags(annotation) & HIDDEN) === 0) {
      const key = type === WIDGET ? "V" : "Contents";
      if (api.FPDFAnnot_HasKey(annotation, "AP") && !isEmptied(annotation)) drawn = true;
      else if (api.FPDFAnnot_GetRect(annotation, scratch)) {
        const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) =>
          float(scratch + offset),
        );
        const value = text("utf-16le", (buffer, size) =>
          api.FPDFAnnot_GetStringValue(annotation, key, buffer, size),
        ).trim();
        const box = {
          left: left ?? 0,
          top: top ?? 0,
          right: right ?? 0,
          bottom: bottom ?? 0,
        };
        if (value !== "") loose.push({ ...box, text: value.slice(0, MAX_CHARACTERS) });
      }
    }
    api.FPDFPage_CloseAnnot(annotation);
  }
  if (!drawn || api.FPDFPage_Flatten(page, NORMAL_DISPLAY) === 0) return { page, loose };
  const again = api.FPDF_LoadPage(document.handle, index);
  if (again === 0) return { page, loose };
  api.FPDF_ClosePage(page);
  return { page: again, loose };
}

const STYLE: Style = { font: "", bold: false, italic: false, mono: false };
const MAX_SIZE = 11;

/** Converts such a text to characters, line by line from its top left corner. */
export function glyphsOfLoose(loose: LooseText, toPage: Matrix): Glyph[] {
  const box = placeBox(toPage, loose);
  const lines = loose.text.split(/\r\n?|\n/);
  const size = Math.max(2, Math.min(MAX_SIZE, (height(box) / lines.length) * 0.7));
  const longest = Math.max(...lines.map((line) => line.length), 1);
  const step = Math.min(size * 0.5, width(box) / longest);
  return lines.flatMap((line, row) => {
    const baseline = box.top + size * (1.1 + row * 1.3);
    return [...line].flatMap((text, at): Glyph[] =>
      /\s/.test(text)
        ? []
        : [
            {
              text,
              left: box.left + at * step,
              right: box.left + (at + 1) * step,
              top: baseline - size * 0.8,
              bottom: baseline + size * 0.2,
              baseline,
              size,
              style: STYLE,
              spaced: at > 0 && /\s/.test(line[at - 1] ?? ""),
              ligature: false,
            },
          ],
    );
  });
}
