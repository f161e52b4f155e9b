import {
  type Destination,
  resetCharacters,
  resetParagraph,
  type RtfState,
} from "./rtf-state.ts";

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
