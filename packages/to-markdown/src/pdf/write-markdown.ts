import { isBold } from "./build-blocks.ts";
import type { Block, Segment, Table } from "./layout.ts";
import { textOf } from "./layout.ts";
import { markerOf } from "./list-marker.ts";
import { writeInline } from "./write-inline.ts";

/** The markdown of one page. */
export function writeMarkdown(blocks: readonly Block[]): string {
  let markdown = "";
  let last: Block | undefined;
  for (const block of blocks) {
    const text = writeBlock(block);
    if (text === "") continue;
    if (markdown !== "")
      markdown += last?.kind === "item" && block.kind === "item" ? "\n" : "\n\n";
    markdown += text;
    last = block;
  }
  return markdown;
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case "heading": {
      const text = writeInline(block.lines, {
        bold: true,
        italic: block.lines.every(isItalic),
      });
      return text === "" ? "" : `${"#".repeat(block.level)} ${text}`;
    }
    case "paragraph":
      return guarded(writeInline(block.lines));
    case "figure":
      return block.lines.map((line) => guarded(writeInline([line]))).join("\n");
    case "item":
      return writeItem(block);
    case "code":
      return writeCode(block.lines);
    case "note":
      return `[^${block.label}]: ${writeInline(block.lines)}`;
    case "table":
      return writeTable(block.table);
  }
}

const isItalic = (line: Segment): boolean => line.words.every((word) => word.style.italic);

/** Escapes text that Markdown would interpret at the start of a paragraph. */
function guarded(text: string): string {
  return text
    .replace(/^([#>+-])(?=\s|$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s)/, "$1\\$2");
}

function writeItem(block: Block & { kind: "item" }): string {
  const [first, ...others] = block.lines;
  if (!first) return "";
  const rest = withoutMarker(first, markerOf(textOf(first))?.length ?? 0);
  const text = writeInline([rest, ...others], {
    bold: block.lines.every(isBold) && block.lines.length > 3,
  });
  return `${"    ".repeat(block.depth)}${block.marker} ${text}`;
}

/** A line without its first `length` characters. */
function withoutMarker(line: Segment, length: number): Segment {
  let left = length;
  const words = [];
  for (const word of line.words) {
    if (left <= 0) words.push(word);
    else if (word.text.length > left) words.push({ ...word, text: word.text.slice(left) });
    left -= word.text.length + 1;
  }
  return { ...line, words };
}

function writeCode(lines: readonly Segment[]): string {
  const left = Math.min(...lines.map((line) => line.left));
  const rows: string[] = [];
  let last: Segment | undefined;
  for (const line of lines) {
    const text = textOf(line).replaceAll("\u00ad", "-");
    const pitch = (line.right - line.left) / Math.max(text.length, 1);
    const indent = Math.max(0, Math.round((line.left - left) / Math.max(pitch, 1)));
    if (last && line.baseline - last.baseline > line.size * 1.9) rows.push("");
    rows.push(" ".repeat(Math.min(indent, 80)) + text);
    last = line;
  }
  const fence = rows.some((row) => row.includes("```")) ? "````" : "```";
  return `${fence}\n${rows.join("\n")}\n${fence}`;
}

function writeTable(table: Table): string {
  const [head, ...rows] = table.headed
    ? table.rows
    : [table.rows[0]?.map(() => "") ?? [], ...table.rows];
  if (!head) return "";
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", "<br>")).join(" | ")} |`;
  return [row(head), `|${head.map(() => " --- ").join("|")}|`, ...rows.map(row)].join("\n");
}
