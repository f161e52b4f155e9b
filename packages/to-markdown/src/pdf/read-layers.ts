import type { Pdfium } from "./pdfium.ts";

const TYPE_TEXT = 1;
const TYPE_FORM = 5;
const INVISIBLE = 3;
const CLIPPED = 7;
const MAX_OBJECTS = 50_000;
const MAX_DEPTH = 12;
/** Each is drawn by itself. */
const MAX_LAYERS = 40;
/** The length of the longer side, in pixels, at which layers are drawn. */
const PIXELS = 800;
const BGRA = 4;
const MAX_NAME_BYTES = 1_000;

/**
 * The text objects of a page that are on layers which are switched off, as seen by drawing each
 * layer by itself.
 * @param layered whether the file says that it has layers; else only marked objects are examined
 */
export function textOfHiddenLayers(
  pdfium: Pdfium,
  page: number,
  layered: boolean,
): ReadonlySet<number> {
  const { api } = pdfium;
  const hidden = new Set<number>();
  const count = Math.min(api.FPDFPage_CountObjects(page), MAX_OBJECTS);
  const objects = Array.from({ length: count }, (_, at) =>
    api.FPDFPage_GetObject(page, at),
  );
  const layers = new Map<string, number[]>();
  for (const [at, object] of objects.entries()) {
    const key = layerOf(pdfium, object, at, layered);
    if (key === undefined) continue;
    const there = layers.get(key);
    if (there) there.push(object);
    else if (layers.size < MAX_LAYERS) layers.set(key, [object]);
  }
  const withText = [...layers.values()]
    .map((members) => ({
      members,
      texts: members.flatMap((each) => textsIn(pdfium, each)),
    }))
    .filter(({ texts }) => texts.length > 0);
  if (withText.length === 0) return hidden;
  for (const object of objects) api.FPDFPageObj_SetIsActive(object, false);
  for (const { members, texts } of withText) {
    for (const object of members) api.FPDFPageObj_SetIsActive(object, true);
    if (!drawsAnything(pdfium, page)) for (const text of texts) hidden.add(text);
    for (const object of members) api.FPDFPageObj_SetIsActive(object, false);
  }
  for (const object of objects) api.FPDFPageObj_SetIsActive(object, true);
  return hidden;
}

/** What distinguishes the layer of an object from others; undefined if it is on none. */
function layerOf(
  pdfium: Pdfium,
  object: number,
  at: number,
  layered: boolean,
): string | undefined {
  const { api } = pdfium;
  const marks = api.FPDFPageObj_CountMarks(object);
  if (marks > 0 && (layered || api.FPDFPageObj_GetMarkedContentID(object) < 0)) {
    for (let index = 0; index < marks; index += 1) {
      const mark = api.FPDFPageObj_GetMark(object, index);
      if (stringOf(pdfium, (...to) => api.FPDFPageObjMark_GetName(mark, ...to)) !== "OC")
        continue;
      const name = stringOf(pdfium, (...to) =>
        api.FPDFPageObjMark_GetParamStringValue(mark, "Name", ...to),
      );
      return name === "" ? `object ${at}` : `layer ${name}`;
    }
  }
  return layered && api.FPDFPageObj_GetType(object) === TYPE_FORM
    ? `form ${at}`
    : undefined;
}

function stringOf(
  { scratch, view, uint }: Pdfium,
  read: (buffer: number, size: number, length: number) => boolean,
): string {
  // the length is written before the text
  if (!read(scratch + 4, MAX_NAME_BYTES, scratch)) return "";
  const length = Math.min(uint(scratch), MAX_NAME_BYTES);
  return new TextDecoder("utf-16le").decode(view(scratch + 4, length)).replace(/\0+$/, "");
}

/** The text objects in an object whose text would be seen. */
function textsIn(pdfium: Pdfium, object: number, depth = 0): number[] {
  const { api } = pdfium;
  const type = api.FPDFPageObj_GetType(object);
  if (type === TYPE_TEXT) {
    const mode = api.FPDFTextObj_GetTextRenderMode(object);
    return mode === INVISIBLE || mode === CLIPPED ? [] : [object];
  }
  if (type !== TYPE_FORM || depth > MAX_DEPTH) return [];
  const count = Math.min(api.FPDFFormObj_CountObjects(object), MAX_OBJECTS);
  return Array.from({ length: count }, (_, at) =>
    textsIn(pdfium, api.FPDFFormObj_GetObject(object, at), depth + 1),
  ).flat();
}

/** Whether a page, as it is now, draws anything. */
function drawsAnything(pdfium: Pdfium, page: number): boolean {
  const { api } = pdfium;
  const points = [api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page)];
  const scale = PIXELS / Math.max(...points, 1);
  const [width = 1, height = 1] = points.map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const bitmap = api.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
  if (bitmap === 0) return true;
  try {
    api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0);
    api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    const bytes = api.FPDFBitmap_GetStride(bitmap) * height;
    return pdfium.view(api.FPDFBitmap_GetBuffer(bitmap), bytes).some((byte) => byte !== 0);
  } finally {
    api.FPDFBitmap_Destroy(bitmap);
  }
}
