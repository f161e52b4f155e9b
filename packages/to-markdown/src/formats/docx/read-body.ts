import { paragraph, textOf } from "../blocks.ts";
import { tooComplex } from "../refuse-file.ts";
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
        if (starts) pages.end("rendered");
        for (const piece of pieces) pages.put(piece);
        pages.end("rendered", starts ? breaks - 1 : breaks);
        return;
      }
      const read = readParagraph(reading, element);
      if (!pages.isEmpty() && startsPage(read.properties)) pages.end("explicit");
      putSplit(pages, read);
      for (const piece of read.attached) pages.put(piece);
      if (endsPage(read.properties)) pages.end("explicit");
    },
    finish: pages.finish,
  };
}

interface Pages {
  isEmpty(): boolean;
  put(piece: Piece): void;
  /** Ends the page, with its notes. */
  end(kind: Break, times?: number): void;
  finish(): Piece[];
}

function pageWriter(reading: DocxReading): Pages {
  const pieces: Piece[] = [];
  /** Whether the page has content since the last explicit break */
  let written = true;

  const writeNotes = () => {
    for (const runs of reading.pageNotes) pieces.push(paragraph(runs));
    reading.pageNotes = [];
  };

  return {
    isEmpty: () => pieces.length === 0,
    put(piece) {
      if (pieces.length >= MAX_BLOCKS)
        throw tooComplex(`it has more than ${MAX_BLOCKS} paragraphs`);
      pieces.push(piece);
      written = true;
    },
    end(kind, times = 1) {
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

/** Puts a page break inside a paragraph before or after the paragraph, if a program made it. */
function putSplit(pages: Pages, { line, make }: Paragraph): void {
  const total = textOf(line.runs).length;
  let from = 0;
  let after = 0;
  for (const { at, kind } of line.breaks) {
    const before = textOf(line.runs.slice(0, at)).trim().length;
    if (kind === "explicit" || before === 0) {
      const runs = line.runs.slice(from, at);
      if (hasContent(runs)) pages.put(make(runs));
      from = at;
      pages.end(kind);
    } else if (before > total / 2 || after > 0) after += 1;
    else pages.end("rendered");
  }
  const rest = line.runs.slice(from);
  if (hasContent(rest)) pages.put(make(rest));
  pages.end("rendered", after);
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
