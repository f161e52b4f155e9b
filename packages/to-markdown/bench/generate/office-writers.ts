import type { Kind, SourceBlock, SourceDocument, SourceTable } from "./document.ts";
import { writeDocx } from "./write-docx.ts";
import { writeHtml } from "./write-html.ts";
import type { Writer } from "./writers.ts";

const TEXTS: readonly Kind[] = [
  "ruled-tables",
  "spanned-tables",
  "long-tables",
  "many-tables",
  "headings",
  "numbered-headings",
  "long-headings",
  "lists",
  "captions",
  "right-to-left",
  "wide-characters",
];
const SHEETS: readonly Kind[] = ["many-tables", "spanned-tables", "long-tables"];
const SLIDES: readonly Kind[] = ["lists", "many-tables", "spanned-tables"];
const MAX_SHEET_NAME = 31;

/** Programs that write Office files, books and web pages. */
export const OFFICE_WRITERS: readonly Writer[] = [
  {
    name: "docx",
    runs: "stored",
    extension: "docx",
    makes: "docx",
    only: TEXTS,
    source: writeDocx,
  },
  {
    name: "page",
    runs: "stored",
    extension: "html",
    makes: "html",
    only: TEXTS,
    source: writeHtml,
  },
  ...["odt", "rtf", "doc"].map((makes): Writer => ({
    name: `libreoffice-${makes}`,
    runs: "soffice",
    command: "soffice",
    extension: "docx",
    makes,
    only: TEXTS,
    source: writeDocx,
  })),
  ...["docx", "odt", "epub", "rtf"].map((makes): Writer => ({
    name: `pandoc-${makes}`,
    runs: "command",
    command: "pandoc",
    extension: "html",
    makes,
    only: TEXTS,
    source: writeHtml,
  })),
  ...["xlsx", "xls", "ods"].map((makes): Writer => ({
    name: `libreoffice-${makes}`,
    runs: "soffice",
    command: "soffice",
    extension: "fods",
    makes,
    only: SHEETS,
    holds: asSheets,
    source: writeSpreadsheet,
  })),
  {
    name: "pptx",
    runs: "python",
    extension: "json",
    makes: "pptx",
    only: SLIDES,
    holds: asSlides,
    source: (document) => JSON.stringify(document),
  },
];

/** The tables of a document, each on a named sheet. */
function asSheets(document: SourceDocument): SourceDocument {
  const names = document.blocks.flatMap((block) =>
    block.type === "heading" ? [block.text] : [],
  );
  const tables = document.blocks.filter(({ type }) => type === "table");
  const blocks = tables.flatMap((table, at): SourceBlock[] => {
    const text = `${at + 1} ${names[at] ?? ""}`.slice(0, MAX_SHEET_NAME).trim();
    return [{ type: "heading", level: 2, text }, table];
  });
  return { ...document, blocks };
}

/** The titles, lists and tables of a document. Slides have bullets, and titles of one level. */
function asSlides(document: SourceDocument): SourceDocument {
  const blocks = document.blocks.flatMap((block): SourceBlock[] => {
    if (block.type === "heading") return [{ type: "title", text: block.text }];
    if (block.type === "list") return [{ ...block, ordered: false }];
    return block.type === "title" || block.type === "table" ? [block] : [];
  });
  return { ...document, blocks };
}

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
function writeSpreadsheet({ blocks }: SourceDocument): string {
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
