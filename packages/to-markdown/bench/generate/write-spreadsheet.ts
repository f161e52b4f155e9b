import type { SourceDocument, SourceTable } from "./document.ts";

const SPACES = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
].join(" ");
const MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet";

/**
 * Writes the tables of a document as an OpenDocument spreadsheet in one XML file, one table per
 * sheet.
 */
export function writeSpreadsheet({ blocks }: SourceDocument): string {
  const names = blocks.flatMap((block) => (block.type === "heading" ? [block.text] : []));
  const tables = blocks.flatMap((block) => (block.type === "table" ? [block.table] : []));
  const sheets = tables.map((table, at) => sheetOf(table, names[at] ?? String(at + 1)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${SPACES} office:version="1.2" office:mimetype="${MIMETYPE}"><office:body><office:spreadsheet>
${sheets.join("\n")}
</office:spreadsheet></office:body></office:document>`;
}

function sheetOf({ rows, columns }: SourceTable, name: string): string {
  const covered = rows.map(() => Array.from({ length: columns }, () => false));
  const lines = rows.map((row, y) => {
    const cells: string[] = [];
    const left = [...row];
    for (let x = 0; x < columns; x += 1) {
      const cell = covered[y]?.[x] ? undefined : left.shift();
      if (!cell) {
        cells.push("<table:covered-table-cell/>");
        continue;
      }
      const { text, across, down } = cell;
      for (let below = y; below < y + down; below += 1)
        covered[below]?.fill(true, x, x + across);
      const spans = ` table:number-columns-spanned="${across}" table:number-rows-spanned="${down}"`;
      cells.push(
        `<table:table-cell${across * down > 1 ? spans : ""} ${valueOf(text)}><text:p>${escaped(text)}</text:p></table:table-cell>`,
      );
    }
    return `<table:table-row>${cells.join("")}</table:table-row>`;
  });
  return `<table:table table:name="${escaped(name)}">${lines.join("")}</table:table>`;
}

/** Stores plain numbers as numbers. */
const valueOf = (text: string): string =>
  text !== "" && String(Number(text)) === text
    ? `office:value-type="float" office:value="${text}"`
    : 'office:value-type="string"';

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
