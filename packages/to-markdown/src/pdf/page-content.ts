import type { Box } from "./geometry.ts";

/** What stands on a page, before any thought about what it means. */
export interface PageContent {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  glyphs: Glyph[];
  /** Characters across the direction of reading: axis titles, stamps on the margin. */
  turned: TurnedGlyph[];
  rules: Rule[];
  /** Filled rectangles that are not white: backgrounds of cells, boxes, bars. */
  fills: Fill[];
  images: PageImage[];
  links: Link[];
  /** Characters left out because no reader sees them. */
  hidden: number;
  /** Characters that are drawn, but of which the file does not say the letter. */
  unread: number;
  /** Whether there was more than the limits let in. */
  cut: boolean;
}

/** One character as it is set. */
export interface Glyph extends Box {
  text: string;
  baseline: number;
  /** Type size in points as it appears on the page. */
  size: number;
  style: Style;
  /** Whether the file itself has a space before it. */
  spaced: boolean;
  /** Whether it is drawn by the same sign as the character before: of a ligature. */
  ligature: boolean;
  /** The cell that its author put it into, in a tagged file. */
  cell?: TaggedCell | undefined;
}

/** A character that does not stand in the direction of its page's lines. */
export interface TurnedGlyph {
  text: string;
  /** Direction of its line in the PDF, in degrees. */
  angle: number;
  /** Its origin, in the space of the PDF. */
  x: number;
  y: number;
  size: number;
  /** Whether a space stands before it. */
  spaced: boolean;
}

/** What the author of a tagged file says of a piece of content. */
export interface ContentRole {
  /** H1, P, LI, TD, Artifact… */
  tag: string;
  cell?: TaggedCell;
}

/** A cell of a table as its author made it; one object for all of its content. */
export interface TaggedCell {
  /** Tells the tables of a page apart. */
  table: number;
  row: number;
  column: number;
  /** Columns that it covers. */
  across: number;
  head: boolean;
}

/** How text is set; one object for all glyphs set alike. */
export interface Style {
  font: string;
  bold: boolean;
  italic: boolean;
  /** Every character as wide as the other: code. */
  mono: boolean;
  /** The role its author gave the text, in a tagged file: H1, P, LI, TD, Artifact… */
  tag?: string;
}

/** A drawn line, along x when `horizontal`, at `at` on the other axis. */
export interface Rule {
  horizontal: boolean;
  at: number;
  from: number;
  to: number;
}

export interface Fill extends Box {
  /** 0xRRGGBB. */
  colour: number;
}

export interface PageImage extends Box {
  /** PDFium's object, valid while the page is open. */
  object: number;
}

export interface Link extends Box {
  target: string;
}
