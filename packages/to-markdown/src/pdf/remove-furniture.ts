import type { Segment } from "./layout.ts";
import { textOf } from "./layout.ts";

/** What is known of a page when its running heads are looked for. */
export interface PageLines {
  height: number;
  segments: Segment[];
}

/** Running heads are in the outer parts of a page. */
const EDGE = 0.12;
/** Distance within which a line is at the same height on every page, in points. */
const SAME = 4;
/** How many pages to either side are compared. */
const NEAR = 4;
const PAGE_NUMBER =
  /^[-–—|\s]*(?:(?:page|seite|pág(?:ina)?\.?|p\.|s\.)\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:\/|of|von|de|sur|di)\s*\d{1,5})?[-–—|\s]*$/i;

/** Whether a line holds nothing but the number of its page. */
const isPageNumber = (text: string): boolean => PAGE_NUMBER.test(text);

/**
 * Takes out what stands at the edge of pages only to lead the reader: running heads and feet, page
 * numbers. A line is one when it returns, numbers aside, at the same height of a page near by; or
 * when it is a lone number at the edge.
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

/** What its author put into a table leads no reader. */
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
  // numbers alone return in tables too: those of pages count up or stand far out
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
