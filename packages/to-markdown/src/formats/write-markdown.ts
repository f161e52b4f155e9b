import type { Block, Paragraph, Table } from "./blocks.ts";
import { layOut, pipeTable } from "./lay-out-table.ts";
import { tooComplex } from "./refuse-file.ts";
import { writeRecords } from "./write-records.ts";
import { escapedStart, writeInline } from "./write-inline.ts";

/** More text than any reader or model accepts; only malicious files have more. */
const MAX_CHARACTERS = 30_000_000;
const MAX_NESTING = 9;

type Content = Exclude<Block, { kind: "page" }>;

/** Called with each block that is written, and with the place of its text, see `TextLayout`. */
export type OnBlock = (
  block: Content,
  place: { part: number; line: number; text: string },
) => void;

/**
 * Writes blocks as GitHub-flavoured Markdown. Form feeds separate pages.
 * @throws FileError `too_complex`.
 */
export function writeMarkdown(blocks: readonly Block[], onBlock?: OnBlock): string {
  const pages: string[] = [];
  let page = writer();
  let left = MAX_CHARACTERS;
  for (const block of blocks) {
    if (block.kind === "page") {
      pages.push(page.text());
      page = writer();
    } else {
      const text = page.write(block);
      left -= text.length;
      // a line break follows the form feed
      const line = page.line() + (pages.length > 0 ? 1 : 0);
      if (text !== "") onBlock?.(block, { part: pages.length + 1, line, text });
    }
    if (left < 0) throw tooComplex(`it holds more than ${MAX_CHARACTERS} characters`);
  }
  return [...pages, page.text()].join("\n\f\n");
}

/** Writes the blocks of one page. */
function writer() {
  const parts: string[] = [];
  const items = openItems();
  let before: Block | undefined;
  let line = 0;
  let lines = 0;
  return {
    /** @returns the text that it wrote. */
    write(block: Content): string {
      if ("depth" in block ? block.depth === 0 : true) items.closeAll();
      // oxlint-disable-next-line no-control-regex -- text must not contain page breaks or controls
      const text = writeBlock(block, items).replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "");
      if (text === "") return "";
      const tight =
        isItem(before) &&
        isItem(block) &&
        (block.depth > 1 || before.depth > 1 || sameKind(before, block));
      if (before) parts.push(tight ? "\n" : "\n\n");
      parts.push(text);
      line = before ? lines + (tight ? 1 : 2) : 0;
      lines = line + countLineBreaks(text);
      before = block;
      return text;
    },
    /** The line on which the last block begins, from 0. */
    line: () => line,
    text: () => parts.join(""),
  };
}

function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

interface OpenItems {
  /** The indentation of content that belongs to the open item at this depth. */
  indentOf(depth: number): string;
  /**
   * Begins an item, and ends items of the same or greater depth. @returns the item's own
   * indentation.
   */
  open(depth: number, width: number): string;
  closeAll(): void;
}

function openItems(): OpenItems {
  /** The open items, outermost first, with the widths of their markers */
  let items: { depth: number; width: number }[] = [];
  const indentOf = (depth: number) =>
    " ".repeat(
      items.reduce((sum, item) => sum + (item.depth <= depth ? item.width : 0), 0),
    );
  return {
    indentOf,
    open(depth, width) {
      items = items.filter((item) => item.depth < depth);
      const indent = indentOf(depth);
      items.push({ depth, width });
      return indent;
    },
    closeAll() {
      items = [];
    },
  };
}

function writeBlock(block: Content, items: OpenItems): string {
  switch (block.kind) {
    case "heading":
      return writeHeading(block);
    case "rule":
      return "---";
    case "code": {
      const code = fenced(block.text, block.language);
      return prefixed(code, items.indentOf(block.depth), block.quote);
    }
    case "table":
      return prefixed(writeTable(block), items.indentOf(block.depth), block.quote);
    case "records":
      return writeRecords(block, MAX_CHARACTERS);
    case "paragraph":
      return writeParagraph(block, items);
  }
}

function writeHeading({ runs, level }: Extract<Block, { kind: "heading" }>): string {
  const text = writeInline(
    runs.map((run) => ({ ...run, bold: false })),
    " ",
  );
  return text === "" ? "" : `${"#".repeat(Math.min(6, Math.max(1, level)))} ${text}`;
}

function writeParagraph(
  { runs, depth, marker, quote }: Paragraph,
  items: OpenItems,
): string {
  const text = writeInline(runs);
  if (text === "") return "";
  if (marker === undefined) {
    const start = text.split("\n").map(escapedStart).join("\n");
    return prefixed(start, items.indentOf(depth), quote);
  }
  const level = Math.min(Math.max(depth, 1), MAX_NESTING);
  // an item that skips a level belongs to the nearest open item: with more indentation it would be
  // code
  const indent = items.open(level, marker.length + 1);
  const [first = "", ...rest] = text.split("\n");
  const inner = rest.map((line) => items.indentOf(level) + line);
  const lines = [`${indent}${marker} ${escapedStart(first)}`, ...inner];
  return prefixed(lines.join("\n"), "", quote);
}

function isItem(block: Block | undefined): block is Paragraph & { marker: string } {
  return block?.kind === "paragraph" && block.marker !== undefined;
}

function sameKind(a: Paragraph, b: Paragraph): boolean {
  return (a.marker === "-") === (b.marker === "-");
}

function prefixed(text: string, indent: string, quote: number): string {
  const prefix = "> ".repeat(Math.min(quote, MAX_NESTING)) + indent;
  return prefix === "" || text === "" ? text : text.replace(/^/gm, prefix);
}

function fenced(text: string, language = ""): string {
  const longest = Math.max(
    2,
    ...(text.match(/^`{3,}/gm) ?? []).map(({ length }) => length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

/** Writes a pipe table whose first row is the header. */
function writeTable(table: Table): string {
  const grid = layOut(table.rows);
  const width = Math.max(0, ...grid.map(({ length }) => length));
  return width === 0 ? "" : pipeTable(grid, width);
}
