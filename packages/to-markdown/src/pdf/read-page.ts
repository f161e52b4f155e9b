import type { OpenPdf } from "./open-pdf.ts";
import type { PageContent, Link, ContentRole, TaggedCell } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";
import { placeBox, placeX, placeY, upright } from "./placement.ts";
import type { FontStyles } from "./read-fonts.ts";
import { mainDirection, readGlyphs } from "./read-glyphs.ts";
import { readGraphics } from "./read-graphics.ts";
import { textOfHiddenLayers } from "./read-layers.ts";
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

/** No author writes deeper or larger trees. */
const MAX_DEPTH = 40;
const MAX_ELEMENTS = 20_000;
/** A larger span is a mistake of the program that wrote it. */
const MAX_SPAN = 200;
/** Roles that are more specific than those inside them. */
const TELLING =
  /^(H[1-6]?|LI|LBody|Lbl|TD|TH|Caption|Note|TOCI|Artifact|Code|Formula|Title)$/;

/** A table whose rows are being read. */
interface OpenTable {
  id: number;
  row: number;
  column: number;
  /** Places that a cell of an earlier row, or of this row, covers. */
  taken: Set<string>;
}

/** What the ancestors of an element determine. */
interface Context {
  role: string;
  depth: number;
  table?: OpenTable;
  cell?: TaggedCell;
}

/**
 * The role of each marked content of a page in a tagged file, by its id; empty for an untagged
 * file.
 */
function readRoles(pdfium: Pdfium, page: number): Map<number, ContentRole> {
  const { api } = pdfium;
  const roles = new Map<number, ContentRole>();
  const tree = api.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return roles;
  let left = MAX_ELEMENTS;
  let tables = 0;
  const walk = (element: number, around: Context): void => {
    left -= 1;
    if (left <= 0 || around.depth > MAX_DEPTH) return;
    const own = pdfium.text("utf-16le", (buffer, size) =>
      api.FPDF_StructElement_GetType(element, buffer, size),
    );
    const inside: Context = { ...around, depth: around.depth + 1 };
    if (TELLING.test(own)) inside.role = own;
    // a table inside a cell becomes text of that cell, because Markdown has no nested tables
    if (own === "Table" && !around.cell)
      inside.table = { id: (tables += 1), row: -1, column: 0, taken: new Set() };
    if (own === "TR" && inside.table && !around.cell) {
      inside.table.row += 1;
      inside.table.column = 0;
    }
    if ((own === "TD" || own === "TH") && inside.table && !around.cell)
      inside.cell = placeCell(pdfium, element, inside.table, own === "TH");
    const { cell } = inside;
    const count = api.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < count; index += 1) {
      const id = api.FPDF_StructElement_GetChildMarkedContentID(element, index);
      const child = id >= 0 ? 0 : api.FPDF_StructElement_GetChildAtIndex(element, index);
      if (id >= 0) roles.set(id, { tag: inside.role || own, ...(cell && { cell }) });
      else if (child !== 0) walk(child, inside);
      // empty cells are missing in the tree of the page, but take a place
      else if (own === "TR" && inside.table && !cell) take(inside.table, 1, 1);
    }
  };
  const count = api.FPDF_StructTree_CountChildren(tree);
  for (let index = 0; index < count; index += 1) {
    const child = api.FPDF_StructTree_GetChildAtIndex(tree, index);
    if (child !== 0) walk(child, { role: "", depth: 0 });
  }
  api.FPDF_StructTree_Close(tree);
  return roles;
}

function placeCell(
  pdfium: Pdfium,
  element: number,
  table: OpenTable,
  head: boolean,
): TaggedCell {
  const across = spanOf(pdfium, element, "ColSpan");
  const column = take(table, across, spanOf(pdfium, element, "RowSpan"));
  return { table: table.id, row: Math.max(table.row, 0), column, across, head };
}

/** Gives a cell the next free place of its row. */
function take(table: OpenTable, across: number, down: number): number {
  while (table.taken.has(`${table.row} ${table.column}`)) table.column += 1;
  const { row, column } = table;
  for (let below = 0; below < down; below += 1)
    for (let beside = 0; beside < across; beside += 1)
      table.taken.add(`${row + below} ${column + beside}`);
  table.column += across;
  return column;
}

function spanOf({ api, scratch, float }: Pdfium, element: number, name: string): number {
  const count = Math.min(api.FPDF_StructElement_GetAttributeCount(element), 16);
  for (let index = 0; index < count; index += 1) {
    const attribute = api.FPDF_StructElement_GetAttributeAtIndex(element, index);
    const value =
      attribute === 0 ? 0 : api.FPDF_StructElement_Attr_GetValue(attribute, name);
    if (value !== 0 && api.FPDF_StructElement_Attr_GetNumberValue(value, scratch))
      return Math.min(Math.max(1, Math.round(float(scratch))), MAX_SPAN);
  }
  return 1;
}
