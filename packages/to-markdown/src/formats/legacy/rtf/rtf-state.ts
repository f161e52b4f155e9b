import type { Run } from "../../blocks.ts";

/** Where the text of a group goes: into the document, or into data of the file. */
export type Destination =
  | "body"
  | "skip"
  | "fonts"
  | "styles"
  | "title"
  | "author"
  | "instruction"
  | "marker"
  | "form"
  | "entry"
  | "head"
  | "foot"
  | "note"
  | "picture";

/** The state that a group inherits, and that is restored when it ends. */
export interface RtfState {
  destination: Destination;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  hidden: boolean;
  up: boolean;
  font: number;
  /** The number of substitute characters after each Unicode character. */
  fallback: number;
  href: string | undefined;
  inTable: boolean;
  /** The nesting level of the table, from 1. */
  nesting: number;
  style: number;
  outline: number | undefined;
  level: number;
  list: number;
  /** In twentieths of a point. */
  indent: number;
}

export const START: RtfState = {
  destination: "body",
  bold: false,
  italic: false,
  strike: false,
  hidden: false,
  up: false,
  font: -1,
  fallback: 1,
  href: undefined,
  inTable: false,
  nesting: 1,
  style: -1,
  outline: undefined,
  level: 0,
  list: 0,
  indent: 0,
};

function resetParagraph(state: RtfState): void {
  Object.assign(state, {
    inTable: false,
    nesting: 1,
    style: -1,
    outline: undefined,
    level: 0,
    list: 0,
    indent: 0,
  });
}

function resetCharacters(state: RtfState): void {
  Object.assign(state, {
    bold: false,
    italic: false,
    strike: false,
    hidden: false,
    up: false,
    font: -1,
  });
}

export function lookOf({ bold, italic, strike, href }: RtfState): Omit<Run, "text"> {
  return { bold, italic, strike, href };
}

/**
 * Destinations whose text is not part of the document. Source: RTF specification 1.9.1, appendix of
 * destinations.
 */
export const SKIPPED = new Set(
  "colortbl stylerestrictions listtable listoverridetable revtbl rsidtbl generator filetbl ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn pntxta pntxtb pnseclvl xe tc themedata colorschememapping latentstyles datastore xmlnstbl mmathPr wgrffmtfilter fldtype bkmkstart bkmkend annotation atnid atnauthor atnref atndate nonshppict objdata objclass objname template passwordhash operator company category keywords comment doccomm subject manager hlinkbase userprops docvar private nextfile background falt panose fname do shpinst".split(
    " ",
  ),
);

/** Control words that stand for a character. */
export const CHARACTERS: Record<string, string> = {
  tab: "\t",
  line: "\n",
  lbr: "\n",
  softline: "\n",
  emdash: "—",
  endash: "–",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  "~": "\u00a0",
  _: "-",
  "\\": "\\",
  "{": "{",
  "}": "}",
};

type Control = (state: RtfState, value: number | undefined) => unknown;

/** Control words that only change the state of their group. */
export const STATE_CONTROLS: Record<string, Control> = {
  b: (state, value) => (state.bold = value !== 0),
  i: (state, value) => (state.italic = value !== 0),
  strike: (state, value) => (state.strike = value !== 0),
  striked: (state, value) => (state.strike = value !== 0),
  v: (state, value) => (state.hidden = value !== 0),
  deleted: (state, value) => (state.hidden = value !== 0),
  super: (state) => (state.up = true),
  nosupersub: (state) => (state.up = false),
  plain: resetCharacters,
  pard: resetParagraph,
  intbl: (state) => (state.inTable = true),
  uc: (state, value) => (state.fallback = Math.max(0, Math.min(20, value ?? 1))),
  s: (state, value) => (state.style = value ?? -1),
  f: (state, value) => (state.font = value ?? -1),
  ilvl: (state, value) => (state.level = Math.max(0, Math.min(8, value ?? 0))),
  ls: (state, value) => (state.list = value ?? 0),
  li: (state, value) => (state.indent = value ?? 0),
};

/** Control words that lead the text of their group elsewhere. */
export const DESTINATIONS: Record<string, Destination> = {
  fonttbl: "fonts",
  stylesheet: "styles",
  title: "title",
  author: "author",
  fldinst: "instruction",
  formfield: "form",
  ffl: "entry",
  header: "head",
  headerl: "head",
  headerr: "head",
  headerf: "head",
  footer: "foot",
  footerl: "foot",
  footerr: "foot",
  footerf: "foot",
  listtext: "marker",
  pntext: "marker",
  pict: "picture",
};
