import { shortenTextStart } from "./shorten-text.ts";

const MAX_NAME_CHARACTERS = 200;
/** Control and direction characters and lone surrogates. The zero-width joiner joins emoji. */
const INVISIBLE = /(?!\u200d)\p{C}/gu;
/** Characters that file systems do not permit in names. */
const FORBIDDEN = /(?!\u200d)[\p{C}/\\:*?"<>|]/gu;

/**
 * The name of an uploaded file: the last part of the given path, without control and direction
 * characters. A long name keeps its end, with the extension.
 */
export function toFileName(path: string, maxCharacters = MAX_NAME_CHARACTERS): string {
  const last = path.split(/[/\\]/).at(-1) ?? "";
  const visible = last.replace(INVISIBLE, "").trim();
  const name = shortenTextStart(visible, maxCharacters);
  return /^\.*$/.test(name) ? "file" : name;
}

/** A title as the name of a file that every system can store. */
export function toPortableFileName(title: string): string {
  const safe = title
    .replace(FORBIDDEN, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, "");
  return shortenTextStart(safe, MAX_NAME_CHARACTERS) || "untitled";
}
