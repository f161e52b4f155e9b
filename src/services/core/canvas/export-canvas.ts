import { BadRequest } from "../../../platform/http/errors.ts";
import { attachment, type FileBody } from "../../../platform/http/attachment.ts";
import type { Canvas, FileType } from "./contract.ts";
import { type Block, readMarkdown } from "./read-markdown.ts";
import { toDocx } from "./to-docx.ts";
import { toHtml } from "./to-html.ts";
import { toPdf } from "./to-pdf.ts";
import { toText } from "./to-text.ts";

const MIME: Record<FileType, string> = {
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  html: "text/html; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pdf: "application/pdf",
  json: "application/json; charset=utf-8",
};

/** A canvas as a file to keep. @throws BadRequest `file_type_unsupported` for JSON of what is no code. */
export async function exportCanvas(canvas: Canvas, fileType: FileType): Promise<Response> {
  return attachment(await bodyOf(canvas, fileType), {
    fileName: `${canvas.title.slice(0, 100)}.${fileType}`,
    mime: MIME[fileType],
  });
}

async function bodyOf(canvas: Canvas, fileType: FileType): Promise<FileBody> {
  const { title, content, type, language } = canvas;
  switch (fileType) {
    case "md":
      return type === "code" ? fenced(content, language) : content;
    case "txt":
      return type === "code" ? content : toText(blocksOf(canvas));
    case "html":
      return toHtml(title, blocksOf(canvas));
    case "docx":
      return toDocx(title, blocksOf(canvas));
    case "pdf":
      return toPdf(title, blocksOf(canvas));
    case "json":
      if (type !== "code")
        throw new BadRequest(
          "file_type_unsupported",
          "Only canvases of code are exported as JSON. Choose md, txt, html, docx or pdf.",
        );
      return JSON.stringify(canvas, null, 2);
  }
}

/** Code and HTML are shown as they were written: exported HTML must run nothing. */
function blocksOf({ type, content, language }: Canvas): Block[] {
  if (type === "markdown") return readMarkdown(content);
  return [{ kind: "code", language: type === "html" ? "html" : (language ?? ""), text: content }];
}

function fenced(content: string, language: string | null): string {
  const longest = Math.max(0, ...(content.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language ?? ""}\n${content}\n${fence}\n`;
}
