/** The result of every parser backend. */
export interface ParsedFile {
  /**
   * GitHub-flavoured Markdown. Form feeds (`\f`) separate pages: there are always `pages - 1` of
   * them.
   */
  markdown: string;
  /** The number of pages of the source; 1 for a source without pages. */
  pages: number;
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
