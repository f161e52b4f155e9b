import type { TextLayout } from "../../parser/contract-jobs.ts";
import { nameOfSections, type Place } from "../contract-places.ts";
import type { Span } from "./fit.ts";
import { shortenText } from "../../../platform/shorten-text.ts";

interface ChunkPlace {
  pageNumber: number;
  place: Place;
  headings: string[];
}

/**
 * Finds the place of each chunk: its page or slide where the file says it, else its sheet and rows,
 * its chapter or its section. Chunks come in their order.
 */
export function placesIn(
  text: string,
  parts: readonly Span[],
  layout: TextLayout = { kind: parts.length > 1 ? "pages" : "none", parts: parts.length },
): (index: number, span: Span) => ChunkPlace {
  const { kind } = layout;
  const labels = labelsOf(layout);
  const isWithin = (index: number) => index < layout.parts;
  const sections = readSections(text, startsOfSections(parts, layout));
  const numbersOf = lineNumbers(text, parts, layout);
  return (index, span) => {
    const part = index + 1;
    const own = sections.at(span.start);
    const label = isWithin(index) ? labels[index] : undefined;
    const headings = own.length === 0 && label ? [label] : own;
    const name = nameOfSections(sections.until(span.end)) ?? nameOfSections([headings]);
    const section = { kind: "section" as const, part, name };
    if (!isWithin(index)) return { pageNumber: part, place: section, headings };
    switch (kind) {
      case "pages": {
        const pageNumber = numbersOf(index, span)?.page ?? part;
        if (pageNumber === 0) return { pageNumber: part, place: section, headings };
        return { pageNumber, place: { kind: "page", part, name }, headings };
      }
      case "slides":
        return { pageNumber: part, place: { kind: "slide", part, name }, headings };
      case "sheets": {
        const rows = numbersOf(index, span)?.rows;
        const place = { kind: "sheet" as const, part, name: label || null };
        return { pageNumber: part, place: { ...place, ...(rows && { rows }) }, headings };
      }
      case "chapters":
        return { pageNumber: part, place: { kind: "chapter", part, name }, headings };
      case "none":
        return { pageNumber: part, place: section, headings };
    }
  };
}

/** The name of each part. Of a chapter in several parts, the first has the name. */
function labelsOf({ kind, names = [] }: TextLayout): string[] {
  let last = "";
  return names.map((name) => {
    if (kind === "chapters" && name === "") return last;
    last = name;
    return name;
  });
}

/**
 * Where no heading above counts any more: at each slide and sheet, at each chapter that has a name,
 * and at attached files.
 */
function startsOfSections(
  parts: readonly Span[],
  { kind, names = [], parts: own }: TextLayout,
): number[] {
  return parts.flatMap(({ start }, index) => {
    const begins =
      index >= own
        ? index === own
        : kind === "slides" || kind === "sheets" || (kind === "chapters" && names[index]);
    return begins ? [start] : [];
  });
}

interface Numbers {
  /** Of the first line; 0 where it is not known. */
  page: number;
  rows: Place["rows"];
}

/** Finds what the layout says of the lines of a chunk; undefined where it says nothing. */
function lineNumbers(
  text: string,
  parts: readonly Span[],
  { lines = [] }: TextLayout,
): (index: number, span: Span) => Numbers | undefined {
  if (lines.length === 0) return () => undefined;
  let part = -1;
  let starts: number[] = [];
  let known: typeof lines = [];
  return (index, { start, end }) => {
    if (index !== part) {
      part = index;
      starts = startsOfLines(text, parts[index]);
      known = lines.filter(([of]) => of === index + 1);
    }
    const from = lastAtOrBefore(starts, start);
    const to = lastAtOrBefore(starts, trimmedEnd(text, start, end));
    const at = known.findLastIndex(([, line]) => line <= from);
    if (at < 0 && !known.some(([, line]) => line <= to)) return undefined;
    let [first, last] = [Infinity, 0];
    for (let next = Math.max(at, 0); next < known.length; next += 1) {
      const [, line, number] = known[next] ?? [0, 0, 0];
      if (line > to) break;
      const until = Math.min(to, (known[next + 1]?.[1] ?? Infinity) - 1);
      if (number === 0 || until < from) continue;
      first = Math.min(first, number + Math.max(from, line) - line);
      last = Math.max(last, number + until - line);
    }
    const page = at < 0 ? index + 1 : (known[at]?.[2] ?? 0);
    return { page, rows: last > 0 ? { first, last } : undefined };
  };
}

function startsOfLines(
  text: string,
  { start, end }: Span = { start: 0, end: 0 },
): number[] {
  const starts = [start];
  for (
    let at = text.indexOf("\n", start);
    at >= 0 && at < end;
    at = text.indexOf("\n", at + 1)
  )
    starts.push(at + 1);
  return starts;
}

/** The position of the last character that is no line break. */
function trimmedEnd(text: string, start: number, end: number): number {
  let last = end - 1;
  while (last > start && text[last] === "\n") last -= 1;
  return last;
}

/** The index of the last of ascending numbers that is at most a limit. */
function lastAtOrBefore(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Heading {
  at: number;
  /** Where its line ends. */
  end: number;
  level: number;
  title: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A page may end without a newline. */
const LINE_END = /[\n\f]/g;
const MAX_LINE_CHARACTERS = 1_000;
const MAX_TITLE_CHARACTERS = 200;

/** The sections of a text, as the titles of those that contain them, the outermost first. */
interface Sections {
  /** Of the section at a position. Positions must increase. */
  at(position: number): string[];
  /** Of each section with text between the last position and this end, in order. */
  until(end: number): string[][];
}

/**
 * Reads the sections of a Markdown text.
 * @param ends where all sections end, ascending
 */
function readSections(text: string, ends: readonly number[] = []): Sections {
  const headings = findHeadings(text);
  const path: Heading[] = [];
  let next = 0;
  let nextEnd = 0;
  let last = 0;
  const endSections = (position: number) => {
    for (; (ends[nextEnd] ?? Infinity) <= position; nextEnd += 1) path.length = 0;
  };
  return {
    at(position) {
      last = position;
      for (
        let heading = headings[next];
        heading && heading.at <= position;
        heading = headings[next]
      ) {
        endSections(heading.at);
        enter(path, heading);
        next += 1;
      }
      endSections(position);
      return path.map(titleOf);
    },
    until(end) {
      const found: string[][] = [];
      const open = [...path];
      let from = Math.max(last, path.at(-1)?.end ?? 0);
      for (let index = next; from < end; index += 1) {
        const heading = headings[index];
        const to = Math.min(end, heading?.at ?? end);
        if (text.slice(from, to).trim() !== "") found.push(open.map(titleOf));
        if (!heading || heading.at >= end) break;
        enter(open, heading);
        from = heading.end;
      }
      return found.length > 0 ? found : [open.map(titleOf)];
    },
  };
}

function enter(path: Heading[], heading: Heading): void {
  while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
  path.push(heading);
}

function titleOf({ title }: Heading): string {
  return title;
}

function findHeadings(text: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | undefined;
  for (let at = 0; at < text.length;) {
    LINE_END.lastIndex = at;
    const end = LINE_END.exec(text)?.index ?? text.length;
    const line = text.slice(at, Math.min(end, at + MAX_LINE_CHARACTERS));
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    else if (fence === undefined && line.trimStart().startsWith("#")) {
      const [, marks, title] = HEADING.exec(line) ?? [];
      if (marks && title) found.push({ at, end, level: marks.length, title: plain(title) });
    }
    at = end + 1;
  }
  return found;
}

function plain(title: string): string {
  const text = title.replace(/[ \t]#+[ \t]*$/, "").replace(/[*_`]/g, "");
  return shortenText(text.trim(), MAX_TITLE_CHARACTERS);
}
