import type { OpenPdf } from "./open-pdf.ts";
import type { PageContent, Link } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";
import { placeBox, placeX, placeY, upright } from "./placement.ts";
import type { FontStyles } from "./read-fonts.ts";
import { mainDirection, readGlyphs } from "./read-glyphs.ts";
import { readGraphics } from "./read-graphics.ts";
import { textOfHiddenLayers } from "./read-layers.ts";
import { readRoles } from "./read-roles.ts";
import { glyphsOfLoose, showAnnotations } from "./show-annotations.ts";

/** Called while a page is open, such as to extract its pictures. */
type WhileOpen = (content: PageContent) => void;

/**
 * Reads the whole content of a page, rotated so that its text is upright.
 * @param index counted from 0
 * @returns undefined for a damaged page
 */
export function readPage(
  pdfium: Pdfium,
  document: OpenPdf,
  index: number,
  fontStyles: FontStyles,
  whileOpen?: WhileOpen,
): PageContent | undefined {
  const { api } = pdfium;
  const bare = api.FPDF_LoadPage(document.handle, index);
  if (bare === 0) return undefined;
  // read first, because showing fields and notes removes the links
  const linksOf = readLinks(pdfium, document.handle, bare);
  const { page, loose } = showAnnotations(pdfium, document, index, bare);
  const text = api.FPDFText_LoadPage(page);
  try {
    const turns =
      (text === 0 ? undefined : mainDirection(pdfium, text)) ??
      api.FPDFPage_GetRotation(page);
    const frame = frameOf(pdfium, page, turns);
    if (!frame) return undefined;
    const { toPage, width, height } = frame;
    const { grounds, ...graphics } = readGraphics(pdfium, page, toPage);
    const roles = readRoles(pdfium, page);
    const off = textOfHiddenLayers(pdfium, page, document.layered);
    const read =
      text === 0
        ? { glyphs: [], turned: [], hidden: 0, unread: 0, cut: false }
        : readGlyphs(pdfium, {
            text,
            toPage,
            turns,
            width,
            height,
            grounds,
            fontStyles,
            roles,
            off,
          });
    for (const each of loose) read.glyphs.push(...glyphsOfLoose(each, toPage));
    const links = linksOf.map((link) => ({ ...link, ...placeBox(toPage, link) }));
    const content = {
      number: index + 1,
      width,
      height,
      links,
      ...graphics,
      ...read,
      cut: graphics.cut || read.cut,
    };
    whileOpen?.(content);
    return content;
  } finally {
    if (text !== 0) api.FPDFText_ClosePage(text);
    api.FPDF_ClosePage(page);
  }
}

/** The visible part of a page, upright; undefined if PDFium finds none. */
function frameOf({ api, scratch, float }: Pdfium, page: number, turns: number) {
  if (!api.FPDF_GetPageBoundingBox(page, scratch)) return undefined;
  const visible = {
    left: float(scratch),
    top: float(scratch + 4),
    right: float(scratch + 8),
    bottom: float(scratch + 12),
  };
  const toPage = upright(visible, turns);
  const { left, top, right, bottom } = visible;
  return {
    toPage,
    width: Math.max(placeX(toPage, right, top), placeX(toPage, left, bottom), 1),
    height: Math.max(placeY(toPage, right, top), placeY(toPage, left, bottom), 1),
  };
}

const MAX_LINKS = 2_000;
const TYPE_URI = 3;
/** Only addresses that are safe to follow. */
const SAFE = /^(https?|mailto):/i;

/** The areas of a page that link to web or mail addresses, in the coordinates of the PDF. */
function readLinks(pdfium: Pdfium, document: number, page: number): Link[] {
  const { api, scratch, float, uint } = pdfium;
  const links: Link[] = [];
  const position = scratch;
  const found = scratch + 4;
  pdfium.setUint(position, 0);
  for (
    let turn = 0;
    turn < MAX_LINKS && api.FPDFLink_Enumerate(page, position, found);
    turn += 1
  ) {
    const next = uint(position);
    const link = uint(found);
    const action = api.FPDFLink_GetAction(link);
    if (action !== 0 && api.FPDFAction_GetType(action) === TYPE_URI) {
      const target = pdfium
        .text("utf-8", (buffer, size) =>
          api.FPDFAction_GetURIPath(document, action, buffer, size),
        )
        .trim();
      if (SAFE.test(target) && api.FPDFLink_GetAnnotRect(link, scratch)) {
        const box = {
          left: float(scratch),
          top: float(scratch + 4),
          right: float(scratch + 8),
          bottom: float(scratch + 12),
        };
        links.push({ ...box, target });
      }
    }
    pdfium.setUint(position, next);
  }
  return links;
}
