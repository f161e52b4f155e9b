import { BadRequest } from "./errors.ts";

/**
 * Levels of arrays and objects in any JSON that we take. Parsing bears more, but writing it again, and whatever else goes from level
 * to level, ends with the stack; and of a megabyte of brackets alone parsing makes a hundred of memory.
 */
export const DEEPEST_JSON = 100;

const QUOTE = 34;
const BACKSLASH = 92;
const BRACKET = 91;
const BRACE = 123;

/** Whether a JSON text is nested deeper than `levels`: found out before it is parsed. What is no JSON is for the parser to refuse. */
export function isDeeperText(text: string, levels = DEEPEST_JSON): boolean {
  // each level opens and closes
  if (text.length < 2 * levels) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > levels) return true;
      // the closing ones follow theirs by two
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth -= 1;
  }
  return false;
}

/** Where the quote stands that ends the string which begins here; the text's end, when none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** Whether a value is nested deeper than `levels`. */
export function isDeeper(value: unknown, levels = DEEPEST_JSON): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels <= 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

export function tooDeep(): BadRequest {
  return new BadRequest(
    "json_too_deep",
    `The body is nested deeper than ${DEEPEST_JSON} levels. Send it flatter.`,
  );
}
