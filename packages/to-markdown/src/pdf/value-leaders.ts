import { segmentOf } from "./build-segments.ts";
import { bandsOf } from "./geometry.ts";
import { hasLeaders, type Segment, textOf, type Word } from "./layout.ts";

/** So many lines with points and values, and half of all with points, are rows of a table. */
const MIN_ROWS = 3;
const SHARE = 0.5;
/** Fewer points lead to nothing. */
const MIN_POINTS = 4;
/** The widths of points and of other characters, in ems. */
const POINT = 0.27;
const CHARACTER = 0.5;

const VALUE = /^([$€£¥]|[$€£¥]?[(+−–-]?[$€£¥]?\d[\d.,]*[%)]*|[–—-]|\([A-Z]{1,2}\))$/;
/** A number that is no page of a contents. */
const AMOUNT = /^[$€£¥]|\d[.,]\d|%$/;

/**
 * Takes away the points that lead from the names of rows to their values, and parts the values from
 * the names. Points that lead to pages stay: they show a table of contents.
 */
export function withoutValueLeaders(segments: readonly Segment[]): Segment[] {
  const led = segments.filter((segment) => hasLeaders(textOf(segment)));
  if (led.length < MIN_ROWS) return [...segments];
  const lines = bandsOf(segments).filter((band) =>
    band.some((piece) => led.includes(piece)),
  );
  const values = lines.map(valuesOf).filter((texts) => texts.length > 0);
  const rows = values.filter((texts) => texts.length > 1 || AMOUNT.test(texts[0] ?? ""));
  if (rows.length < Math.max(MIN_ROWS, values.length * SHARE)) return [...segments];
  return segments.flatMap((segment) =>
    led.includes(segment) ? partsOf(segment) : segment,
  );
}

/** The values that follow the points of a line, up to the first other word. */
function valuesOf(line: readonly Segment[]): string[] {
  const text = line
    .toSorted((a, b) => a.left - b.left)
    .map(textOf)
    .join(" ");
  const from = /(?:\.{4,}|(?:\. ){4,})[. ]*(.*)$/.exec(text)?.[1] ?? "";
  const words = from.split(" ").filter(Boolean);
  const end = words.findIndex((word) => !VALUE.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** The parts of a line before and after its points. */
function partsOf(segment: Segment): Segment[] {
  const parts: Word[][] = [[]];
  const words = segment.words.flatMap(splitPoints);
  for (const [at, word] of words.entries()) {
    if (!isPoints(word.text)) parts.at(-1)?.push(word);
    else if (pointsAround(words, at) < MIN_POINTS) parts.at(-1)?.push(word);
    else if ((parts.at(-1) ?? []).length > 0) parts.push([]);
  }
  return parts.filter((part) => part.length > 0).map(segmentOf);
}

const isPoints = (text = ""): boolean => /^\.+$/.test(text);

/** The number of points in the run of words that the word at `at` is part of. */
function pointsAround(words: readonly Word[], at: number): number {
  let [from, to] = [at, at];
  while (isPoints(words[from - 1]?.text)) from -= 1;
  while (isPoints(words[to + 1]?.text)) to += 1;
  return words.slice(from, to + 1).reduce((sum, { text }) => sum + text.length, 0);
}

/** A word with points in or behind it, as what stands before them, the points and the rest. */
function splitPoints(word: Word): Word[] {
  const [, name = "", points = "", rest = ""] =
    /^([^.]*(?:\.[^.]+)*)(\.+)(.*)$/.exec(word.text) ?? [];
  if (!points || !(name || rest) || (rest && points.length < MIN_POINTS)) return [word];
  const end = word.right - rest.length * CHARACTER * word.size;
  const middle = Math.max(end - points.length * POINT * word.size, word.left);
  const parts = [
    { ...word, text: name, right: middle },
    { ...word, text: points, left: middle, right: end, glued: true },
    { ...word, text: rest, left: end, glued: false, begins: true },
  ];
  return parts.filter(({ text }) => text !== "");
}
