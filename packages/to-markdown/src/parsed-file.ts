/** The result of every parser backend. */
export interface ParsedFile {
  /**
   * GitHub-flavoured markdown. Pages are separated by a form feed (`\f`): there are always `pages -
   * 1` of them.
   */
  markdown: string;
  /** Pages of the source; 1 for what has none. */
  pages: number;
  title?: string;
  author?: string;
  /** ISO 639-1 code, when the file itself says so. */
  language?: string;
  /** What a person should know about what is missing or doubtful, one sentence each. */
  warnings: string[];
  /** One entry a page, in order: what the quality gate decides by. */
  pageQuality: PageQuality[];
  /** With `extractTables`. */
  tables?: ParsedTable[];
  /** With `extractImages`. */
  images?: ParsedImage[];
  /** Files inside of it that were not read yet. */
  attachments?: AttachedFile[];
}

export interface AttachedFile {
  name: string;
  bytes: Uint8Array;
}

export interface PageQuality {
  /** From 1. */
  page: number;
  /** Characters of text on the page, white space not counted. */
  characters: number;
  /** Pictures on the page large enough to hold text. */
  images: number;
  /** Characters that are drawn, but of which the file does not say the letter; absent for none. */
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
