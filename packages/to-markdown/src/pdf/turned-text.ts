import { around, type Box, overlapX, overlapY } from "./geometry.ts";
import type { Block, Figure, Segment, Word } from "./layout.ts";
import type { Style, TurnedGlyph } from "./page-content.ts";
import { withoutPageNumber } from "./page-numbers.ts";

/** Rotated text with its place on the page: titles of axes, notes in the margin, stamps. */
export interface TurnedText extends Box {
  text: string;
  angle: number;
  /** The position of its start, along its direction and across it. */
  along: number;
  across: number;
  size: number;
  /** Its lines, in the order of the file. */
  lines: TurnedLine[];
}

/** A line of rotated text, with the boxes of its first and of its last letter. */
export interface TurnedLine extends Box {
  text: string;
  size: number;
  first: Box;
  last: Box;
}

interface Line extends Omit<TurnedText, "lines">, TurnedLine {
  end: number;
}

/** The maximum distance in ems to the next character; a jump backwards is shorter. */
const NEAR = 3;
const BACK = 0.5;
/** A jump of this many ems between characters is a space. */
const WIDE = 1.2;
const SAME_LINE = 0.5;
/** The maximum distance in ems between the lines of one text. */
const LEADING = 1.8;
/** The maximum difference in points between the positions of one text on several pages. */
const SAME = 4;
/** The number of pages to either side that are compared. */
const NEAR_PAGES = 4;
/** The maximum distance in ems from a figure to what names its axes. */
const BESIDE = 2.2;
const STYLE: Style = { font: "", bold: false, italic: false, mono: false };

/** Joins rotated characters, in the order of the file, into texts. */
export function readTurned(glyphs: readonly TurnedGlyph[]): TurnedText[] {
  const lines: Line[] = [];
  for (const glyph of glyphs) {
    const turn = (glyph.angle * Math.PI) / 180;
    const along = glyph.x * Math.cos(turn) + glyph.y * Math.sin(turn);
    const across = glyph.x * Math.sin(turn) - glyph.y * Math.cos(turn);
    const line = lines.at(-1);
    const step = along - (line?.end ?? 0);
    if (
      line?.angle === glyph.angle &&
      Math.abs(across - line.across) <= SAME_LINE * glyph.size &&
      step >= -BACK * glyph.size &&
      step <= NEAR * glyph.size
    ) {
      line.text += glyph.spaced || step > WIDE * glyph.size ? ` ${glyph.text}` : glyph.text;
      line.end = along;
      line.last = glyph;
      Object.assign(line, around([line, glyph]));
    } else {
      const { text, angle, size } = glyph;
      const place = { along, across, end: along, first: glyph, last: glyph };
      lines.push({ ...around([glyph]), text, angle, size, ...place });
    }
  }
  const texts: TurnedText[] = [];
  let last: Line | undefined;
  // some programs draw text twice with a small offset to make it bold
  for (const line of lines.filter((each, at) => !isDouble(lines, each, at))) {
    const text = texts.at(-1);
    if (text && last && isNextLine(last, line)) {
      text.text += ` ${line.text}`;
      text.lines.push(line);
      Object.assign(text, around([text, line]));
    } else {
      const { text, angle, size, along, across } = line;
      const place = { ...around([line]), angle, along, across };
      texts.push({ ...place, text, size, lines: [line] });
    }
    last = line;
  }
  return texts;
}

function isDouble(lines: readonly Line[], line: Line, at: number): boolean {
  const before = lines.slice(Math.max(0, at - 20), at);
  return before.some(
    (other) =>
      other.text === line.text &&
      other.angle === line.angle &&
      Math.abs(other.along - line.along) <= line.size * 0.2 &&
      Math.abs(other.across - line.across) <= line.size * 0.2,
  );
}

function isNextLine(last: Line, line: Line): boolean {
  const step = line.across - last.across;
  return (
    line.angle === last.angle &&
    Math.abs(line.size - last.size) < 0.5 &&
    step > 0 &&
    step <= LEADING * line.size
  );
}

interface OnPage extends TurnedText {
  /** Counted from 0. */
  page: number;
}

/**
 * Removes texts that occur at the same place of a nearby page, such as watermarks, unless other
 * pages have another text there. One with numbers stays where it occurs first.
 * @returns the texts that remain, by page, and those that are on no page any more
 */
export function withoutRepeated(pages: readonly (readonly TurnedText[])[]): {
  texts: TurnedText[][];
  removed: OnPage[];
} {
  const all = pages.map((texts, page) => texts.map((text) => ({ ...text, page })));
  const seen = new Set<string>();
  const removed: OnPage[] = [];
  const isKept = (text: OnPage): boolean => {
    const there = all.flat().filter((other) => isSamePlace(text, other));
    const twins = there.filter((other) => wordsOf(other) === wordsOf(text));
    const isNear = ({ page }: OnPage) => Math.abs(page - text.page) <= NEAR_PAGES;
    if (twins.length < there.length || !twins.some(isNear)) return true;
    const isFirst = !seen.has(wordsOf(text));
    seen.add(wordsOf(text));
    if (/\d/.test(wordsOf(text))) return isFirst;
    if (isFirst) removed.push(text);
    return false;
  };
  return { texts: all.map((texts) => texts.filter(isKept)), removed };
}

const wordsOf = ({ text }: TurnedText): string => withoutPageNumber(text);

function isSamePlace(a: OnPage, b: OnPage): boolean {
  return (
    a.page !== b.page &&
    a.angle === b.angle &&
    Math.abs(a.along - b.along) <= SAME &&
    Math.abs(a.across - b.across) <= SAME
  );
}

/**
 * Gives rotated texts to the figures that they stand in or beside: those are the names of axes and
 * of what is along them, which mean nothing at the end of the page.
 */
export function nameAxes(
  figures: readonly Figure[],
  texts: readonly TurnedText[],
): { figures: Figure[]; rest: TurnedText[] } {
  const figureOf = (text: TurnedText) =>
    figures.find(
      (figure) =>
        Math.max(-overlapX(text, figure), -overlapY(text, figure)) <= BESIDE * text.size,
    );
  const named = Map.groupBy(texts, figureOf);
  return {
    figures: figures.map((figure) => {
      const lines = named.get(figure)?.map(lineOf) ?? [];
      return { ...figure, lines: [...figure.lines, ...lines] };
    }),
    rest: named.get(undefined) ?? [],
  };
}

/** Each rotated text as a paragraph of its own. */
export function blocksOfTurned(texts: readonly TurnedText[]): Block[] {
  return texts.map((text) => ({ kind: "paragraph", lines: [lineOf(text)] }));
}

/** A line of rotated text as a word, which stands in the cells of tables. */
export function wordOf({ text, left, top, right, bottom, size }: TurnedLine): Word {
  const flags = { glued: false, script: false, spaced: false, begins: true };
  return { text, left, top, right, bottom, baseline: bottom, size, style: STYLE, ...flags };
}

/** A rotated text as a line that begins where its upper left corner is. */
function lineOf({ text, left, top, right, size }: TurnedText): Segment {
  const place = { left, right, top, bottom: top + size, baseline: top + size, size };
  const flags = { glued: false, script: false, spaced: false, begins: true };
  return { ...place, words: [{ ...place, text, style: STYLE, ...flags }] };
}
