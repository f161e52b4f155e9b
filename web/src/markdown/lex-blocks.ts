import type { Token, TokenizerExtension, TokenizerThis, Tokens } from "marked";

/** Blocks that models write and CommonMark does not have: alerts, folded parts, footnotes. */

const ALERTS = ["note", "tip", "important", "warning", "caution"] as const;
export type AlertKind = (typeof ALERTS)[number];

export interface AlertToken extends Tokens.Generic {
  type: "alert";
  kind: AlertKind;
  tokens: Token[];
}
export interface DetailsToken extends Tokens.Generic {
  type: "details";
  summary: Token[];
  /** Whether it is shown open at first, as it also is until its end has come. */
  isOpen: boolean;
  tokens: Token[];
}
export interface FootnoteToken extends Tokens.Generic {
  type: "footnote";
  label: string;
  tokens: Token[];
}

/** Deeper ones are read as plain text: each level reads its text again. */
const MAX_DEPTH = 5;
let depth = 0;

const ALERT = /^ {0,3}> {0,3}\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/** `> [!NOTE]`, then the lines of its quote. */
const alert: TokenizerExtension = {
  name: "alert",
  level: "block",
  start: (source) => source.match(/^ {0,3}> {0,3}\[!/m)?.index,
  tokenizer(source): AlertToken | undefined {
    const head = depth < MAX_DEPTH && ALERT.exec(source);
    if (!head) return undefined;
    const lines =
      /^(?: {0,3}>[^\n]*(?:\n|$))*/.exec(source.slice(head[0].length))?.[0] ?? "";
    const text = lines.replace(/^ {0,3}> ?/gm, "");
    return nested(this, (tokens) => ({
      type: "alert",
      raw: head[0] + lines,
      kind: (head[1] ?? "").toLowerCase() as AlertKind, // one of those in the expression
      tokens: tokens(text),
    }));
  },
};

const DETAILS = /^ {0,3}<details( open)?[^<>]{0,200}>/i;
const SUMMARY = /^\s*<summary>([^\n]*?)<\/summary>/i;

/** `<details><summary>…</summary>…</details>`. What has not ended yet goes on to the end. */
const details: TokenizerExtension = {
  name: "details",
  level: "block",
  start: (source) => source.match(/^ {0,3}<details/im)?.index,
  tokenizer(source): DetailsToken | undefined {
    const head = depth < MAX_DEPTH && DETAILS.exec(source);
    if (!head) return undefined;
    const end = endOfDetails(source);
    const inner = source.slice(head[0].length, end?.from);
    const summary = SUMMARY.exec(inner);
    return nested(this, (tokens) => ({
      type: "details",
      raw: source.slice(0, end?.to),
      summary: this.lexer.inlineTokens(summary?.[1] ?? ""),
      isOpen: head[1] !== undefined || !end,
      tokens: tokens(inner.slice(summary?.[0].length ?? 0)),
    }));
  },
};

/** Where the end tag of the element at the beginning stands. */
function endOfDetails(source: string): { from: number; to: number } | undefined {
  let depth = 0;
  for (const { 0: tag, 1: slash, index } of source.matchAll(/<(\/?)details\b[^<>]*>/gi)) {
    depth += slash ? -1 : 1;
    if (depth > 0) continue;
    const line = /^[ \t]*\n?/.exec(source.slice(index + tag.length))?.[0] ?? "";
    return { from: index, to: index + tag.length + line.length };
  }
  return undefined;
}

const FOOTNOTE = /^ {0,3}\[\^([^\]\s^]{1,60})\]:([^\n]*)\n?/;
/** Lines that belong to a footnote: indented ones, also behind empty ones. */
const FOOTNOTE_LINES = /^(?:(?: {2}|\t)[^\n]*)?(?:\n+(?: {2}|\t)[^\n]*)*\n?/;

/** `[^1]: text`. */
const footnote: TokenizerExtension = {
  name: "footnote",
  level: "block",
  start: (source) => source.match(/^ {0,3}\[\^[^\]\s^]{1,60}\]:/m)?.index,
  tokenizer(source): FootnoteToken | undefined {
    const head = depth < MAX_DEPTH && FOOTNOTE.exec(source);
    if (!head) return undefined;
    const rest = FOOTNOTE_LINES.exec(source.slice(head[0].length))?.[0] ?? "";
    const text = `${(head[2] ?? "").trimStart()}\n` + rest.replace(/^(?: {2,4}|\t)/gm, "");
    return nested(this, (tokens) => ({
      type: "footnote",
      raw: head[0] + rest,
      label: head[1] ?? "",
      tokens: tokens(text),
    }));
  },
};

function nested<T>(
  { lexer }: TokenizerThis,
  read: (tokens: (text: string) => Token[]) => T,
): T {
  depth += 1;
  try {
    return read((text) => lexer.blockTokens(text, []));
  } finally {
    depth -= 1;
  }
}

export const BLOCKS = [alert, details, footnote];
