import { type Cell, paragraph, type Run, textOf } from "../blocks.ts";
import { isLayout } from "../lay-out-table.ts";
import type { Relationship } from "../ooxml/open-package.ts";
import { type Element, attributeOf, childOf, findAll } from "../xml-tree.ts";
import { tooComplex } from "../refuse-file.ts";
import type { Notes } from "./read-notes.ts";
import type { Numbering } from "./read-numbering.ts";
import { type Line, type Piece, readRuns, type RunSource } from "./read-runs.ts";
import type { Style } from "./read-styles.ts";
import { blocksIn } from "./blocks-in.ts";
import { readTableRows } from "./read-table.ts";

/** A part that is read when the document itself has been. */
export interface Later {
  kind: "chart" | "diagram" | "chunk";
  element: Element;
  into: Piece[];
}

/** More than ten thousand pages. */
const MAX_BLOCKS = 400_000;

interface Source {
  styles: Map<string, Style>;
  relationships: Map<string, Relationship>;
  numbering: Numbering;
  notes: { footnote: Notes; endnote: Notes };
  showImage(path: string, alt: string): string;
  later: Later[];
}

export interface Body {
  /** A paragraph or a table. */
  read(element: Element): void;
  push(piece: Piece): void;
  finish(): Piece[];
}

/**
 * Paragraphs and tables, in order, as blocks: headings, lists, notes at the end of their page,
 * pages.
 */
export function bodyReader(source: Source): Body {
  const pieces: Piece[] = [];
  let notes: Run[][] = [];
  let noteCount = 0;
  /** Whether something stands on this page since the author broke it. */
  let written = true;

  const runSource: RunSource = {
    styles: source.styles,
    relationships: source.relationships,
    fields: [],
    showImage: source.showImage,
    hang: () => undefined,
    note(kind, id) {
      const { elements, relationships } = source.notes[kind];
      const element = elements.get(id);
      if (!element) return undefined;
      noteCount += 1;
      const runs = findAll(element, "p").flatMap((inner) => [
        { text: " " },
        ...readRuns(inner, { ...runSource, relationships, fields: [], note: () => undefined }).runs,
      ]);
      const start = runs.findIndex(({ text }) => text.trim() !== "");
      notes.push([{ raw: true, text: `[^${noteCount}]: ` }, ...runs.slice(Math.max(0, start))]);
      return noteCount;
    },
  };

  const writeNotes = () => {
    for (const runs of notes) pieces.push(paragraph(runs));
    notes = [];
  };

  const breakPage = (kind: "explicit" | "rendered") => {
    // the program that showed the file marks the author's breaks once more
    if (kind === "rendered" && !written) return;
    writeNotes();
    pieces.push({ kind: "page" });
    written = kind === "rendered";
  };

  const put = (piece: Piece) => {
    if (pieces.length >= MAX_BLOCKS) throw tooComplex(`it has more than ${MAX_BLOCKS} paragraphs`);
    pieces.push(piece);
    written = true;
  };

  /** The paragraphs of a cell or a box: pages do not break in them. */
  const readInner = (
    elements: readonly Element[],
  ): { pieces: Piece[]; breaks: number; starts: boolean } => {
    const inner: Piece[] = [];
    let breaks = 0;
    let starts = false;
    for (const element of elements) {
      if (element.name === "tbl") {
        const table = readTable(element);
        inner.push(...table.pieces);
        breaks += table.breaks;
        continue;
      }
      const { line, hung, make } = readParagraph(element);
      if (line.breaks.length > 0 && breaks === 0 && inner.length === 0 && line.breaks[0]?.at === 0)
        starts = true;
      breaks += line.breaks.length;
      if (hasContent(line.runs)) inner.push(make(line.runs));
      inner.push(...hung);
    }
    return { pieces: inner, breaks, starts };
  };

  const readTable = (element: Element): { pieces: Piece[]; breaks: number; starts: boolean } => {
    const { rows, breaks, starts } = readTableRows(element, readInner);
    if (isLayout(rows))
      return {
        pieces: rows.flatMap((row) => row.flatMap((cell: Cell) => cell.blocks)),
        breaks,
        starts,
      };
    return { pieces: [{ kind: "table", rows, depth: 0, quote: 0 }], breaks, starts };
  };

  const readParagraph = (element: Element) => {
    const properties = childOf(element, "pPr");
    const style = source.styles.get(attributeOf(childOf(properties, "pStyle"), "val") ?? "");
    const hung: Piece[] = [];
    const hang: RunSource["hang"] = (kind, hanging) => {
      if (kind === "box") hung.push(readInner(blocksIn(hanging)).pieces);
      else {
        const into: Piece[] = [];
        hung.push(into);
        source.later.push({ kind, element: hanging, into });
      }
    };
    // a style that makes a whole paragraph bold or slanted emphasises nothing in it
    const look = { hidden: style?.hidden };
    const line = readRuns(element, { ...runSource, hang }, look);
    const marker = markerOf(properties, style);
    const heading = headingOf(properties, style);
    const make = (runs: Run[]): Piece => {
      if (heading !== undefined) {
        const label = marker?.label && marker.label !== "" ? [{ text: `${marker.label} ` }] : [];
        return { kind: "heading", level: heading, runs: [...label, ...runs] };
      }
      if (style?.code) return { kind: "code", text: textOf(runs), depth: 0, quote: 0 };
      if (!marker) return paragraph(runs, { quote: style?.quote ? 1 : 0 });
      const label =
        marker.marker === "-" && marker.label !== "" ? [{ text: `${marker.label} ` }] : [];
      return paragraph([...label, ...runs], { depth: marker.depth, marker: marker.marker });
    };
    return { line, hung, make, properties };
  };

  /** Counts on the list, so it is asked once a paragraph. */
  const markerOf = (properties: Element | undefined, style: Style | undefined) => {
    const numPr = childOf(properties, "numPr");
    const id = attributeOf(childOf(numPr, "numId"), "val") ?? style?.numbering?.id;
    if (id === undefined || id === "0") return undefined;
    const level = Number(
      attributeOf(childOf(numPr, "ilvl"), "val") ?? style?.numbering?.level ?? 0,
    );
    const depth = Number.isInteger(level) && level >= 0 && level < 9 ? level : 0;
    const next = source.numbering.next(id, depth);
    return next && { ...next, depth: depth + 1 };
  };

  const split = (line: Line, make: (runs: Run[]) => Piece) => {
    let from = 0;
    const total = textOf(line.runs).length;
    let after = 0;
    for (const { at, kind } of line.breaks) {
      const before = textOf(line.runs.slice(0, at)).trim().length;
      if (kind === "explicit" || before === 0) {
        if (hasContent(line.runs.slice(from, at))) put(make(line.runs.slice(from, at)));
        from = at;
        breakPage(kind);
      } else if (before > total / 2 || after > 0) after += 1;
      else breakPage("rendered");
    }
    if (hasContent(line.runs.slice(from))) put(make(line.runs.slice(from)));
    for (; after > 0; after -= 1) breakPage("rendered");
  };

  return {
    push: put,
    read(element) {
      if (element.name === "tbl") {
        const table = readTable(element);
        if (table.starts) breakPage("rendered");
        for (const piece of table.pieces) put(piece);
        for (let left = table.breaks - (table.starts ? 1 : 0); left > 0; left -= 1)
          breakPage("rendered");
        return;
      }
      const { line, hung, make, properties } = readParagraph(element);
      const own = childOf(properties, "pageBreakBefore");
      if (own && !/^(?:0|false|off)$/.test(attributeOf(own, "val") ?? "") && pieces.length > 0)
        breakPage("explicit");
      split(line, make);
      for (const piece of hung) put(piece);
      const section = childOf(properties, "sectPr");
      if (
        section &&
        !/^(?:continuous|nextColumn)$/.test(attributeOf(childOf(section, "type"), "val") ?? "")
      )
        breakPage("explicit");
    },
    finish() {
      writeNotes();
      return pieces;
    },
  };
}

function headingOf(properties: Element | undefined, style: Style | undefined): number | undefined {
  const own = attributeOf(childOf(properties, "outlineLvl"), "val");
  if (own === undefined) return style?.heading;
  const level = Number(own);
  return level >= 0 && level < 9 ? level + 1 : undefined;
}

function hasContent(runs: readonly Run[]): boolean {
  return runs.some(({ text, image }) => image !== undefined || text.trim() !== "");
}
