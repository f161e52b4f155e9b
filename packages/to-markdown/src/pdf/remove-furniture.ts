import type { Segment } from "./layout.ts";
import { textOf } from "./layout.ts";

/** A page in which headers and footers are searched. */
export interface PageLines {
  height: number;
  segments: Segment[];
}

/** The share of the page's height, at either end, in which headers and footers are. */
const EDGE = 0.12;
/** The maximum difference in points between the heights of one line on several pages. */
const SAME = 4;
/** The number of pages to either side that are compared. */
const NEAR = 4;
const PAGE_NUMBER =
  /^[-–—|\s]*(?:(?:page|seite|pág(?:ina)?\.?|p\.|s\.)\s*)?(?:\d{1,5}|[ivxlc]{1,7}|[a-z\d]{1,2}[-–]\d{1,4})(?:\s*(?:\/|of|von|de|sur|di)\s*\d{1,5})?[-–—|\s]*$/i;

/** Whether a line contains only a page number. */
const isPageNumber = (text: string): boolean => PAGE_NUMBER.test(text);

/**
 * Removes page headers, footers and page numbers. A line is one when it occurs, apart from its
 * numbers, at the same height on a nearby page, or when it is a single number at the edge.
 */
export function removeFurniture(pages: readonly PageLines[]): void {
  const edges = pages.map(({ height, segments }) =>
    segments.filter((segment) => isAtEdge(segment, height)).map(keyed),
  );
  for (const [index, page] of pages.entries()) {
    const gone = new Set<Segment>();
    for (const edge of edges[index] ?? []) {
      const returns = edges
        .slice(Math.max(0, index - NEAR), index + NEAR + 1)
        .some(
          (others, at) =>
            at !== Math.min(index, NEAR) && others.some((other) => isSame(edge, other)),
        );
      if (returns || (isPageNumber(edge.text) && isOutermost(edge.segment, page)))
        gone.add(edge.segment);
    }
    if (gone.size > 0 && gone.size < page.segments.length)
      page.segments = page.segments.filter((segment) => !gone.has(segment));
    else if (gone.size > 0 && [...gone].every((segment) => isPageNumber(textOf(segment))))
      page.segments = [];
  }
}

interface Edge {
  segment: Segment;
  text: string;
  key: string;
}

/** Text in a tagged table is never a header or footer. */
const isAtEdge = (segment: Segment, pageHeight: number): boolean =>
  (segment.bottom < pageHeight * EDGE || segment.top > pageHeight * (1 - EDGE)) &&
  !segment.words.every(({ cell }) => cell);

function keyed(segment: Segment): Edge {
  const text = textOf(segment);
  return {
    segment,
    text,
    key: text.replace(/\d+/g, "0").replace(/\s+/g, " ").toLowerCase(),
  };
}

function isSame(a: Edge, b: Edge): boolean {
  if (
    Math.abs(a.segment.baseline - b.segment.baseline) > SAME ||
    Math.abs(a.segment.size - b.segment.size) > 0.5
  )
    return false;
  if (a.key !== b.key) return false;
  // equal numbers also occur in tables; page numbers increase, or are far outside
  return /\p{L}/u.test(a.key) || isPageNumber(a.text);
}

function isOutermost(segment: Segment, page: PageLines): boolean {
  const above = segment.bottom < page.height / 2;
  return page.segments.every(
    (other) =>
      other === segment ||
      (above ? other.top > segment.top - 1 : other.bottom < segment.bottom + 1),
  );
}
