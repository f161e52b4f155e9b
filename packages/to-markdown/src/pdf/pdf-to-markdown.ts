import type {
  Furniture,
  PageQuality,
  ParsedFile,
  ParsedImage,
  ParsedTable,
} from "../parsed-file.ts";
import { type BodyType, buildBlocks, isMono } from "./build-blocks.ts";
import { buildSegments } from "./build-segments.ts";
import { buildWords } from "./build-words.ts";
import { withSignsAtAmounts } from "./currency-signs.ts";
import { extractImages } from "./extract-images.ts";
import { findHeadings, isHeadingTag, rankHeadings, readOutline } from "./find-headings.ts";
import { height, width } from "./geometry.ts";
import { countMisread, warnOfUnread } from "./judge-coverage.ts";
import { type Block, type Segment, textOf, type Word } from "./layout.ts";
import { openPdf, type OpenPdf, UnreadablePdf } from "./open-pdf.ts";
import { findTables } from "./find-tables.ts";
import { orderRegions } from "./order-regions.ts";
import type { PageContent } from "./page-content.ts";
import { loadPdfium, type Pdfium } from "./pdfium.ts";
import { createFontStyles } from "./read-fonts.ts";
import { readAttached } from "./read-attached.ts";
import { readXfa } from "./read-xfa.ts";
import { readPage } from "./read-page.ts";
import { removeFurniture } from "./remove-furniture.ts";
import { tagRepeatedHead, joinRepeatedHeads } from "./repeated-heads.ts";
import { blocksOfTurned, readTurned, withoutRepeated } from "./turned-text.ts";
import { writeMarkdown } from "./write-markdown.ts";

export interface PdfOptions {
  /** Also return the tables as rows. */
  extractTables?: boolean;
  /** Also return the pictures as PNG. */
  extractImages?: boolean;
  password?: string;
  /** Checked between pages. */
  signal?: AbortSignal;
}

/** Pages of longer documents are left out, with a warning. */
const MAX_PAGES = 10_000;
/**
 * The number of pages that are analysed together: page headers and font sizes show only over
 * several.
 */
const WINDOW = 64;

/** A page between reading and writing. */
interface Draft {
  content: PageContent | undefined;
  width: number;
  height: number;
  segments: Segment[];
}

interface Work {
  pdfium: Pdfium;
  document: OpenPdf;
  options: PdfOptions;
  outline: ReadonlyMap<string, number>;
  warnings: Set<string>;
  pageQuality: PageQuality[];
  tables: ParsedTable[];
  images: ParsedImage[];
  furniture: Furniture[];
  /** The header of the last table, in a tagged file. */
  head: readonly Word[];
}

/**
 * Converts a PDF to Markdown: headings, paragraphs, lists, tables, code, emphasis and links, in
 * reading order, without page headers and footers. Leaves out invisible text.
 * @returns pages separated by `\f`
 * @throws UnreadablePdf when nothing can be read; the readable parts of a damaged file are returned
 * with warnings
 */
export async function pdfToMarkdown(
  bytes: Uint8Array,
  options: PdfOptions = {},
): Promise<ParsedFile> {
  options.signal?.throwIfAborted();
  const pdfium = await loadPdfium();
  const document = openPdf(pdfium, bytes, options.password);
  try {
    return await withForm(readDocument(pdfium, document, options), pdfium, document);
  } catch (error) {
    // the engine is WebAssembly: some failures are traps instead of error codes
    if (error instanceof Error && error.constructor.name === "RuntimeError")
      throw new UnreadablePdf(
        "too_complex",
        "The file is too large or too damaged to be read.",
        {
          cause: error,
        },
      );
    throw error;
  } finally {
    document.close();
  }
}

/** A file with the form that it contains beside its pages, if there is one. */
async function withForm(
  file: ParsedFile,
  pdfium: Pdfium,
  document: OpenPdf,
): Promise<ParsedFile> {
  const form = await readXfa(pdfium, document);
  if (!form) return file;
  const markdown = [form.markdown, file.markdown].filter(Boolean).join("\n\n");
  return { ...file, markdown, warnings: [...file.warnings, form.warning] };
}

function readDocument(pdfium: Pdfium, document: OpenPdf, options: PdfOptions): ParsedFile {
  const work: Work = {
    pdfium,
    document,
    options,
    outline: readOutline(pdfium, document),
    warnings: new Set(),
    pageQuality: [],
    tables: [],
    images: [],
    furniture: [],
    head: [],
  };
  const pages = Math.min(document.pages, MAX_PAGES);
  if (document.pages > MAX_PAGES)
    work.warnings.add(`Only the first ${MAX_PAGES} of ${document.pages} pages were read.`);
  const markdown: string[] = [];
  // of equal sizes, so that no page is alone
  const window = Math.ceil(pages / Math.ceil(pages / WINDOW));
  for (let from = 0; from < pages; from += window)
    markdown.push(...readWindow(work, from, Math.min(from + window, pages)));
  if (document.repaired)
    work.warnings.add(
      "The file is cut off or damaged: what was left of it was read, and pages may be missing.",
    );
  const attached = readAttached(pdfium, document);
  for (const warning of attached.warnings) work.warnings.add(warning);
  const unread = warnOfUnread(work.pageQuality);
  if (unread !== undefined) work.warnings.add(unread);
  const furniture = distinct(work.furniture);
  if (furniture.length > 0) work.warnings.add(warnOfFurniture(furniture));
  const { title, author, language } = document;
  return {
    markdown: markdown.join("\f"),
    pages,
    layout: { kind: "pages", parts: pages },
    ...(title && { title }),
    ...(author && { author }),
    ...(language && { language }),
    warnings: [...work.warnings],
    pageQuality: work.pageQuality,
    ...(furniture.length > 0 && { furniture }),
    ...(attached.files.length > 0 && { attachments: attached.files }),
    ...(options.extractTables && { tables: work.tables }),
    ...(options.extractImages && { images: work.images }),
  };
}

/** The Markdown of the pages from `from` to before `to`. */
function readWindow(work: Work, from: number, to: number): string[] {
  const drafts: Draft[] = [];
  const fontStyles = createFontStyles(work.pdfium);
  for (let index = from; index < to; index += 1) {
    work.options.signal?.throwIfAborted();
    const content = readPage(work.pdfium, work.document, index, fontStyles, (open) => {
      if (work.options.extractImages) extractImages(work.pdfium, open, work.images);
    });
    note(work, index + 1, content);
    const words = content ? buildWords(content.glyphs, content.links) : [];
    work.head = tagRepeatedHead(words, work.head);
    const { width = 0, height = 0 } = content ?? {};
    drafts.push({
      content,
      width,
      height,
      segments: buildSegments(withSignsAtAmounts(words)),
    });
    // the words contain the characters now
    if (content) content.glyphs = [];
  }
  work.furniture.push(...removeFurniture(drafts, from, work.document.pages));
  const turned = withoutRepeated(
    drafts.map(({ content }) => readTurned(content?.turned ?? [])),
  );
  for (const { page, text } of turned.removed)
    work.furniture.push({ page: from + page + 1, text });
  const found = drafts.map(({ content, segments }, at) =>
    findTables(segments, content ?? { rules: [], fills: [] }, turned.texts[at]),
  );
  joinRepeatedHeads(found.map(({ tables }) => tables));
  for (const [at, { tables }] of found.entries())
    for (const { rows } of tables) work.tables.push({ page: from + at + 1, rows });
  const body = bodyType(drafts.flatMap(({ segments }) => segments));
  const pages: Block[][] = found.map(({ tables, figures, rest, turned: open }, at) => {
    const blocks = buildBlocks(orderRegions(rest, tables, figures), body);
    return [
      ...findHeadings(blocks, body, work.outline, drafts[at]?.height ?? 0),
      ...blocksOfTurned(open),
    ];
  });
  rankHeadings(pages);
  return pages.map(writeMarkdown);
}

/** Stores what the quality gate and the reader need to know about a page. */
function note(work: Work, page: number, content: PageContent | undefined): void {
  const { glyphs = [], turned = [], unread = 0 } = content ?? {};
  const unknown = unread + countMisread(glyphs);
  const characters = Math.max(glyphs.length + turned.length - unknown, 0);
  const images =
    content?.images.filter((image) => width(image) > 40 && height(image) > 15).length ?? 0;
  const covered = content ? coverage(content) : 0;
  const quality = { page, characters, images, ...(covered >= 0.5 && { covered }) };
  work.pageQuality.push(unknown > 0 ? { ...quality, unread: unknown } : quality);
  if (!content) work.warnings.add(`Page ${page} is damaged and was left out.`);
  else if (content.cut)
    work.warnings.add(`Page ${page} holds more than can be read; the rest was left out.`);
  if (content && content.hidden > 0)
    work.warnings.add("Text that no reader sees was left out.");
}

/** The part of a page that its largest picture covers, from 0 to 1. */
function coverage({ images, width: across, height: down }: PageContent): number {
  const largest = images.reduce((most, image) => {
    const inside = (from: number, to: number, end: number) =>
      Math.max(Math.min(to, end) - Math.max(from, 0), 0);
    const area =
      inside(image.left, image.right, across) * inside(image.top, image.bottom, down);
    return Math.max(most, area);
  }, 0);
  return Math.round((largest / Math.max(across * down, 1)) * 100) / 100;
}

/** The typography of most of the text, in which lines that repeat on many pages count once. */
function bodyType(segments: readonly Segment[]): BodyType {
  const weights = new Map<number, { all: number; bold: number; mono: number }>();
  const seen = new Set<string>();
  for (const segment of segments) {
    const size = Math.round(segment.size * 2) / 2;
    const weight = weights.get(size) ?? { all: 0, bold: 0, mono: 0 };
    const text = textOf(segment);
    if (seen.has(text)) continue;
    seen.add(text);
    const { length } = text;
    weight.all += length;
    if (segment.words[0]?.style.bold) weight.bold += length;
    if (isMono(segment)) weight.mono += length;
    weights.set(size, weight);
  }
  const [size, weight] = [...weights].toSorted(
    ([, a], [, b]) => b.all - (b.mono + b.bold) * 0.5 - (a.all - (a.mono + a.bold) * 0.5),
  )[0] ?? [10, undefined];
  const half = (weight?.all ?? 0) / 2;
  return {
    size,
    bold: (weight?.bold ?? 0) > half,
    mono: (weight?.mono ?? 0) > half,
    headed: segments.some(({ words }) => isHeadingTag(words[0]?.style.tag)),
  };
}

const MAX_LINES = 200;
const MAX_CHARACTERS = 300;
const MAX_NAMED = 3;
const MAX_NAMED_CHARACTERS = 80;

/** Each line once, where it occurs first. */
function distinct(furniture: readonly Furniture[]): Furniture[] {
  const lines = new Map<string, Furniture>();
  for (const { page, text } of furniture) {
    const line = cut(text, MAX_CHARACTERS);
    if (!lines.has(line) && lines.size < MAX_LINES) lines.set(line, { page, text: line });
  }
  return [...lines.values()];
}

/** A warning that names the lines that were left out. */
function warnOfFurniture(furniture: readonly Furniture[]): string {
  const named = furniture
    .slice(0, MAX_NAMED)
    .map(({ text }) => `“${cut(text, MAX_NAMED_CHARACTERS)}”`);
  const more = furniture.length - named.length;
  return `What repeats at the edges of pages was left out: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
