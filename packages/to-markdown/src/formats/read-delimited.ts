import { type Block, type Cell, textCell } from "./blocks.ts";
import { tooComplex } from "./refuse-file.ts";

const MAX_ROWS = 500_000;
const DELIMITERS = [",", ";", "\t", "|"] as const;

/**
 * Comma-, semicolon-, tab- or bar-separated values as one table. Source: RFC 4180, read leniently.
 * @throws TooLarge `too_complex`.
 */
export function readDelimited(text: string, fixed?: string): Block[] {
  const body = text.replace(/^sep=(.)\r?\n/i, "");
  const told = /^sep=(.)\r?\n/i.exec(text)?.[1];
  const rows: Cell[][] = [];
  for (const cells of records(body, fixed ?? told ?? likelyDelimiter(body))) {
    if (cells.length === 1 && cells[0] === "") continue;
    rows.push(cells.map((cell) => textCell(cell.trim())));
    if (rows.length > MAX_ROWS) throw tooComplex(`it has more than ${MAX_ROWS} rows`);
  }
  return rows.length === 0 ? [] : [{ kind: "table", rows, depth: 0, quote: 0 }];
}

/** The one that parts the first lines into the most columns, most evenly. */
function likelyDelimiter(text: string): string {
  let best = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const widths: number[] = [];
    for (const cells of records(text.slice(0, 20_000), delimiter)) {
      if (cells.length > 1 || cells[0] !== "") widths.push(cells.length);
      if (widths.length >= 20) break;
    }
    // the last of a cut sample may be cut itself
    if (widths.length > 2 && text.length > 20_000) widths.pop();
    const usual = widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? 1;
    const even = widths.filter((width) => width === usual).length / Math.max(1, widths.length);
    const score = usual > 1 ? even * Math.min(usual, 20) ** 0.5 : 0;
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

function* records(text: string, delimiter: string): Generator<string[]> {
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
 * A quote that ends a cell: before a delimiter or the end of a line. -1 for a cell that only begins
 * with one.
 */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at += 1;
    else return /[\w]/.test(text[at + 1] ?? "") ? -1 : at;
    // a cell longer than any is a quotation mark that was never closed
    if (at - from > 1_000_000) return -1;
  }
  return -1;
}
