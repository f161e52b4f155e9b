import { htmlTable, rowsOfHtml } from "./markdown-tables.ts";

const HTML_TABLE = /<table[^>]*?>.*?<\/table>/gis;
/** A head in which nothing stands, its separator and the first row. */
const EMPTY_HEAD = /^[ \t]*\|[ \t|]*\|[ \t]*\n([ \t]*\|[ \t:|-]+\|[ \t]*)\n([ \t]*\|.*)$/gm;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

/**
 * Markdown without what every program writes in its own way and a reader does not see: comments,
 * places of pictures, targets inside of the file, how HTML tables are set, heads that are empty,
 * escapes, and tags but those of tables.
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
