import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findFormatPeers } from "./format-peers.ts";

/** The text that another program finds in a file. */
export interface Extracted {
  text: string;
  /** Page headers, footers and numbers, which this package leaves out on purpose. */
  runningHeads: string;
  /** Invisible text, which this package also leaves out. */
  unseen: string;
}

/** A program that extracts text, and the types of files for which it is compared. */
export interface Extractor {
  name: string;
  reads(format: string): boolean;
  extract(paths: readonly string[]): Promise<Map<string, Extracted>>;
}

const run = promisify(execFile);
const BOUNDS = { maxBuffer: 256 * 1024 * 1024, timeout: 60_000 };
const FORMATS: Record<string, string> = {
  // it extracts the text of shapes in Word files twice
  pymupdf: "pdf pptx xlsx epub html",
  pdftotext: "pdf",
  // it also extracts the metadata of books and messages
  markitdown: "docx pptx xlsx xls html csv",
  // in RTF it decodes the letters of other code pages as Western
  pandoc: "docx odt epub html",
};

/** Those of the programs `names` that are installed. Without pdftotext, markitdown reads PDFs. */
export async function findExtractors(
  names: readonly string[],
  python?: string,
): Promise<Extractor[]> {
  const extractors: Extractor[] = [];
  const there = await run("pdftotext", ["-v"]).then(
    () => names.includes("pdftotext"),
    () => false,
  );
  if (there)
    extractors.push({ name: "pdftotext", reads: readsOf("pdftotext"), extract: pdftotext });
  else if (names.includes("pdftotext"))
    console.log("pdftotext is left out: install poppler-utils to compare with it.");
  const others = names.filter((name) => name !== "pdftotext");
  for (const { name, readAll } of await findFormatPeers(others, python)) {
    const reads = readsOf(name);
    extractors.push({
      name,
      reads: (format) =>
        reads(format) || (!there && name === "markitdown" && format === "pdf"),
      extract: async (paths) => {
        const found = new Map<string, Extracted>();
        for (const [path, result] of await readAll(paths)) {
          const { markdown, runningHeads = "", unseen = "" } = result;
          if (markdown === undefined) continue;
          const text = name === "pymupdf" ? markdown : withoutMarkup(markdown);
          found.set(path, { text, runningHeads, unseen });
        }
        return found;
      },
    });
  }
  return extractors;
}

const readsOf = (name: string) => {
  const formats = new Set(FORMATS[name]?.split(" "));
  return (format: string) => formats.has(format);
};

async function pdftotext(paths: readonly string[]): Promise<Map<string, Extracted>> {
  const found = new Map<string, Extracted>();
  for (const path of paths) {
    const result = await run("pdftotext", ["-enc", "UTF-8", path, "-"], BOUNDS).catch(
      () => undefined,
    );
    if (result) found.set(path, { text: result.stdout, runningHeads: "", unseen: "" });
  }
  return found;
}

/**
 * The text of Markdown, without additions of its writer: addresses, tags, names of missing cells.
 */
export function withoutMarkup(markdown: string): string {
  return (
    markdown
      .replace(/<!--.*?-->/gs, " ")
      .replace(/data:[\w/+;-]+,[^\s"')>]+/g, " ")
      .replace(/\]\((?:<[^>\n]*>|(?:[^()\n]|\([^()\n]*\))*)\)/g, "] ")
      .replace(/<(https?:[^>\s]+)>/g, " $1 ")
      .replace(/(?<!\\)<\/?[a-z][^>\n]{0,20000}>/gi, " ")
      .replace(/&(?:amp|lt|gt|quot|nbsp|#\d+);/g, " ")
      .replace(/\\([!-/:-@[-`{-~])/g, "$1")
      // pandas writes these for empty cells and headers, pdfminer for characters without a letter
      .replace(
        /\bNaN\b|Unnamed: \d+(?:_level_\d+)?|\(cid:\d+\)|\[unsupported chart\]/g,
        " ",
      )
  );
}
