import type { Block, Paragraph, Table } from "./blocks.ts";
import { layOut, pipeTable } from "./lay-out-table.ts";
import { tooComplex } from "./refuse-file.ts";
import { writeRecords } from "./write-records.ts";
import { escapedStart, writeInline } from "./write-inline.ts";

/** More text than any reader or model takes; a file that holds more was made to. */
const MAX_CHARACTERS = 30_000_000;
const DEEPEST = 9;

/**
 * Blocks as GitHub-flavoured markdown, pages parted by form feeds.
 * @throws TooLarge `too_complex`.
 */
export function writeMarkdown(blocks: readonly Block[]): string {
  const pages: string[] = [];
  let page = writer();
  let left = MAX_CHARACTERS;
  for (const block of blocks) {
    if (block.kind === "page") {
      pages.push(page.text());
      page = writer();
    } else left -= page.write(block);
    if (left < 0) throw tooComplex(`it holds more than ${MAX_CHARACTERS} characters`);
  }
  return [...pages, page.text()].join("\n\f\n");
}

function writer() {
  const parts: string[] = [];
  let before: Block | undefined;
  /** The items that are open, outermost first, with the widths of their markers. */
  let items: { depth: number; width: number }[] = [];

  /** Of what goes on an item: under all that are open down to its depth. */
  const indentOf = (depth: number) =>
    " ".repeat(
      items.reduce((sum, item) => sum + (item.depth <= depth ? item.width : 0), 0),
    );

  function lines(block: Exclude<Block, { kind: "page" }>): string {
    switch (block.kind) {
      case "heading": {
        const text = writeInline(
          block.runs.map((run) => ({ ...run, bold: false })),
          " ",
        );
        return text === ""
          ? ""
          : `${"#".repeat(Math.min(6, Math.max(1, block.level)))} ${text}`;
      }
      case "rule":
        return "---";
      case "code":
        return prefixed(
          fenced(block.text, block.language),
          indentOf(block.depth),
          block.quote,
        );
      case "table":
        return prefixed(writeTable(block), indentOf(block.depth), block.quote);
      case "records":
        return writeRecords(block, MAX_CHARACTERS);
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
    // an item that skips a level, or begins a list below its first, stands under what there is:
    // deeper, it would be read as code
    items = items.filter((item) => item.depth < level);
    const indent = indentOf(level);
    items.push({ depth: level, width: marker.length + 1 });
    const [first = "", ...rest] = text.split("\n");
    const inner = rest.map((line) => indentOf(level) + line);
    return prefixed(
      [`${indent}${marker} ${escapedStart(first)}`, ...inner].join("\n"),
      "",
      quote,
    );
  }

  return {
    /** @returns how many characters it wrote. */
    write(block: Exclude<Block, { kind: "page" }>): number {
      if ("depth" in block ? block.depth === 0 : true) items = [];
      // oxlint-disable-next-line no-control-regex -- text must not contain page breaks or controls
      const text = lines(block).replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "");
      if (text === "") return 0;
      const tight =
        isItem(before) &&
        isItem(block) &&
        (block.depth > 1 || before.depth > 1 || sameKind(before, block));
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
  const longest = Math.max(
    2,
    ...(text.match(/^`{3,}/gm) ?? []).map(({ length }) => length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

/** A pipe table; the first row is its head. */
function writeTable(table: Table): string {
  const grid = layOut(table.rows);
  const width = Math.max(0, ...grid.map(({ length }) => length));
  return width === 0 ? "" : pipeTable(grid, width);
}
