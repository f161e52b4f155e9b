import type { Kind, SourceBlock, SourceDocument } from "./document.ts";
import { writeDocx } from "./write-docx.ts";
import { writeHtml } from "./write-html.ts";
import { writeSpreadsheet } from "./write-spreadsheet.ts";
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
