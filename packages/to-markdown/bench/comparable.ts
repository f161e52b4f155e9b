import { htmlTable, rowsOfHtml } from "./markdown-tables.ts";

const HTML_TABLE = /<table[^>]*?>.*?<\/table>/gis;
/** An empty header, its separator and the first row. */
const EMPTY_HEAD = /^[ \t]*\|[ \t|]*\|[ \t]*\n([ \t]*\|[ \t:|-]+\|[ \t]*)\n([ \t]*\|.*)$/gm;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

/**
 * Removes differences between programs that no reader sees: comments, positions of pictures,
 * internal links, the layout of HTML tables, empty headers, escapes, and all tags except those of
 * tables.
 */
export function comparable(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->/gs, " ")
    .replace(/\s(?:class|style|id|width|align|valign)="[^"]*"/gi, "")
    .replace(HTML_TABLE, (table) => htmlTable(rowsOfHtml(table)))
    .replace(EMPTY_HEAD, "$2\n$1")
    .replace(/!\[[^\]]*\]\((?:<[^>\n]*>|[^()\n]|\([^()\n]*\))*\)/g, " ")
    .replace(/\[([^\]\n]*)\]\(#[^)\n]*\)/g, "$1")
    .replace(/(?<!\\)<(?!\/?t(?:able|r|d)>)\/?[a-z][^>\n]{0,500}>/gi, " ")
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replace(/\\([!-/:-@[-`{}~])/g, "$1")
    .replace(/^#{1,6}[ \t]*$/gm, "");
}
