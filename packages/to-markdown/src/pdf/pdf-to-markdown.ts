import type { PageQuality, ParsedFile, ParsedImage, ParsedTable } from "../parsed-file.ts";
import { type BodyType, buildBlocks, isMono } from "./build-blocks.ts";
import { buildSegments } from "./build-segments.ts";
import { buildWords } from "./build-words.ts";
import { joinRepeatedHeads } from "./continued-heads.ts";
import { extractImages } from "./extract-images.ts";
import { findHeadings, isHeadingTag, rankHeadings } from "./find-headings.ts";
import { height, width } from "./geometry.ts";
import { countMisread, warnOfUnread } from "./judge-coverage.ts";
import { type Block, type Segment, textOf, type Word } from "./layout.ts";
import { openPdf, type OpenPdf } from "./open-pdf.ts";
import { findTables } from "./find-tables.ts";
import { orderRegions } from "./order-regions.ts";
import type { PageContent } from "./page-content.ts";
import { UnreadablePdf } from "./pdf-errors.ts";
import { loadPdfium, type Pdfium } from "./pdfium.ts";
import { createFontStyles } from "./read-fonts.ts";
import { readOutline } from "./read-outline.ts";
import { readPage } from "./read-page.ts";
import { removeFurniture } from "./remove-furniture.ts";
import { tagRepeatedHead } from "./repeated-heads.ts";
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
    return readDocument(pdfium, document, options);
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
    head: [],
  };
  const pages = Math.min(document.pages, MAX_PAGES);
  if (document.pages > MAX_PAGES)
    work.warnings.add(`Only the first ${MAX_PAGES} of ${document.pages} pages were read.`);
  const markdown: string[] = [];
  for (let from = 0; from < pages; from += WINDOW)
    markdown.push(...readWindow(work, from, Math.min(from + WINDOW, pages)));
  const unread = warnOfUnread(work.pageQuality);
  if (unread !== undefined) work.warnings.add(unread);
  const { title, author, language } = document;
  return {
    markdown: markdown.join("\f"),
    pages,
    ...(title && { title }),
    ...(author && { author }),
    ...(language && { language }),
    warnings: [...work.warnings],
    pageQuality: work.pageQuality,
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
    drafts.push({ content, height: content?.height ?? 0, segments: buildSegments(words) });
    // the words contain the characters now
    if (content) content.glyphs = [];
  }
  removeFurniture(drafts);
  const found = drafts.map(({ content, segments }) =>
    findTables(segments, content ?? { rules: [], fills: [] }),
  );
  joinRepeatedHeads(found.map(({ tables }) => tables));
  for (const [at, { tables }] of found.entries())
    for (const { rows } of tables) work.tables.push({ page: from + at + 1, rows });
  const body = bodyType(drafts.flatMap(({ segments }) => segments));
  const turned = withoutRepeated(
    drafts.map(({ content }) => readTurned(content?.turned ?? [])),
  );
  const pages: Block[][] = found.map(({ tables, rest }, at) => {
    const blocks = buildBlocks(orderRegions(rest, tables), body);
    return [
      ...findHeadings(blocks, body, work.outline),
      ...blocksOfTurned(turned[at] ?? []),
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
  const quality = { page, characters, images };
  work.pageQuality.push(unknown > 0 ? { ...quality, unread: unknown } : quality);
  if (!content) work.warnings.add(`Page ${page} is damaged and was left out.`);
  else if (content.cut)
    work.warnings.add(`Page ${page} holds more than can be read; the rest was left out.`);
  if (content && content.hidden > 0)
    work.warnings.add("Text that no reader sees was left out.");
}

/** The typography of most of the text. */
function bodyType(segments: readonly Segment[]): BodyType {
  const weights = new Map<number, { all: number; bold: number; mono: number }>();
  for (const segment of segments) {
    const size = Math.round(segment.size * 2) / 2;
    const weight = weights.get(size) ?? { all: 0, bold: 0, mono: 0 };
    const length = textOf(segment).length;
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
