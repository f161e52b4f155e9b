import { readHtml } from "@parlance/to-markdown/formats/read-html.ts";
import { writeMarkdown } from "@parlance/to-markdown/formats/write-markdown.ts";
import { escapeMarkup } from "../../../platform/escape-markup.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { Block, TextRun } from "./blocks.ts";
import type { Canvas, FileType } from "./contract.ts";
import { readMarkdown } from "./read-markdown.ts";
import { toDocx } from "./to-docx.ts";
import { toPdf } from "./to-pdf.ts";
import { toText } from "./to-text.ts";

export interface FileRequest {
  canvas: Pick<Canvas, "title" | "content" | "type" | "language">;
  fileType: Exclude<FileType, "md" | "json">;
}

/** The maximum size, because the main process holds the whole file while it is sent. */
const MAX_FILE_BYTES = 32 * 2 ** 20;

/** Makes the file of a canvas. Runs in a worker process: its time depends on the content. */
export default async function makeFile({
  canvas,
  fileType,
}: FileRequest): Promise<Uint8Array> {
  const file = await render(canvas, fileType);
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  if (bytes.length > MAX_FILE_BYTES)
    throw new ApiError(
      422,
      "too_complex",
      `The file has more than ${MAX_FILE_BYTES / 2 ** 20} MB. Export the canvas as md, or split it.`,
    );
  return bytes;
}

function render(
  canvas: FileRequest["canvas"],
  fileType: FileRequest["fileType"],
): string | Promise<Uint8Array> {
  const { title, content, type } = canvas;
  switch (fileType) {
    case "txt":
      return type === "code" ? content : toText(blocksOf(canvas));
    case "html":
      return toHtml(title, blocksOf(canvas));
    case "docx":
      return toDocx(title, blocksOf(canvas));
    case "pdf":
      return toPdf(title, blocksOf(canvas));
  }
}

function blocksOf({ type, content, language }: FileRequest["canvas"]): Block[] {
  if (type === "markdown") return readMarkdown(content);
  // a static page: it runs nothing and fetches nothing
  if (type === "html") return readMarkdown(writeMarkdown(readHtml(content).blocks));
  return [{ kind: "code", language: language ?? "", text: content }];
}

const STYLE = `\
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.6 system-ui, sans-serif }
pre { background: #f4f4f4; padding: 1rem; overflow: auto }
table { border-collapse: collapse }
td, th { border: 1px solid #bbb; padding: .3rem .6rem }
blockquote { border-left: 3px solid #bbb; margin-left: 0; padding-left: 1rem }`;

type List = Extract<Block, { kind: "list" }>;
type Table = Extract<Block, { kind: "table" }>;

/** Renders a complete page without scripts and external resources. */
function toHtml(title: string, blocks: readonly Block[]): string {
  return `<!doctype html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(title)}</title>
<style>
${STYLE}
</style>
</head><body>
${blocks.map(block).join("\n")}
</body></html>
`;
}

function block(one: Block): string {
  switch (one.kind) {
    case "heading":
      return `<h${one.depth}>${runs(one.runs)}</h${one.depth}>`;
    case "paragraph":
      return `<p>${runs(one.runs)}</p>`;
    case "list":
      return list(one);
    case "table":
      return table(one);
    case "code":
      return `<pre><code>${escapeMarkup(one.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${one.blocks.map(block).join("\n")}</blockquote>`;
    case "rule":
      return "<hr>";
  }
}

function list({ ordered, start, items }: List): string {
  const tag = ordered ? "ol" : "ul";
  const attribute = ordered && start !== 1 ? ` start="${start}"` : "";
  const lines = items.map(({ checked, blocks }) => {
    const content = blocks.map(inItem).join("\n");
    return `<li>${box(checked)}${content}</li>`;
  });
  return `<${tag}${attribute}>\n${lines.join("\n")}\n</${tag}>`;
}

function table({ header, rows, align }: Table): string {
  const cell = (content: readonly TextRun[], tag: string, column: number) =>
    `<${tag}${side(align[column])}>${runs(content)}</${tag}>`;
  const row = (cells: readonly TextRun[][], tag: string) =>
    `<tr>${cells.map((content, column) => cell(content, tag, column)).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("\n");
  return `<table>\n<thead>${row(header, "th")}</thead>\n<tbody>${body}</tbody>\n</table>`;
}

function inItem(one: Block): string {
  return one.kind === "paragraph" ? runs(one.runs) : block(one);
}

function box(checked: boolean | undefined): string {
  return checked === undefined ? "" : checked ? "☑ " : "☐ ";
}

function side(align: string | null | undefined): string {
  return align ? ` style="text-align:${align}"` : "";
}

function runs(all: readonly TextRun[]): string {
  return all.map(run).join("");
}

function run({ text, bold, italic, strike, code, link }: TextRun): string {
  let html = escapeMarkup(text).replaceAll("\n", "<br>");
  if (code) html = `<code>${html}</code>`;
  if (bold) html = `<strong>${html}</strong>`;
  if (italic) html = `<em>${html}</em>`;
  if (strike) html = `<del>${html}</del>`;
  return link
    ? `<a href="${escapeMarkup(link)}" rel="noopener noreferrer">${html}</a>`
    : html;
}
