import { attachment, type FileBody } from "../../../platform/http/attachment.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { shortenText } from "../../../platform/shorten-text.ts";
import type { Task } from "../../../platform/workers/task.ts";
import type { RunOptions, Workers } from "../../../platform/workers/workers.ts";
import { type Canvas, EXPORT_TYPES, type FileType } from "./contract.ts";
import type makeFile from "./make-file.ts";

const MAKE_FILE: Task<typeof makeFile> = {
  file: new URL("./make-file.ts", import.meta.url),
  timeoutMs: 20_000,
  advice: "Export the canvas as md, or split it into smaller ones.",
};

const MAX_NAME_CHARACTERS = 100;

/**
 * Exports a canvas as a file.
 * @throws BadRequest `file_type_unsupported` for JSON of anything but code; what `Workers.run`
 * throws.
 */
export async function exportCanvas(
  workers: Workers,
  canvas: Canvas,
  fileType: FileType,
  options: RunOptions,
): Promise<Response> {
  return attachment(await bodyOf(workers, canvas, fileType, options), {
    fileName: `${shortenText(canvas.title, MAX_NAME_CHARACTERS)}.${fileType}`,
    mime: mediaTypeOf(fileType),
  });
}

function mediaTypeOf(fileType: FileType): string {
  const type = EXPORT_TYPES[fileType];
  return /^text\/|json$/.test(type) ? `${type}; charset=utf-8` : type;
}

async function bodyOf(
  workers: Workers,
  canvas: Canvas,
  fileType: FileType,
  options: RunOptions,
): Promise<FileBody> {
  if (fileType === "md") return toMarkdown(canvas);
  if (fileType === "json") return toJson(canvas);
  const { title, content, type, language } = canvas;
  const request = { canvas: { title, content, type, language }, fileType };
  const file = await workers.run(MAKE_FILE, request, options);
  return file as Uint8Array<ArrayBuffer>; // a structured clone is never shared memory
}

function toMarkdown({ type, content, language }: Canvas): string {
  return type === "code" ? fence(content, language) : content;
}

function toJson(canvas: Canvas): string {
  if (canvas.type !== "code")
    throw new BadRequest(
      "file_type_unsupported",
      "Only canvases of code are exported as JSON. Choose md, txt, html, docx or pdf.",
    );
  return JSON.stringify(canvas, null, 2);
}

/** A fence must be longer than every sequence of backticks in the code. */
function fence(content: string, language: string | null): string {
  let longest = 2;
  for (const [ticks] of content.matchAll(/`{3,}/g))
    longest = Math.max(longest, ticks.length);
  const mark = "`".repeat(longest + 1);
  return `${mark}${language ?? ""}\n${content}\n${mark}\n`;
}
