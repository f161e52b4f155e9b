import type { Furniture } from "../parsed-file.ts";
import { heaviest, middleX } from "./geometry.ts";
import type { Segment } from "./layout.ts";
import { textOf } from "./layout.ts";
import {
  isPageNumber,
  type LoneNumber,
  readLoneNumber,
  withoutPageNumber,
} from "./page-numbers.ts";

/** A page in which headers and footers are searched. */
export interface PageLines {
  width: number;
  height: number;
  segments: Segment[];
}

/** The share of the page's height, at either end, in which headers and footers are. */
const EDGE = 0.12;
/** The maximum difference in points between the places of one line on several pages. */
const SAME = 4;
const SAME_SIZE = 0.5;
/** The number of pages to either side that are compared. */
const NEAR = 4;
/** So many pieces on one line are the row of a table: all of them repeat, or none. */
const ROW = 3;
/** The title of a section is this much larger than the same words at the edge of its pages. */
const LARGER = 1.1;

interface Edge {
  segment: Segment;
  /** Counted from 0, within the pages that are compared. */
  page: number;
  width: number;
  /** Its words without the number of the page. */
  words: string;
  /** The other pieces of its line. */
  beside: readonly Segment[];
  lone: LoneNumber | undefined;
}

/**
 * Removes page headers, footers and page numbers. A line is one when the same words are at the same
 * place of a nearby page, and no page has other words at that place: those of forms, invoices and
 * minutes are data. A line with numbers, such as that of a contract, stays where it occurs first.
 * @param first the number of the first of these pages, counted from 0
 * @param total the number of pages of the file
 * @returns the lines that are on none of these pages any more
 */
export function removeFurniture(
  pages: readonly PageLines[],
  first: number,
  total: number,
): Furniture[] {
  const edges = pages.flatMap((page, index) => edgesOf(page, index, first));
  const places = placesOf(edges);
  const titles = titlesOf(pages);
  const numbers = new Set<Segment>();
  const repeated = new Map<Segment, Edge>();
  for (const edge of edges) {
    const others = samePlaces(places, edge);
    if (edge.lone) {
      const near = others.filter(isNear(edge)).flatMap((other) => other.lone ?? []);
      if (isPageNumber(edge.lone, near, total)) numbers.add(edge.segment);
    } else if (isRepeated(edge, others, titles)) repeated.set(edge.segment, edge);
  }
  const gone = new Set<Segment>();
  const seen = new Set<string>();
  const removed: Furniture[] = [];
  for (const { segment, words, beside, page } of repeated.values()) {
    const isRow = beside.length >= ROW - 1;
    if (isRow && beside.some((other) => !repeated.has(other) && !numbers.has(other)))
      continue;
    const isFirst = !seen.has(words);
    seen.add(words);
    const isData = /\d/.test(words);
    if (isData && isFirst) continue;
    gone.add(segment);
    if (isFirst) removed.push({ page: first + page + 1, text: textOf(segment) });
  }
  for (const page of pages) page.segments = remaining(page.segments, gone, numbers);
  return removed;
}

/** A page is never emptied, except of its number. */
function remaining(
  segments: Segment[],
  gone: ReadonlySet<Segment>,
  numbers: ReadonlySet<Segment>,
): Segment[] {
  const others = segments.filter((segment) => !numbers.has(segment));
  const rest = others.filter((segment) => !gone.has(segment));
  return rest.length > 0 ? rest : others;
}

function isRepeated(
  edge: Edge,
  others: readonly Edge[],
  titles: ReadonlyMap<string, number>,
): boolean {
  // without letters it is a date, an amount or an ornament
  if (!/\p{L}/u.test(edge.words)) return false;
  const twins = others.filter(({ words }) => words === edge.words);
  if (!twins.some(isNear(edge))) return false;
  const rivals = others.filter(({ words }) => words !== edge.words);
  if (rivals.length === 0) return true;
  if ((titles.get(edge.words) ?? 0) > edge.segment.size * LARGER) return true;
  // the title of the book on left pages, that of the chapter on right pages
  const isOnOtherSide = ({ page }: Edge) => (page - edge.page) % 2 !== 0;
  return twins.length > 1 && rivals.every(isOnOtherSide) && !twins.some(isOnOtherSide);
}

const isNear =
  ({ page }: Edge) =>
  (other: { page: number }): boolean =>
    Math.abs(other.page - page) <= NEAR;

/** The lines in the upper and lower margins of a page, but for text in a tagged table. */
function edgesOf(page: PageLines, index: number, first: number): Edge[] {
  const { width, height, segments } = page;
  const bodySize = heaviest(
    segments.map(({ size, words }) => [Math.round(size), words.length] as const),
    0,
  );
  return segments
    .filter(
      ({ top, bottom, words }) =>
        (bottom < height * EDGE || top > height * (1 - EDGE)) &&
        !words.every(({ cell }) => cell),
    )
    .map((segment): Edge => {
      const text = textOf(segment);
      const number = readLoneNumber(text);
      const beside = segments.filter(
        (other) =>
          other !== segment &&
          Math.abs(other.baseline - segment.baseline) <= 0.3 * segment.size,
      );
      const lone = number && {
        ...number,
        segment,
        page: index + first,
        beside,
        bodySize,
      };
      return { segment, page: index, width, words: withoutPageNumber(text), beside, lone };
    });
}

/** The largest size of each line, by its words. */
function titlesOf(pages: readonly PageLines[]): Map<string, number> {
  const titles = new Map<string, number>();
  for (const { segments } of pages) {
    for (const segment of segments) {
      const words = withoutPageNumber(textOf(segment));
      if (segment.size > (titles.get(words) ?? 0)) titles.set(words, segment.size);
    }
  }
  return titles;
}

/** Edges by the places of their left and right ends and of their middle. */
type Places = ReadonlyMap<string, readonly Edge[]>;

const stepOf = (at: number): number => Math.round(at / SAME);

function placesOf(edges: readonly Edge[]): Places {
  const places = new Map<string, Edge[]>();
  for (const edge of edges) {
    const { left, right, baseline } = edge.segment;
    const ends = { left, right, middle: middleX(edge.segment) };
    for (const [end, x] of Object.entries(ends)) {
      const key = `${end} ${stepOf(x)} ${stepOf(baseline)}`;
      const here = places.get(key);
      if (here) here.push(edge);
      else places.set(key, [edge]);
    }
  }
  return places;
}

/** The lines at the same place of other pages, or at the mirrored one of facing pages. */
function samePlaces(places: Places, edge: Edge): Edge[] {
  const { left, right, baseline, size } = edge.segment;
  const found = new Set<Edge>();
  const look = (end: string, x: number) => {
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) {
        const key = `${end} ${stepOf(x) + dx} ${stepOf(baseline) + dy}`;
        for (const other of places.get(key) ?? []) {
          const { segment } = other;
          if (
            other.page !== edge.page &&
            Math.abs(segment.baseline - baseline) <= SAME &&
            Math.abs(segment.size - size) <= SAME_SIZE
          )
            found.add(other);
        }
      }
    }
  };
  look("left", left);
  look("right", right);
  look("middle", middleX(edge.segment));
  look("left", edge.width - right);
  look("right", edge.width - left);
  return [...found];
}
