import { TooLarge } from "../../../platform/http/errors.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { type Block, type Cell, type Paragraph, textOf } from "./blocks.ts";
import { escapedStart, writeInline } from "./write-inline.ts";

/** More text than any reader or model takes; a file that holds more was made to. */
const MOST_CHARACTERS = 30_000_000;
const DEEPEST = 9;
export const MOST_COLUMNS = 500;

export function tooComplex(what: string): TooLarge {
  return new TooLarge("too_complex", `The file is too complex to be read: ${what}. Split it, or send a simpler one.`);
}

/** Blocks as GitHub-flavoured markdown, pages parted by form feeds. @throws TooLarge `too_complex`. */
export function writeMarkdown(blocks: readonly Block[]): string {
  const pages: string[] = [];
  let page = writer();
  let left = MOST_CHARACTERS;
  for (const block of blocks) {
    if (block.kind === "page") {
      pages.push(page.text());
      page = writer();
    } else left -= page.write(block);
    if (left < 0) throw tooComplex(`it holds more than ${MOST_CHARACTERS} characters`);
  }
  return [...pages, page.text()].join("\n\f\n");
}

/** A file without pages of its own but those that its blocks name. */
export function parsedFile(blocks: readonly Block[], rest: Partial<ParsedFile> = {}): ParsedFile {
  return withPages(writeMarkdown(withoutEmptyPages(blocks)), rest);
}

/** What a markdown text with form feeds says of its pages. */
export function withPages(markdown: string, rest: Partial<ParsedFile> = {}): ParsedFile {
  const pages = markdown.split("\f");
  return {
    markdown,
    pages: pages.length,
    warnings: [],
    pageQuality: pages.map((text, index) => ({ page: index + 1, characters: text.replace(/\s+/g, "").length, images: 0 })),
    ...rest,
  };
}

/** A break after a break, or before anything was written, parts nothing. */
function withoutEmptyPages(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  for (const block of blocks) if (block.kind !== "page" || (kept.length > 0 && kept.at(-1)?.kind !== "page")) kept.push(block);
  if (kept.at(-1)?.kind === "page") kept.pop();
  return kept;
}

function writer() {
  const parts: string[] = [];
  let before: Block | undefined;
  /** Widths of the markers of the items that are open, outermost first. */
  let widths: number[] = [];

  const indentOf = (depth: number) =>
    " ".repeat(widths.slice(0, Math.min(depth, DEEPEST)).reduce((sum, width) => sum + width, 0));

  function lines(block: Exclude<Block, { kind: "page" }>): string {
    switch (block.kind) {
      case "heading": {
        const text = writeInline(
          block.runs.map((run) => ({ ...run, bold: false })),
          " ",
        );
        return text === "" ? "" : `${"#".repeat(Math.min(6, Math.max(1, block.level)))} ${text}`;
      }
      case "rule":
        return "---";
      case "code":
        return prefixed(fenced(block.text, block.language), indentOf(block.depth), block.quote);
      case "table":
        return prefixed(writeTable(block.rows), indentOf(block.depth), block.quote);
      case "paragraph":
        return paragraph(block);
    }
  }

  function paragraph({ runs, depth, marker, quote }: Paragraph): string {
    const text = writeInline(runs);
    if (text === "") return "";
    if (marker === undefined) {
      const start = text.split("\n").map(escapedStart).join("\n");
      return prefixed(start, indentOf(depth), quote);
    }
    const level = Math.min(Math.max(depth, 1), DEEPEST);
    widths = widths.slice(0, level - 1);
    // an item that skips a level stands under what there is
    while (widths.length < level - 1) widths.push(2);
    const indent = indentOf(level - 1);
    widths.push(marker.length + 1);
    const [first = "", ...rest] = text.split("\n");
    const inner = rest.map((line) => indentOf(level) + line);
    return prefixed([`${indent}${marker} ${escapedStart(first)}`, ...inner].join("\n"), "", quote);
  }

  return {
    /** @returns how many characters it wrote. */
    write(block: Exclude<Block, { kind: "page" }>): number {
      if ("depth" in block ? block.depth === 0 : true) widths = [];
      const text = lines(block);
      if (text === "") return 0;
      const tight = isItem(before) && isItem(block) && (block.depth > 1 || before.depth > 1 || sameKind(before, block));
      if (before) parts.push(tight ? "\n" : "\n\n");
      parts.push(text);
      before = block;
      return text.length;
    },
    text: () => parts.join(""),
  };
}

function isItem(block: Block | undefined): block is Paragraph & { marker: string } {
  return block?.kind === "paragraph" && block.marker !== undefined;
}

function sameKind(a: Paragraph, b: Paragraph): boolean {
  return (a.marker === "-") === (b.marker === "-");
}

function prefixed(text: string, indent: string, quote: number): string {
  const prefix = "> ".repeat(Math.min(quote, DEEPEST)) + indent;
  return prefix === "" || text === "" ? text : text.replace(/^/gm, prefix);
}

export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/^`{3,}/gm) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

/** A pipe table; the first row is its head. Cells that span leave the places that they cover empty. */
function writeTable(rows: readonly Cell[][]): string {
  const grid = layOut(rows);
  const width = Math.max(0, ...grid.map(({ length }) => length));
  if (width === 0 || grid.every((row) => row.every((cell) => cell === ""))) return "";
  return pipeTable(grid, width);
}

/** Rows of texts, cells escaped already, as a pipe table. */
export function pipeTable(grid: readonly (readonly string[])[], width: number): string {
  const line = (cells: readonly string[]) => `| ${Array.from({ length: width }, (_, index) => cells[index] ?? "").join(" | ")} |`;
  const [head = [], ...body] = grid;
  return [line(head), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n");
}

/** The text of a cell of a pipe table. */
export function cellText(text: string): string {
  return text
    .trim()
    .replaceAll("|", "\\|")
    .replace(/\s*\n+\s*/g, "<br>");
}

function layOut(rows: readonly Cell[][]): string[][] {
  const grid: string[][] = [];
  /** For each column, how many rows below are covered from above. */
  const covered: number[] = [];
  for (const cells of rows) {
    const row: string[] = [];
    let column = 0;
    const skip = () => {
      while ((covered[column] ?? 0) > 0) {
        covered[column] = (covered[column] ?? 0) - 1;
        row[column] = "";
        column += 1;
      }
    };
    for (const cell of cells) {
      skip();
      const columns = Math.max(1, Math.min(cell.columns, MOST_COLUMNS - column));
      if (column >= MOST_COLUMNS) break;
      const text = cellMarkdown(cell);
      for (let step = 0; step < columns; step += 1) {
        row[column] = step === 0 ? text : "";
        covered[column] = Math.min(cell.rows, rows.length) - 1;
        column += 1;
      }
    }
    skip();
    grid.push(row);
  }
  return trimColumns(grid);
}

/** Columns at the right in which nothing stands come of spans that were too wide. */
function trimColumns(grid: string[][]): string[][] {
  const used = Math.max(0, ...grid.map((row) => row.findLastIndex((cell) => cell !== undefined && cell !== "") + 1));
  return grid.map((row) => Array.from({ length: Math.min(row.length, used) }, (_, index) => row[index] ?? ""));
}

function cellMarkdown(cell: Cell): string {
  const parts = cell.blocks.map((block) => {
    if (block.kind === "table") return block.rows.map((row) => row.map(cellMarkdown).filter(Boolean).join(" ")).join("\n");
    if (block.kind === "code") return writeInline([{ text: block.text, code: true }]);
    if (block.kind === "paragraph") return (block.marker ? `${block.marker} ` : "") + writeInline(block.runs, "\n");
    return block.kind === "heading" ? writeInline(block.runs.map((run) => ({ ...run, bold: true }))) : "";
  });
  return cellText(parts.filter(Boolean).join("\n"));
}

/** Whether a table only lays out what stands in it: one column, or blocks that no cell of a pipe table holds. */
export function isLayout(rows: readonly Cell[][]): boolean {
  const widest = Math.max(0, ...rows.map((row) => row.length));
  if (widest <= 1 && rows.length <= 1) return true;
  return rows.some(
    (row) => row.some(({ blocks }) => blocks.some(({ kind }) => kind === "table" || kind === "code")) && row.length <= 2,
  );
}

export function hasText(block: Block): boolean {
  return "runs" in block ? textOf(block.runs).trim() !== "" : true;
}
