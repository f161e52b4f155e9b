import type { Kind, Language, SourceDocument } from "./document.ts";
import { writeDocx } from "./write-docx.ts";
import { writeGroff } from "./write-groff.ts";
import { writeHtml } from "./write-html.ts";
import { writeLatex } from "./write-latex.ts";
import { writeTypst } from "./write-typst.ts";

/** A program that prints documents, or writes Office files, books and web pages. */
export interface Writer {
  name: string;
  /**
   * How the program is started. Python programs share one process; a `stored` source is the file
   * itself.
   */
  runs: "chromium" | "python" | "soffice" | "command" | "stored";
  /** The name of a command. */
  command?: string;
  /** The extension of the source. */
  extension: string;
  /** The format of the output. */
  makes: string;
  languages?: readonly Language[];
  without?: readonly Kind[];
  only?: readonly Kind[];
  /** The part of a document that the format can represent; by default all of it. */
  holds?(document: SourceDocument): SourceDocument;
  source(document: SourceDocument): string | Promise<Uint8Array>;
}

const LATIN: readonly Language[] = ["en", "de", "fr"];
const EUROPEAN: readonly Language[] = ["en", "de", "fr", "ru"];
const OTHER_SCRIPTS: readonly Kind[] = ["right-to-left", "wide-characters"];
/** What only a page that is laid out by its author has. */
const PLACED: readonly Kind[] = ["columns", "parallel-lists", "framed-page", "forms"];
const json = (document: SourceDocument) => JSON.stringify(document);

export const WRITERS: readonly Writer[] = [
  {
    name: "chromium",
    runs: "chromium",
    extension: "html",
    makes: "pdf",
    without: ["formulas"],
    source: writeHtml,
  },
  {
    name: "weasyprint",
    runs: "python",
    extension: "html",
    makes: "pdf",
    without: ["formulas"],
    source: writeHtml,
  },
  { name: "typst", runs: "python", extension: "typ", makes: "pdf", source: writeTypst },
  {
    name: "reportlab",
    runs: "python",
    extension: "json",
    makes: "pdf",
    languages: EUROPEAN,
    without: [...OTHER_SCRIPTS, "formulas"],
    source: json,
  },
  {
    name: "fpdf2",
    runs: "python",
    extension: "json",
    makes: "pdf",
    languages: EUROPEAN,
    without: [...OTHER_SCRIPTS, "columns", "parallel-lists", "formulas", "nested-tables"],
    source: json,
  },
  {
    name: "libreoffice",
    runs: "soffice",
    command: "soffice",
    extension: "html",
    makes: "pdf",
    // it reads a table in a cell of a web page as one below another cell
    without: [...PLACED, "formulas", "nested-tables"],
    source: writeHtml,
  },
  {
    name: "word-export",
    runs: "soffice",
    command: "soffice",
    extension: "docx",
    makes: "pdf",
    without: [...PLACED, "formulas"],
    source: writeDocx,
  },
  ...["pdflatex", "lualatex"].map((name): Writer => ({
    name,
    runs: "command",
    command: name,
    extension: "tex",
    makes: "pdf",
    languages: LATIN,
    without: [...OTHER_SCRIPTS, "framed-page", "forms"],
    source: writeLatex,
  })),
  {
    name: "groff",
    runs: "command",
    command: "groff",
    extension: "ms",
    makes: "pdf",
    languages: LATIN,
    without: [...OTHER_SCRIPTS, ...PLACED, "formulas", "nested-tables"],
    source: writeGroff,
  },
  {
    name: "ghostscript",
    runs: "command",
    command: "gs",
    extension: "html",
    makes: "pdf",
    without: ["formulas"],
    source: writeHtml,
  },
];
