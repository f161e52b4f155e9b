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
/** What draws text, or may: without it readers draw the value of a field themselves. */
const DRAWS = /\b(?:Tj|TJ|Do)\b|['"]/;
/** A longer drawing, in bytes, is not examined. */
const MAX_LOOK = 16_000;
const MAX_OPTIONS = 1_000;

/** Values of `FPDFAnnot_GetFormFieldType`. */
const CHECK_BOX = 2;
const RADIO_BUTTON = 3;
const COMBO_BOX = 4;
const LIST_BOX = 5;
const TEXT_FIELD = 6;
const PASSWORD = 1 << 13;

/**
 * Makes the values of form fields, free text and stamps a part of their page, as PDF viewers show
 * them.
 * @param page the page's handle, which is closed if the page had to be opened again
 * @returns the handle to use from then on, and texts without a drawing, in the coordinates of the
 * PDF
 */
export function showAnnotations(
  pdfium: Pdfium,
  document: OpenPdf,
  index: number,
  page: number,
): { page: number; loose: LooseText[] } {
  const { api, scratch, float } = pdfium;
  const count = Math.min(api.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  const loose: LooseText[] = [];
  let drawn = false;
  for (let at = 0; at < count; at += 1) {
    const annotation = api.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const type = api.FPDFAnnot_GetSubtype(annotation);
    const flags = api.FPDFAnnot_GetFlags(annotation);
    if (SHOWN.has(type) && (flags & HIDDEN) === 0) {
      const own =
        type === WIDGET
          ? readField(pdfium, document.form(), annotation)
          : readNote(pdfium, annotation);
      // what is written here is not to be drawn as well
      if (own !== undefined) api.FPDFAnnot_SetFlags(annotation, flags | HIDDEN);
      else if (api.FPDFAnnot_HasKey(annotation, "AP")) drawn = true;
      if (own && api.FPDFAnnot_GetRect(annotation, scratch)) {
        const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((offset) =>
          float(scratch + offset),
        );
        loose.push({ left, top, right, bottom, text: own.slice(0, MAX_CHARACTERS) });
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

const stringOf = ({ api, text }: Pdfium, annotation: number, key: string): string =>
  text("utf-16le", (buffer, size) =>
    api.FPDFAnnot_GetStringValue(annotation, key, buffer, size),
  ).trim();

/** The text of a note without a drawing. */
const readNote = (pdfium: Pdfium, annotation: number): string | undefined =>
  pdfium.api.FPDFAnnot_HasKey(annotation, "AP")
    ? undefined
    : stringOf(pdfium, annotation, "Contents");

/**
 * What a field shows, if the file has no drawing of it, or if that is no text: the marks of boxes
 * are mostly lines.
 */
function readField(pdfium: Pdfium, form: number, annotation: number): string | undefined {
  const { api, text } = pdfium;
  const type = api.FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === CHECK_BOX || type === RADIO_BUTTON) {
    const state =
      stringOf(pdfium, annotation, "AS") ||
      (type === CHECK_BOX && stringOf(pdfium, annotation, "V"));
    return state && state !== "Off" ? "☑" : "☐";
  }
  const isDrawn = api.FPDFAnnot_HasKey(annotation, "AP");
  const read = (buffer: number, size: number) =>
    api.FPDFAnnot_GetAP(annotation, NORMAL_LOOK, buffer, size);
  if (isDrawn && (read(0, 0) > MAX_LOOK || DRAWS.test(text("utf-16le", read))))
    return undefined;
  return valueOf(pdfium, form, annotation, type) || (isDrawn ? undefined : "");
}

function valueOf(pdfium: Pdfium, form: number, annotation: number, type: number): string {
  const { api, text } = pdfium;
  if (type === COMBO_BOX || type === LIST_BOX) {
    const options = Math.min(api.FPDFAnnot_GetOptionCount(form, annotation), MAX_OPTIONS);
    const chosen = Array.from({ length: Math.max(options, 0) }, (_, option) => option)
      .filter((option) => api.FPDFAnnot_IsOptionSelected(form, annotation, option))
      .map((option) =>
        text("utf-16le", (buffer, size) =>
          api.FPDFAnnot_GetOptionLabel(form, annotation, option, buffer, size),
        ),
      );
    if (chosen.length > 0) return chosen.join("\n");
  }
  // a field that is missing in the list of all fields
  if (type <= 0)
    return stringOf(pdfium, annotation, "FT") === "Btn"
      ? ""
      : stringOf(pdfium, annotation, "V");
  if (type < COMBO_BOX || type > TEXT_FIELD) return "";
  if (api.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) return "";
  return text("utf-16le", (buffer, size) =>
    api.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size),
  ).trim();
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
