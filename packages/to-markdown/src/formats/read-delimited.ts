import { type Block, paragraph } from "./blocks.ts";
import { tooComplex } from "./refuse-file.ts";

/** Beside the header. */
const MAX_ROWS = 500_000;
const MAX_QUOTED_CHARACTERS = 1_000_000;
const DELIMITERS = [",", ";", "\t", "|"] as const;

/**
 * Reads values separated by commas, semicolons, tabs or bars as one table. Source: RFC 4180, read
 * leniently.
 * @throws FileError `too_complex`.
 */
export function readDelimited(text: string, fixed?: string): Block[] {
  const { delimiter, body, lines, length } = findDelimited(text, fixed);
  const table = body.slice(length);
  const first = 1 + (body.slice(0, length).match(/\r\n?|\n/g) ?? []).length;
  return [
    ...lines.map((line) => paragraph([{ text: line }])),
    {
      kind: "records",
      rows: () => nonEmptyRecords(table, delimiter),
      numbers: () => recordNumbers(table, delimiter, first),
    },
  ];
}

/**
 * Finds what divides the values, and where the table begins.
 * @returns `body`: without a line that declares the delimiter; `length`: of what stands above the
 * table in it.
 */
export function findDelimited(text: string, fixed?: string) {
  const declared = /^sep=(.)\r?\n/i.exec(text);
  const body = text.slice(declared?.[0].length ?? 0);
  const delimiter = fixed ?? declared?.[1] ?? likelyDelimiter(body);
  return { delimiter, body, ...linesAbove(body, delimiter) };
}

const MAX_LINES_ABOVE = 20;

/**
 * Titles and notes above the table, as reports have them: lines of one value before an empty line
 * or before two rows of three values or more. Taken for the header they would hide the true one.
 */
function linesAbove(text: string, delimiter: string): { lines: string[]; length: number } {
  const lines: string[] = [];
  let isApart = false;
  let length = 0;
  for (let at = 0; lines.length <= MAX_LINES_ABOVE && at < text.length;) {
    const { line, next } = lineAt(text, at);
    if (line.includes(delimiter)) {
      const below = lineAt(text, next).line;
      const isWide = [line, below].every((row) => row.split(delimiter).length > 2);
      return lines.length > 0 && (isApart || isWide) ? { lines, length } : NOTHING_ABOVE;
    }
    // a quoted value may go on in the next line
    if (line.includes('"')) return NOTHING_ABOVE;
    isApart = line.trim() === "";
    if (!isApart) lines.push(line.trim());
    at = next;
    length = next;
  }
  return NOTHING_ABOVE;
}

const NOTHING_ABOVE = { lines: [], length: 0 };

function lineAt(text: string, start: number): { line: string; next: number } {
  const end = /\r\n?|\n/g;
  end.lastIndex = start;
  const found = end.exec(text);
  if (!found) return { line: text.slice(start), next: text.length };
  return { line: text.slice(start, found.index), next: found.index + found[0].length };
}

function* nonEmptyRecords(text: string, delimiter: string): Generator<string[]> {
  let rows = -1;
  for (const cells of records(text, delimiter)) {
    if (cells.length === 1 && cells[0] === "") continue;
    rows += 1;
    if (rows > MAX_ROWS) throw tooComplex(`it has more than ${MAX_ROWS} rows`);
    yield cells.map((cell) => cell.trim());
  }
}

/** The number of each record that is not empty; the first record has the number `first`. */
function* recordNumbers(text: string, delimiter: string, first: number): Generator<number> {
  let number = first - 1;
  for (const cells of records(text, delimiter)) {
    number += 1;
    if (cells.some((cell) => cell.trim() !== "")) yield number;
  }
}

/** Returns the delimiter that divides the first lines into the most columns of equal number. */
function likelyDelimiter(text: string): string {
  let best = ",";
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const widths: number[] = [];
    for (const cells of records(text.slice(0, 20_000), delimiter)) {
      if (cells.length > 1 || cells[0] !== "") widths.push(cells.length);
      if (widths.length >= 20) break;
    }
    // the last record of the sample may be incomplete
    if (widths.length > 2 && text.length > 20_000) widths.pop();
    const median = widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? 1;
    const even =
      widths.filter((width) => width === median).length / Math.max(1, widths.length);
    const score = median > 1 ? even * Math.min(median, 20) ** 0.5 : 0;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

export function* records(text: string, delimiter: string): Generator<string[]> {
  let cells: string[] = [];
  let at = 0;
  const plain = new RegExp(`[${delimiter === "|" ? "\\|" : delimiter}\r\n]`, "g");
  while (at <= text.length) {
    let cell: string;
    const close = text[at] === '"' ? closingQuote(text, at + 1) : -1;
    if (close >= 0) {
      cell = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    } else {
      plain.lastIndex = at;
      const end = plain.exec(text)?.index ?? text.length;
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    yield cells;
    cells = [];
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (at >= text.length) return;
  }
}

/**
 * Returns the position of the quote that ends a cell, before a delimiter or the end of a line; -1
 * for a cell that only begins with a quote.
 */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at += 1;
    else return /[\w]/.test(text[at + 1] ?? "") ? -1 : at;
    // in a longer cell, the quote was never closed
    if (at - from > MAX_QUOTED_CHARACTERS) return -1;
  }
  return -1;
}
