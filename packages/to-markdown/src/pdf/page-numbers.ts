import type { Segment } from "./layout.ts";

/** A line that has the form of a page number, with the words around the number. */
export interface NumberedLine {
  number: number;
  /** The number of pages that the line states. */
  of?: number;
  /** Whether it has a word such as "page" before the number. */
  labelled: boolean;
}

/** How far the printed number of a page may be from its place in the file. */
const MAX_OFFSET = 50;
/** A label at most this many ems before a number belongs to it: `Invoice no. 12`. */
const LABEL_GAP = 10;
/** A page number is at most this much larger than the text. */
const MAX_SIZE = 1.3;

const LABEL = String.raw`(?:page|seite|p[aá]gina|p[aá]g\.?)`;
const OF = String.raw`(?:\s*(?:\/|of|von|de|sur|di)\s*(\d{1,5}))`;
const LONE = new RegExp(
  String.raw`^[-–—|\s]*(${LABEL}|p\.|s\.)?\s*(?:(\d{1,5})${OF}?|([ivxlc]{1,7}|[IVXLC]{1,7}))[-–—|\s]*$`,
  "i",
);
const INLINE = new RegExp(
  String.raw`(?<=^|[^\p{L}\p{N}])${LABEL}\s*\d{1,5}${OF}?(?!\p{L}|\p{N}|[.,]\d)`,
  "iu",
);

/** Reads a line that consists of a page number alone, in any usual form. */
export function readLoneNumber(text: string): NumberedLine | undefined {
  const [, label, digits, of, roman] = LONE.exec(text) ?? [];
  const number = digits === undefined ? romanOf(roman ?? "") : Number(digits);
  if (number === undefined) return undefined;
  return {
    number,
    ...(of !== undefined && { of: Number(of) }),
    labelled: label !== undefined && !/^[ps]\.$/i.test(label),
  };
}

/** A line without the number of its page, which is the only number of it that may differ. */
export const withoutPageNumber = (text: string): string =>
  text
    .replace(INLINE, "")
    .replace(/^\d{1,4}\s*[|•·]|[|•·]\s*\d{1,4}$/u, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const ROMAN = /^(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;
const VALUES = new Map([
  ["i", 1],
  ["v", 5],
  ["x", 10],
  ["l", 50],
  ["c", 100],
]);

function romanOf(text: string): number | undefined {
  const small = text.toLowerCase();
  if (small === "" || !ROMAN.test(small)) return undefined;
  const values = [...small].map((letter) => VALUES.get(letter) ?? 0);
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}

/** A lone number at the edge of a page, and what stands around it. */
export interface LoneNumber extends NumberedLine {
  segment: Segment;
  /** Counted from 0. */
  page: number;
  /** The other pieces of its line. */
  beside: readonly Segment[];
  /** The size of most text on the page. */
  bodySize: number;
}

/**
 * Whether a lone number is the number of its page. It counts like the pages around it, or is the
 * number of its page in the file; a number that could be data is none.
 */
export function isPageNumber(
  lone: LoneNumber,
  others: readonly LoneNumber[],
  pages: number,
): boolean {
  if (lone.labelled) return true;
  if (lone.segment.size > lone.bodySize * MAX_SIZE || hasLabel(lone)) return false;
  const { number, of, page } = lone;
  if (number === page + 1 && of === pages) return true;
  const counted = others.filter(
    (other) => other.of === of && other.number - number === other.page - page,
  );
  const isNear = Math.abs(number - (page + 1)) <= MAX_OFFSET;
  return isNear && counted.length > 0 && counted.length * 2 >= others.length;
}

/** Whether a number stands beside other text, as a value stands beside its name. */
function hasLabel({ segment, beside }: LoneNumber): boolean {
  return beside.some(({ left, right }) => {
    const gap = Math.max(segment.left - right, left - segment.right);
    return gap < LABEL_GAP * segment.size;
  });
}
