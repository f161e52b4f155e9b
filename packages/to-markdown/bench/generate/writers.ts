import type { Kind, Language, SourceDocument } from "./document.ts";
import { writeGroff } from "./write-groff.ts";
import { writeHtml } from "./write-html.ts";
import { writeLatex } from "./write-latex.ts";
import { writeTypst } from "./write-typst.ts";

/** A program that prints documents. */
export interface Writer {
  name: string;
  /** How the program is started; those of Python run in one process. */
  runs: "chromium" | "python" | "soffice" | "command";
  /** For a command: its name. */
  command?: string;
  extension: string;
  languages?: readonly Language[];
  without?: readonly Kind[];
  source(document: SourceDocument): string;
}

const LATIN: readonly Language[] = ["en", "de", "fr"];
const EUROPEAN: readonly Language[] = ["en", "de", "fr", "ru"];
const OTHER_SCRIPTS: readonly Kind[] = ["right-to-left", "wide-characters"];
const json = (document: SourceDocument) => JSON.stringify(document);

export const WRITERS: readonly Writer[] = [
  { name: "chromium", runs: "chromium", extension: "html", source: writeHtml },
  { name: "weasyprint", runs: "python", extension: "html", source: writeHtml },
  { name: "typst", runs: "python", extension: "typ", source: writeTypst },
  {
    name: "reportlab",
    runs: "python",
    extension: "json",
    languages: EUROPEAN,
    without: OTHER_SCRIPTS,
    source: json,
  },
  {
    name: "fpdf2",
    runs: "python",
    extension: "json",
    languages: EUROPEAN,
    without: [...OTHER_SCRIPTS, "columns", "parallel-lists"],
    source: json,
  },
  {
    name: "libreoffice",
    runs: "soffice",
    command: "soffice",
    extension: "html",
    without: ["columns", "parallel-lists", "framed-page", "forms"],
    source: writeHtml,
  },
  ...["pdflatex", "lualatex"].map((name): Writer => ({
    name,
    runs: "command",
    command: name,
    extension: "tex",
    languages: LATIN,
    without: [...OTHER_SCRIPTS, "framed-page", "forms"],
    source: writeLatex,
  })),
  {
    name: "groff",
    runs: "command",
    command: "groff",
    extension: "ms",
    languages: LATIN,
    without: [...OTHER_SCRIPTS, "framed-page", "columns", "parallel-lists", "forms"],
    source: writeGroff,
  },
  {
    name: "ghostscript",
    runs: "command",
    command: "gs",
    extension: "html",
    source: writeHtml,
  },
];
