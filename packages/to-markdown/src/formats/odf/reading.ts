import { type Block, paragraph } from "../blocks.ts";
import { findAll } from "../xml-tree.ts";
import { readOdfRuns, type RunSource } from "./odf-runs.ts";
import type { OdfStyles } from "./odf-styles.ts";

/** The state while a body is read: its document, and the footnotes so far. */
export interface OdfReading {
  styles: OdfStyles;
  showImage: RunSource["showImage"];
  /** An embedded object, such as a chart. */
  readObject(path: string): Block[];
  /** Footnotes of the current page. */
  notes: Block[];
  noteCount: number;
  /** The last numbers of lists by their identity and style, which later ones may continue. */
  numbers: Map<string, number>;
  /** What the form's elements show, by their ids. */
  controls: Map<string, string>;
  pagesEnd: {
    /** Whether a program that displayed the text marked where its pages end. */
    rendered: boolean;
    /** Whether a page ends where it cannot be shown, as in a frame. */
    unclear: boolean;
  };
}

/** The position of an element in the document. */
export interface OdfPlace {
  depth: number;
  /** The style of the list that contains it. */
  list?: string | undefined;
  /** The numbers of the items that contain it, outermost first. */
  numbers?: readonly number[] | undefined;
  marker?: string | undefined;
  /** What the reader sees before the item, unless the marker says it. */
  label?: string | undefined;
  /** Whether pages break here. */
  pages: boolean;
}

export function startOdfReading(
  document: Pick<OdfReading, "styles" | "showImage" | "readObject" | "controls">,
): OdfReading {
  const pagesEnd = { rendered: false, unclear: false };
  return { ...document, notes: [], noteCount: 0, numbers: new Map(), pagesEnd };
}

/** Makes the source of a paragraph's runs. Notes are kept for the end of the page. */
export function runSourceOf(reading: OdfReading): RunSource {
  const source: RunSource = {
    styles: reading.styles,
    showImage: reading.showImage,
    controlOf: (id) => reading.controls.get(id),
    attach: () => undefined,
    note(body) {
      reading.noteCount += 1;
      const runs = findAll(body, "p").flatMap((line) => [
        { text: " " },
        ...readOdfRuns(line, { ...source, note: () => undefined }),
      ]);
      const mark = { raw: true, text: `[^${reading.noteCount}]: ` };
      reading.notes.push(paragraph([mark, ...runs.slice(1)]));
      return reading.noteCount;
    },
  };
  return source;
}

/** Adds the footnotes of the page, then the page break. */
export function endOdfPage(reading: OdfReading, blocks: Block[]): void {
  for (const note of reading.notes) blocks.push(note);
  reading.notes = [];
  blocks.push({ kind: "page" });
}
