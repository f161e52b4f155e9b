import type { Token, Tokens } from "marked";
import type { CiteToken } from "./lex-inline.ts";

/**
 * Citations that end the cells of a column whose ends stand below each other: they hang beyond its
 * text, or figures with a source would stand further in than those without one.
 */

interface Split {
  text: Token[];
  cites: Token[];
}

/** A cell without the citations that end it, and these. */
export function splitCites(tokens: readonly Token[]): Split {
  let at = tokens.length;
  while (at > 0 && isCiteOrJoint(tokens[at - 1])) at -= 1;
  while (at < tokens.length && !isCite(tokens[at])) at += 1;
  if (at > 0 && at < tokens.length)
    return { text: withoutEndSpace(tokens.slice(0, at)), cites: tokens.slice(at) };
  // `**31 [1]**`
  const last = tokens.at(-1);
  if (!isStressed(last)) return { text: [...tokens], cites: [] };
  const inner = splitCites(last.tokens);
  const text = [...tokens.slice(0, -1), { ...last, tokens: inner.text }];
  return { text, cites: inner.cites };
}

/** The numbers of these tokens. */
export function citedBy(cites: readonly Token[]): number[] {
  return cites.flatMap((token) => (isCite(token) ? token.indexes : []));
}

/** In rem: of one digit, and around the digits of a number. */
const DIGIT = 0.4;
const AROUND = 0.85;

/** The room that citations need, in rem; see the look of `Cite`. */
export function roomOf(cites: readonly Token[]): number {
  const joints = cites.filter((token) => !isCite(token));
  const digits = [...citedBy(cites), ...joints.map(({ raw }) => raw)].join("").length;
  return DIGIT * digits + AROUND * citedBy(cites).length;
}

function isCite(token: Token | undefined): token is CiteToken {
  return token?.type === "cite";
}

function isCiteOrJoint(token: Token | undefined): boolean {
  return isCite(token) || (token?.type === "text" && /^[\s,;]{1,3}$/.test(token.raw));
}

function isStressed(token: Token | undefined): token is Tokens.Strong | Tokens.Em {
  return token?.type === "strong" || token?.type === "em";
}

function withoutEndSpace(tokens: Token[]): Token[] {
  const last = tokens.at(-1);
  if (last?.type !== "text" || last.tokens) return tokens;
  return [...tokens.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}
