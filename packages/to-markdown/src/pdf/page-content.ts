import type { Box } from "./geometry.ts";

/** The content of a page as the file draws it, before it is interpreted. */
export interface PageContent {
  /** Counted from 1. */
  number: number;
  width: number;
  height: number;
  glyphs: Glyph[];
  /** Characters across the reading direction: titles of axes, stamps in the margin. */
  turned: TurnedGlyph[];
  rules: Rule[];
  /** Filled rectangles that are not white: backgrounds of cells, boxes, bars. */
  fills: Fill[];
  /** Filled shapes with curves: the slices of a pie, but also drawings. */
  curves: Fill[];
  images: PageImage[];
  links: Link[];
  /** The number of characters that were left out because they are invisible. */
  hidden: number;
  /** The number of visible characters whose letter the file does not state. */
  unread: number;
  /** Whether content beyond the limits was left out. */
  cut: boolean;
}

/** One character as it is drawn. */
export interface Glyph extends Box {
  text: string;
  baseline: number;
  /** The font size in points as it appears on the page. */
  size: number;
  style: Style;
  /** Whether the file has a space character before it. */
  spaced: boolean;
  /** Whether it is part of the same drawing as the character before it, a ligature. */
  ligature: boolean;
  /** Its table cell by the tags of the file. */
  cell?: TaggedCell | undefined;
}

/** A character that is rotated against the lines of its page, with its box on the upright page. */
export interface TurnedGlyph extends Box {
  text: string;
  /** The direction of its line in the PDF, in degrees. */
  angle: number;
  /** Its origin in the coordinates of the PDF. */
  x: number;
  y: number;
  size: number;
  /** Whether a space precedes it. */
  spaced: boolean;
}

/** The tag of a piece of content in a tagged file. */
export interface ContentRole {
  /** `H1`, `P`, `LI`, `TD`, `Artifact` and others. */
  tag: string;
  cell?: TaggedCell;
}

/** A table cell by the tags of the file; all of its content shares one object. */
export interface TaggedCell {
  /** Distinguishes the tables of a page. */
  table: number;
  row: number;
  column: number;
  /** The number of columns that it spans. */
  across: number;
  head: boolean;
}

/** The typography of text; all glyphs with the same typography share one object. */
export interface Style {
  font: string;
  bold: boolean;
  italic: boolean;
  /** Monospaced, as code is. */
  mono: boolean;
  /** Its tag in a tagged file: `H1`, `P`, `LI`, `TD`, `Artifact` and others. */
  tag?: string;
}

/** A drawn line: along x if `horizontal`. `at` is its place on the other axis. */
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
