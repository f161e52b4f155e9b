import type { Span } from "./fit.ts";

/** A table of a Markdown text. Its rows begin at `body`. */
export interface TextTable extends Span {
  body: number;
  /** What names its columns: the first row and the line below it, also of a table that goes on. */
  head: Span;
}

/** The line below the names, in a list or a quotation too, with or without bars at its ends. */
const DELIMITER = /^([ \t>]{0,20})(\|?)(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;
const MAX_DELIMITER_CHARACTERS = 5_000;

/**
 * Finds the tables of a Markdown text. One at the start of a page continues that at the end of the
 * page before if both have the same number of columns and only its first row has numbers.
 */
export function findTextTables(text: string): TextTable[] {
  const tables: TextTable[] = [];
  let last: (TextTable & { columns: number }) | undefined;
  for (let at = text.indexOf("|"); at >= 0; at = text.indexOf("|", at)) {
    const start = lineStart(text, at);
    const head = lineEnd(text, start);
    const body = lineEnd(text, head.next);
    const delimiter = text.slice(
      head.next,
      Math.min(body.end, head.next + MAX_DELIMITER_CHARACTERS),
    );
    const marks = text[head.end] === "\n" ? DELIMITER.exec(delimiter) : null;
    if (!marks) {
      at = head.next;
      continue;
    }
    const [, prefix = "", bar = ""] = marks;
    let end = body;
    while (text[end.end] === "\n" && isRow(text, end.next, prefix, bar))
      end = lineEnd(text, end.next);
    const columns = delimiter.split("|").length;
    const own = { start, end: body.end };
    const goesOn =
      last !== undefined &&
      last.columns === columns &&
      isPageBreak(text.slice(last.end, start)) &&
      !/\d/.test(text.slice(last.head.start, last.head.end)) &&
      /\d/.test(text.slice(start, head.end));
    last = {
      start,
      body: goesOn ? start : body.next,
      end: end.end,
      head: goesOn && last ? last.head : own,
      columns,
    };
    tables.push(last);
    at = end.next;
  }
  return tables;
}

/** Whether a line goes on with a table: with its prefix, and the bar that its rows begin with. */
function isRow(text: string, from: number, prefix: string, bar: string): boolean {
  if (!text.startsWith(prefix + bar, from)) return false;
  if (bar !== "") return true;
  const next = text.indexOf("|", from);
  return next >= 0 && next < lineEnd(text, from).end;
}

function lineStart(text: string, within: number): number {
  for (let at = within; at > 0; at -= 1) {
    const before = text[at - 1];
    if (before === "\n" || before === "\f") return at;
  }
  return 0;
}

function isPageBreak(between: string): boolean {
  return between.includes("\f") && between.trim() === "";
}

/** Where a line ends, and where the next begins. */
function lineEnd(text: string, from: number): { end: number; next: number } {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n" || character === "\f") return { end: at, next: at + 1 };
  }
  return { end: text.length, next: text.length };
}
