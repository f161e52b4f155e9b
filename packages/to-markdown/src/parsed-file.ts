/** The result of every parser backend. */
export interface ParsedFile {
  /**
   * GitHub-flavoured Markdown. Form feeds (`\f`) separate pages: there are always `pages - 1` of
   * them.
   */
  markdown: string;
  /** The number of parts that form feeds separate; 1 for a source without pages. */
  pages: number;
  /** What those parts are. Absent: the backend does not say. */
  layout?: TextLayout;
  title?: string;
  author?: string;
  /** ISO 639-1 code, if the file states it. */
  language?: string;
  /** Sentences about missing or doubtful content. */
  warnings: string[];
  /** One entry per page, in order, for the quality gate. */
  pageQuality: PageQuality[];
  /** With `extractTables`. */
  tables?: ParsedTable[];
  /** With `extractImages`. */
  images?: ParsedImage[];
  /** Lines that repeat at the edges of pages; the markdown does not contain them. */
  furniture?: Furniture[];
  /** Files inside it that were not read yet. */
  attachments?: AttachedFile[];
}

/** Where the text of a file stands, as far as the file itself says so. */
export interface TextLayout {
  /** What the parts of the text are. `none`: the file does not say on which page its text is. */
  kind: "pages" | "slides" | "sheets" | "chapters" | "none";
  /** How many parts, from the first, are of this kind; files that it contains follow. */
  parts: number;
  /** The names of its sheets or chapters, in order; empty for one without. */
  names?: string[];
  /**
   * In order, `[part, line, number]`: from this line of a part on (the part counts from 1, the line
   * from 0), lines are on this page, or successive rows of a sheet. 0: it is not known.
   */
  lines?: [number, number, number][];
}

/** More names or lines are not kept: the place of what follows is less exact. */
export const MAX_LAYOUT_NAMES = 1_000;
export const MAX_LAYOUT_LINES = 2_000;
const MAX_NAME_CHARACTERS = 120;

export function layoutName(name: string): string {
  return [...name.replace(/\s+/g, " ").trim()].slice(0, MAX_NAME_CHARACTERS).join("");
}

export interface Furniture {
  /** The first page that shows the line, counted from 1. */
  page: number;
  text: string;
}

export interface AttachedFile {
  name: string;
  bytes: Uint8Array;
}

export interface PageQuality {
  /** Counted from 1. */
  page: number;
  /** Characters of text on the page, without white space. */
  characters: number;
  /** Pictures on the page that are large enough to contain text. */
  images: number;
  /** The part of the page that its largest picture covers; absent where it is less than half. */
  covered?: number;
  /** Visible characters whose letter the file does not state; absent for none. */
  unread?: number;
}

export interface ParsedTable {
  page: number;
  /** Header first where the table has one; every row has the same number of cells. */
  rows: string[][];
}

export interface ParsedImage {
  page: number;
  name: string;
  mimeType: string;
  bytes: Uint8Array;
  caption?: string;
}
