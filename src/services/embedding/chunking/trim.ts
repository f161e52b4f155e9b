import type { Span } from "./fit.ts";

/** A part without the white space at both ends, like `String.trim` but with positions. */
export function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text, from)) from += 1;
  while (to > from && isSpace(text, to - 1)) to -= 1;
  return { start: from, end: to };
}

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit >= 160 && /\s/.test(text.charAt(at));
}
