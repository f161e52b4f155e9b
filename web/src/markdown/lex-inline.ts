import type { Token, TokenizerExtension, Tokens } from "marked";
import { readCitation } from "./citation-marks.ts";

/** What models write within a line and CommonMark does not have. */

/** Numbers in brackets that cite sources. */
export interface CiteToken extends Tokens.Generic {
  type: "cite";
  raw: string;
  indexes: number[];
}

/** Elements of HTML that only change how their text looks. */
const TAGS = ["sub", "sup", "kbd", "mark", "ins", "small", "u", "b", "i"] as const;
export interface TagToken extends Tokens.Generic {
  type: "tag";
  tag: (typeof TAGS)[number];
  tokens: Token[];
}
export interface FootnoteRefToken extends Tokens.Generic {
  type: "footnoteRef";
  label: string;
}

/** Numbers in brackets; see `citation-marks.ts`. */
const cite: TokenizerExtension = {
  name: "cite",
  level: "inline",
  start: (source) => source.match(/\[\d/)?.index,
  tokenizer(source): CiteToken | undefined {
    const citation = readCitation(source);
    return citation && { type: "cite", ...citation };
  },
};

const TAG = /^<(sub|sup|kbd|mark|ins|small|u|b|i)>([^<]{1,300})<\/\1>/i;

/** `H<sub>2</sub>O`, `<kbd>Ctrl</kbd>`. */
const tag: TokenizerExtension = {
  name: "tag",
  level: "inline",
  start: (source) => source.match(/<(?:sub|sup|kbd|mark|ins|small|u|b|i)>/i)?.index,
  tokenizer(source): TagToken | undefined {
    const found = TAG.exec(source);
    if (!found) return undefined;
    return {
      type: "tag",
      raw: found[0],
      tag: (found[1] ?? "").toLowerCase() as TagToken["tag"], // one of those in the expression
      tokens: this.lexer.inlineTokens(found[2] ?? ""),
    };
  },
};

/** `==marked==`. Code compares with `==`: no letter stands before or behind the marks. */
const mark: TokenizerExtension = {
  name: "highlight",
  level: "inline",
  start: (source) => source.match(/(?<![\p{L}\p{N}=)\]])==(?=[^\s=])/u)?.index,
  tokenizer(source): TagToken | undefined {
    const found = /^==(?=[^\s=])([^=\n]{0,299}[^\s=])==(?![\p{L}\p{N}=])/u.exec(source);
    if (!found) return undefined;
    const tokens = this.lexer.inlineTokens(found[1] ?? "");
    return { type: "tag", raw: found[0], tag: "mark", tokens };
  },
};

/** `[^1]`. */
const footnoteRef: TokenizerExtension = {
  name: "footnoteRef",
  level: "inline",
  start: (source) => source.match(/\[\^/)?.index,
  tokenizer(source): FootnoteRefToken | undefined {
    const found = /^\[\^([^\]\s^]{1,60})\]/.exec(source);
    if (!found) return undefined;
    return { type: "footnoteRef", raw: found[0], label: found[1] ?? "" };
  },
};

export const INLINE = [cite, tag, mark, footnoteRef];
