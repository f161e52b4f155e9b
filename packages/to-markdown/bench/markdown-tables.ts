/** The tables of a markdown text as rows of cells, and the text with each table as HTML. */
export interface TablesOfMarkdown {
  tables: string[][][];
  html: string;
}

const SEPARATOR = /^:?-{1,}:?$/;
const HTML_TABLE = /<table[^>]*?>.*?<\/table>/gis;

/** Cells of a row of a pipe table; undefined for another line. */
function cellsOf(line: string | undefined): string[] | undefined {
  const text = line?.trim() ?? "";
  if (!text.includes("|")) return undefined;
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  if (text.startsWith("|")) cells.shift();
  if (/(?<!\\)\|$/.test(text)) cells.pop();
  return cells.length > 0 ? cells : undefined;
}

export const htmlTable = (rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`;

export function tablesOf(markdown: string): TablesOfMarkdown {
  const lines = markdown.split(/\r?\n|\f/);
  const tables: string[][][] = [];
  const whole: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const head = cellsOf(lines[index]);
    const line = lines[index] ?? "";
    if (!head || !cellsOf(lines[index + 1])?.every((cell) => SEPARATOR.test(cell))) {
      whole.push(line);
      rest.push(line);
      continue;
    }
    const rows = [head];
    for (index += 2; ; index += 1) {
      const cells = cellsOf(lines[index]);
      if (!cells) break;
      rows.push(Array.from(head, (_, column) => cells[column] ?? ""));
    }
    index -= 1;
    tables.push(rows);
    whole.push(htmlTable(rows));
  }
  for (const [table] of rest.join("\n").matchAll(HTML_TABLE))
    tables.push(rowsOfHtml(table));
  return { tables, html: whole.join("\n") };
}

/**
 * Joins tables that continue across pages: those with the same number of columns and only a page
 * break between them, without repeated column names. In a text without page breaks, two adjacent
 * tables count as continued.
 */
export function joinContinued(markdown: string): string {
  const breaks = markdown.includes("\f") ? /^\s*\f\s*$/ : /^\s*$/;
  const lines = markdown.split(/\r?\n/).flatMap((line) => line.split(/(?=\f)|(?<=\f)/));
  const joined: string[] = [];
  let table: { head: string; columns: number; end: number } | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const head = cellsOf(line);
    const isHead = head && cellsOf(lines[index + 1])?.every((cell) => SEPARATOR.test(cell));
    if (isHead) {
      const between = table && joined.slice(table.end).join("");
      if (table && table.columns === head.length && breaks.test(between ?? "")) {
        joined.length = table.end;
        if (head.join("|") !== table.head) joined.push(line);
      } else {
        joined.push(line, lines[index + 1] ?? "");
        table = { head: head.join("|"), columns: head.length, end: joined.length };
      }
      index += 1;
    } else joined.push(line);
    if (table && cellsOf(line) && joined.length > table.end && isOfTable(joined, table.end))
      table.end = joined.length;
  }
  return joined.join("\n");
}

/** Whether all lines from `from` on are rows. */
const isOfTable = (lines: readonly string[], from: number): boolean =>
  lines.slice(from).every((line) => cellsOf(line) !== undefined);

export function rowsOfHtml(table: string): string[][] {
  const rows = [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gis)];
  return rows.map(([, row]) =>
    [...(row ?? "").matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gis)].map(([, cell]) =>
      (cell ?? "")
        .replace(/<[^>]+>/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    ),
  );
}
