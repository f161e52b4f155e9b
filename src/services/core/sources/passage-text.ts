import type { Source } from "./contract.ts";

/** A passage as the model reads it, with the number by which to cite it. */
export function passageText({ index, fileName, pageNumber, content }: Source): string {
  return `[${index}] “${fileName}”${pageNumber === null ? "" : `, page ${pageNumber}`}:\n${content}`;
}
