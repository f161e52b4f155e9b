import type { Source } from "./contract.ts";

/** Formats a passage for the model, with the number by which to cite it. */
export function passageText({ index, fileName, pageNumber, content, url }: Source): string {
  if (url !== undefined) return `[${index}] “${fileName}”, ${url}:\n${content}`;
  return `[${index}] “${fileName}”${pageNumber === null ? "" : `, page ${pageNumber}`}:\n${content}`;
}
