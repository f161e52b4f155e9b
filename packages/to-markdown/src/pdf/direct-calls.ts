import type { WrappedPdfiumModule } from "@embedpdf/pdfium";

/**
 * What is called for each character or object of a page: numbers in, a number or a truth out. The
 * wrapper of the package looks each function up and converts its arguments, at several times the
 * cost of the call.
 */
const NUMBERS = [
  "FPDFFormObj_CountObjects",
  "FPDFFormObj_GetObject",
  "FPDFPageObj_CountMarks",
  "FPDFPageObj_GetMark",
  "FPDFPageObj_GetMarkedContentID",
  "FPDFPageObj_GetType",
  "FPDFPage_GetObject",
  "FPDFPathSegment_GetType",
  "FPDFPath_CountSegments",
  "FPDFPath_GetPathSegment",
  "FPDFTextObj_GetFont",
  "FPDFTextObj_GetTextRenderMode",
  "FPDFText_GetFontSize",
  "FPDFText_GetTextObject",
  "FPDFText_GetUnicode",
  "FPDFText_IsGenerated",
] as const satisfies readonly (keyof WrappedPdfiumModule)[];
const TRUTHS = [
  "FPDFPageObj_GetBounds",
  "FPDFPageObj_GetFillColor",
  "FPDFPageObj_GetMatrix",
  "FPDFPageObj_SetIsActive",
  "FPDFPathSegment_GetClose",
  "FPDFPathSegment_GetPoint",
  "FPDFPath_GetDrawMode",
  "FPDFText_GetCharOrigin",
  "FPDFText_GetLooseCharBox",
  "FPDFText_GetMatrix",
] as const satisfies readonly (keyof WrappedPdfiumModule)[];

type Call = (...numbers: number[]) => number;

/** The engine whose frequent functions are called without their wrapper. */
export function withDirectCalls(api: WrappedPdfiumModule): WrappedPdfiumModule {
  const exports = api.pdfium.wasmExports as unknown as Record<string, Call | undefined>;
  const direct: Record<string, (...numbers: number[]) => number | boolean> = {};
  for (const name of NUMBERS) {
    const call = exports[name];
    if (call) direct[name] = call;
  }
  for (const name of TRUTHS) {
    const call = exports[name];
    if (call) direct[name] = (...numbers) => call(...numbers) !== 0;
  }
  return { ...api, ...direct };
}
