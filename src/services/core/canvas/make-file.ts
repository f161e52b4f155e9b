import { readHtml } from "@parlance/to-markdown/formats/read-html.ts";
import { writeMarkdown } from "@parlance/to-markdown/formats/write-markdown.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { Block } from "./blocks.ts";
import type { Canvas, FileType } from "./contract.ts";
import { readMarkdown } from "./read-markdown.ts";
import { toDocx } from "./to-docx.ts";
import { toHtml } from "./to-html.ts";
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
