import { Marked, type Token, type TokenizerExtension, type Tokens } from "marked";

/** A formula, or numbers in brackets that cite sources. */
export interface MathToken extends Tokens.Generic {
  type: "math" | "mathBlock";
  raw: string;
  tex: string;
}
export interface CiteToken extends Tokens.Generic {
  type: "cite";
  raw: string;
  indexes: number[];
}

/** As models write formulas: `$$…$$` or `\[…\]` on lines of their own, open until they end. */
const mathBlock: TokenizerExtension = {
  name: "mathBlock",
  level: "block",
  start: (source) => source.match(/^ {0,3}(?:\$\$|\\\[)/m)?.index,
  tokenizer(source): MathToken | undefined {
    const line = /^ {0,3}(?:\$\$([^\n$]+)\$\$|\\\[([^\n]+?)\\\])[ \t]*(?:\n|$)/.exec(
      source,
    );
    if (line) return { type: "mathBlock", raw: line[0], tex: line[1] ?? line[2] ?? "" };
    const dollars = /^ {0,3}\$\$[ \t]*\n([\s\S]*?)(?:\n {0,3}\$\$[ \t]*(?:\n|$)|$)/.exec(
      source,
    );
    if (dollars) return { type: "mathBlock", raw: dollars[0], tex: dollars[1] ?? "" };
    const brackets = /^ {0,3}\\\[[ \t]*\n([\s\S]*?)(?:\n {0,3}\\\][ \t]*(?:\n|$)|$)/.exec(
      source,
    );
    if (brackets) return { type: "mathBlock", raw: brackets[0], tex: brackets[1] ?? "" };
    return undefined;
  },
};

/** `$x$` where the dollars touch the formula and no digit follows, or `\(x\)`. */
const math: TokenizerExtension = {
  name: "math",
  level: "inline",
  start: (source) => source.match(/\$|\\\(/)?.index,
  tokenizer(source): MathToken | undefined {
    const found =
      /^\$\$(?!\s)([^\n$]+?)\$\$/.exec(source) ??
      /^\$(?![\s$])([^\n$]*?[^\s\\$])\$(?!\d)/.exec(source) ??
      /^\\\(([^\n]+?)\\\)/.exec(source);
    return found ? { type: "math", raw: found[0], tex: found[1] ?? "" } : undefined;
  },
};

/** `[2]` or `[1, 3]`. A link in brackets, or its definition, is none. */
const cite: TokenizerExtension = {
  name: "cite",
  level: "inline",
  start: (source) => source.match(/\[\d/)?.index,
  tokenizer(source): CiteToken | undefined {
    const found = /^\[(\d{1,3}(?:, ?\d{1,3})*)\](?![([:])/.exec(source);
    if (!found) return undefined;
    return {
      type: "cite",
      raw: found[0],
      indexes: (found[1] ?? "").split(",").map(Number),
    };
  },
};

const marked = new Marked({ gfm: true, extensions: [mathBlock, math, cite] });

/** The blocks of a Markdown text. */
export function lex(text: string): Token[] {
  return marked.lexer(text);
}
