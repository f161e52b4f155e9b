import { Marked, type Token, type TokenizerExtension, type Tokens } from "marked";
import { BLOCKS } from "./lex-blocks.ts";
import { INLINE } from "./lex-inline.ts";

/** A formula. */
export interface MathToken extends Tokens.Generic {
  type: "math" | "mathBlock";
  raw: string;
  tex: string;
  /** Whether its end has not come: it may still grow. */
  isOpen?: boolean;
}

/** Environments of LaTeX that stand for a formula without dollars or brackets round them. */
const ENVIRONMENT =
  /^ {0,3}(\\begin\{(equation|align(?:ed|at)?|gather(?:ed)?|multline|split|eqnarray|array|[pbvBV]?matrix|smallmatrix|[dr]?cases)(\*?)\}[\s\S]*?\\end\{\2\3\})[ \t]*(?:\n|$)/;

/** The same, up to the end of the text. */
const OPEN_ENVIRONMENT = new RegExp(
  `${ENVIRONMENT.source.split("[\\s\\S]")[0]}[^\\n]*(?:\\n[^\\n]+)*)\\n?$`,
);

/** As models write formulas: `$$…$$`, `\[…\]` or `\begin{…}` on lines of their own. */
const mathBlock: TokenizerExtension = {
  name: "mathBlock",
  level: "block",
  start: (source) => source.match(/^ {0,3}(?:\$\$|\\\[|\\begin\{)/m)?.index,
  tokenizer(source): MathToken | undefined {
    const found =
      /^ {0,3}(?:\$\$([^\n$]+)\$\$|\\\[([^\n]+?)\\\])[ \t]*(?:\n|$)/.exec(source) ??
      // begun and ended within lines of text, over several lines
      /^ {0,3}\$\$([^\n$]+(?:\n[^\n$]+)+)\$\$[ \t]*(?:\n|$)/.exec(source) ??
      /^ {0,3}\\\[([^\n\]]+(?:\n[^\n]+?){1,40})\\\][ \t]*(?:\n|$)/.exec(source) ??
      // these two stay open until they end
      /^ {0,3}\$\$[ \t]*\n([\s\S]*?)(?:\n {0,3}\$\$[ \t]*(?:\n|$)|$)/.exec(source) ??
      /^ {0,3}\\\[[ \t]*\n([\s\S]*?)(?:\n {0,3}\\\][ \t]*(?:\n|$)|$)/.exec(source) ??
      ENVIRONMENT.exec(source) ??
      OPEN_ENVIRONMENT.exec(source);
    if (!found) return undefined;
    const [raw] = found;
    const isOpen = !/(?:\$\$|\\\]|\\end\{\w+\*?\})\s*$/.test(raw);
    return {
      type: "mathBlock",
      raw,
      tex: found[1] ?? found[2] ?? "",
      ...(isOpen && { isOpen }),
    };
  },
};

/** `5 or 10`, the text between two amounts: a number, then a word. */
const AMOUNT = /^\d[\d.,]*\s+\p{L}{2}/u;

/**
 * `$x$`, `$$x$$`, `\(x\)` or `\[x\]` within a line. A dollar also stands before amounts and
 * shell variables. So the dollars of a formula touch it, no letter or digit stands before the
 * first one, and none, nor the brackets of `${…}` and `$(…)`, behind the last one.
 */
const math: TokenizerExtension = {
  name: "math",
  level: "inline",
  start: (source) => source.match(/(?<![\p{L}\p{N}])\$|\\[([]/u)?.index,
  tokenizer(source): MathToken | undefined {
    const dollars =
      /^\$\$(?!\s)([^\n$]+?)\$\$/.exec(source) ??
      /^\$(?![\s$])([^\n$]*?[^\s\\$])\$(?![\p{L}\p{N}_{(])/u.exec(source);
    if (dollars && AMOUNT.test(dollars[1] ?? "")) return undefined;
    const found =
      dollars ?? /^\\\(([^\n]+?)\\\)/.exec(source) ?? /^\\\[([^\n]+?)\\\]/.exec(source);
    return found ? { type: "math", raw: found[0], tex: found[1] ?? "" } : undefined;
  },
};

/** Scripts that put no space between words, so that marks of emphasis touch letters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * CommonMark takes `**重要：**这是` for no emphasis, because punctuation stands before the marks
 * and a letter behind them. Where such a letter belongs to a script without spaces, or the
 * first marks stand behind a space, models mean emphasis.
 */
function readTouchingEmphasis(source: string, masked: string, before: string) {
  const marks = /^(\*{1,2})(?![*\s])/.exec(source)?.[1];
  if (!marks) return undefined;
  const rest = masked.slice(-source.length).slice(marks.length);
  const end = endOf(rest, marks);
  if (end <= 0) return undefined;
  const text = source.slice(marks.length, marks.length + end);
  const after = source.slice(marks.length * 2 + end).match(/^./su)?.[0] ?? "";
  const [first = "", last = ""] = [[...text].at(0), [...text].at(-1)];
  const isClosing = PUNCTUATION.test(last) && isLetter(after);
  const isOpening = PUNCTUATION.test(first) && UNSPACED.test(before);
  const mayClose = UNSPACED.test(after) || /^\s?$/.test(before);
  if (/\s/.test(last) || !(isOpening || (isClosing && mayClose))) return undefined;
  return { marks, text };
}

const isLetter = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Where the next run of exactly these marks begins, in the same paragraph; -1 if none does. */
function endOf(text: string, marks: string): number {
  for (const run of text.matchAll(/\*+/g)) {
    if (run[0] === marks) return run.index;
  }
  return -1;
}

const marked = new Marked({
  gfm: true,
  extensions: [mathBlock, math, ...BLOCKS, ...INLINE],
  tokenizer: {
    /** One tilde means "about", a range or a home folder: only two strike through. */
    del: (source) => (source.startsWith("~~") ? false : undefined),
    emStrong(source, masked, before = "") {
      const found = readTouchingEmphasis(source, masked, before);
      if (!found) return false;
      const { marks, text } = found;
      const raw = marks + text + marks;
      const type = marks.length === 2 ? "strong" : "em";
      return { type, raw, text, tokens: this.lexer.inlineTokens(text) };
    },
  },
});

/** The blocks of a Markdown text. */
export function lex(text: string): Token[] {
  return marked.lexer(text);
}
