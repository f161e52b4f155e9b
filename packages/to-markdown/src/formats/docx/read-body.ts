import { paragraph } from "../blocks.ts";
import { tooComplex } from "../refuse-file.ts";
import { splitAtPages } from "../split-at-pages.ts";
import { type Element, attributeOf, childOf } from "../xml-tree.ts";
import { hasContent, type Paragraph, readParagraph, readTable } from "./read-paragraph.ts";
import type { Piece } from "./read-runs.ts";
import { type DocxParts, type DocxReading, startDocxReading } from "./reading.ts";

/** More than ten thousand pages have. */
const MAX_BLOCKS = 400_000;

export interface Body {
  /** Reads a paragraph or a table. */
  read(element: Element): void;
  push(piece: Piece): void;
  finish(): Piece[];
  record: PagesRecord;
}

export interface PagesRecord {
  /** Whether a program that displayed the file marked where its pages end. */
  rendered: boolean;
  /** Whether a page ends where no block ends. */
  unclear: boolean;
}

/** `explicit`: the author ended the page. `rendered`: a program that displayed the file did. */
type Break = "explicit" | "rendered";

/** Converts paragraphs and tables to blocks in their order, with notes at the end of their page. */
export function bodyReader(parts: DocxParts): Body {
  const reading = startDocxReading(parts);
  const pages = pageWriter(reading);

  return {
    push: pages.put,
    read(element) {
      if (element.name === "tbl") {
        const { pieces, breaks, starts } = readTable(reading, element);
        if (breaks > 0) pages.record.rendered = true;
        if (starts) pages.end("rendered");
        for (const piece of pieces) pages.put(piece);
        const within = starts ? breaks - 1 : breaks;
        // a table that only arranges its content may have no row at which a page begins
        const isTable = pieces.some(
          (piece) => !Array.isArray(piece) && piece.kind === "table",
        );
        if (within > 0 && !isTable) pages.record.unclear = true;
        pages.end("rendered", within);
        return;
      }
      const read = readParagraph(reading, element);
      if (!pages.isEmpty() && startsPage(read.properties)) pages.end("explicit");
      putSplit(pages, read);
      for (const piece of read.attached) pages.put(piece);
      if (endsPage(read.properties)) pages.end("explicit");
    },
    finish: pages.finish,
    record: pages.record,
  };
}

interface Pages {
  record: PagesRecord;
  isEmpty(): boolean;
  put(piece: Piece): void;
  /** Ends the page, with its notes. */
  end(kind: Break, times?: number): void;
  finish(): Piece[];
}

function pageWriter(reading: DocxReading): Pages {
  const pieces: Piece[] = [];
  const record: PagesRecord = { rendered: false, unclear: false };
  /** Whether the page has content since the last explicit break */
  let written = true;

  const writeNotes = () => {
    for (const runs of reading.pageNotes) pieces.push(paragraph(runs));
    reading.pageNotes = [];
  };

  return {
    record,
    isEmpty: () => pieces.length === 0,
    put(piece) {
      if (pieces.length >= MAX_BLOCKS)
        throw tooComplex(`it has more than ${MAX_BLOCKS} paragraphs`);
      pieces.push(piece);
      written = true;
    },
    end(kind, times = 1) {
      if (kind === "rendered" && times > 0) record.rendered = true;
      for (let left = times; left > 0; left -= 1) {
        // a program that displays the file marks explicit breaks a second time
        if (kind === "rendered" && !written) continue;
        writeNotes();
        pieces.push({ kind: "page" });
        written = kind === "rendered";
      }
    },
    finish() {
      writeNotes();
      return pieces;
    },
  };
}

/** Puts a paragraph on the pages on which its parts begin. */
function putSplit(pages: Pages, { line, make }: Paragraph): void {
  const ends = line.breaks.map(({ at, kind }) => ({ at, exact: kind === "explicit" }));
  const parts = splitAtPages(line.runs, ends, isText(make(line.runs)));
  for (const [index, part] of parts.entries()) {
    const end = line.breaks[index - 1];
    if (end) pages.end(end.kind);
    if (hasContent(part)) pages.put(make(part));
  }
}

function isText(piece: Piece): boolean {
  return !Array.isArray(piece) && piece.kind === "paragraph" && piece.marker === undefined;
}

function startsPage(properties: Element | undefined): boolean {
  const own = childOf(properties, "pageBreakBefore");
  return own !== undefined && !/^(?:0|false|off)$/.test(attributeOf(own, "val") ?? "");
}

/** Whether a section ends with this paragraph, whose properties describe the section. */
function endsPage(properties: Element | undefined): boolean {
  const section = childOf(properties, "sectPr");
  if (!section) return false;
  const type = attributeOf(childOf(section, "type"), "val") ?? "";
  return !/^(?:continuous|nextColumn)$/.test(type);
}
