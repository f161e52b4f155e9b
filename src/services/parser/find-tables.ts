import type { ParsedTable } from "@parlance/to-markdown/parsed-file.ts";
import MarkdownIt, { type Token } from "markdown-it";

/**
 * Finds the tables in pages of Markdown, with their cells as written, as JSON. Runs in a worker
 * process, because a page may have millions of characters.
 */
export default function findTables(pages: readonly string[]): string {
  const parser = new MarkdownIt({ html: true }).disable("inline");
  const tables = pages.flatMap((markdown, index) =>
    tablesOf(parser.parse(markdown, {})).map((rows): ParsedTable => ({
      page: index + 1,
      rows,
    })),
  );
  return JSON.stringify(tables);
}

/** Only tables at the top level of a page: those in lists and quotations are part of these. */
function tablesOf(tokens: readonly Token[]): string[][][] {
  const tables: string[][][] = [];
  let table: string[][] | undefined;
  for (const { type, level, content } of tokens) {
    if (type === "table_open" && level === 0) tables.push((table = []));
    else if (type === "table_close" && level === 0) table = undefined;
    else if (type === "tr_open") table?.push([]);
    else if (type === "inline") table?.at(-1)?.push(content);
  }
  return tables;
}
