import type { Run } from "../blocks.ts";
import type { Relationship, OfficePackage } from "../ooxml/open-package.ts";
import {
  type Element,
  findAll,
  isElement,
  attributeOf,
  childOf,
  elementsOf,
  readXmlTree,
} from "../xml-tree.ts";
import type { Numbering } from "./read-numbering.ts";
import { type Piece, readRuns, type RunSource } from "./read-runs.ts";
import type { Style } from "./read-styles.ts";

/** A part that is read after the document itself. */
export interface Later {
  kind: "chart" | "diagram" | "chunk";
  element: Element;
  into: Piece[];
}

/** The parts of a document that its body refers to. */
export interface DocxParts {
  styles: Map<string, Style>;
  relationships: Map<string, Relationship>;
  numbering: Numbering;
  notes: { footnote: Notes; endnote: Notes };
  showImage(path: string, alt: string): string;
  later: Later[];
}

/** The state while a body is read. */
export interface DocxReading {
  parts: DocxParts;
  /** Open fields; one may span several paragraphs. */
  fields: RunSource["fields"];
  /** The footnotes of this page. */
  pageNotes: Run[][];
  noteCount: number;
}

export function startDocxReading(parts: DocxParts): DocxReading {
  return { parts, fields: [], pageNotes: [], noteCount: 0 };
}

/**
 * Makes the source of the runs of a paragraph. `attach` takes what is attached to the paragraph.
 */
export function runSourceOf(reading: DocxReading, attach: RunSource["attach"]): RunSource {
  const { styles, relationships, showImage } = reading.parts;
  return {
    styles,
    relationships,
    fields: reading.fields,
    showImage,
    attach,
    note: (kind, id) => takeNote(reading, kind, id),
  };
}

function takeNote(
  reading: DocxReading,
  kind: "footnote" | "endnote",
  id: string,
): number | undefined {
  const { elements, relationships } = reading.parts.notes[kind];
  const element = elements.get(id);
  if (!element) return undefined;
  reading.noteCount += 1;
  const source = {
    ...runSourceOf(reading, () => undefined),
    relationships,
    fields: [],
    note: () => undefined,
  };
  const runs = findAll(element, "p").flatMap((line) => [
    { text: " " },
    ...readRuns(line, source).runs,
  ]);
  const start = runs.findIndex(({ text }) => text.trim() !== "");
  const mark = { raw: true, text: `[^${reading.noteCount}]: ` };
  reading.pageNotes.push([mark, ...runs.slice(Math.max(0, start))]);
  return reading.noteCount;
}

const WRAPPER = /^(?:sdt|sdtContent|customXml|ins|moveTo|smartTag)$/;

/** The paragraphs and tables of a container, including those in content controls. */
export function blocksIn(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name === "p" || child.name === "tbl") return [child];
    return WRAPPER.test(child.name) ? blocksIn(child) : [];
  });
}

/** Footnotes or endnotes by id, with the targets of their links. */
interface Notes {
  elements: Map<string, Element>;
  relationships: Map<string, Relationship>;
}

export async function readNotes(
  office: OfficePackage,
  path: string | undefined,
): Promise<Notes> {
  if (!path || !office.archive.has(path))
    return { elements: new Map(), relationships: new Map() };
  const root = elementsOf(await readXmlTree(office.archive.text(path)))[0];
  const elements = new Map<string, Element>();
  for (const note of elementsOf(root)) {
    const type = attributeOf(note, "type");
    // separators are notes of other types
    if ((type === undefined || type === "normal") && childOf(note, "p"))
      elements.set(attributeOf(note, "id") ?? "", note);
  }
  return { elements, relationships: await office.relationships(path) };
}
