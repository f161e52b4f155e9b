import { type Segment, textOf } from "./layout.ts";
import { isCaption } from "./names-nothing.ts";

type Band = readonly Segment[];

/** The number of an equation at the end of its line. */
const EQUATION_NUMBER = /^\((?:[A-Z]\.?)?\d{1,3}[a-z]?\)$/;
/** What two sides of an equation have between them, … */
const RELATION = /[=≈≡∝]/;
/** … and what lines of one equation have in a column of its own. */
const ALIGNED = /^[=≡]$/;
/** A title has at least so many characters, which the name of a row ("Figure 1") has not. */
const MIN_TITLE = 24;
/** … unless it says what the number names. */
const NAMED = /^\p{L}+\.?\s[\dA-Z.-]+[a-z]?:\s\p{L}{2}/u;
const FIRST_WORD = /^\p{L}+[.:]?\s/u;

/**
 * Whether a line is no row of a table, although it stands in pieces as rows do: the title of a
 * table, of which a word stands apart, or an equation.
 * @param beside the lines above and below it: rows that all begin so are a list of tables
 */
export function isOutsideRows(
  band: Band,
  beside: readonly (Band | undefined)[] = [],
): boolean {
  if (isEquation(band)) return true;
  return isTitle(band) && !beside.some((other) => other !== undefined && isTitle(other));
}

const sorted = (band: Band): Segment[] => band.toSorted((a, b) => a.left - b.left);

function isTitle(band: Band): boolean {
  const text = sorted(band).map(textOf).join(" ");
  const isLong = text.length >= MIN_TITLE || (band.length === 1 && NAMED.test(text));
  return isLong && FIRST_WORD.test(text) && isCaption(text);
}

function isEquation(band: Band): boolean {
  const pieces = sorted(band);
  if (pieces.some((piece) => ALIGNED.test(textOf(piece)))) return true;
  const number = pieces.pop();
  if (!number || !EQUATION_NUMBER.test(textOf(number))) return false;
  return pieces.some((piece) => RELATION.test(textOf(piece)));
}
