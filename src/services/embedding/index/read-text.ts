import { TooLarge } from "../../../platform/http/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { MAX_TEXT_CHARACTERS } from "../contract.ts";

/** Reads a stored text. @throws TooLarge `text_too_large`, NotFound `file_missing`. */
export async function readText(files: Files, key: string): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  for await (const bytes of await files.read(key)) {
    const part = decoder.decode(bytes, { stream: true });
    parts.push(part);
    length += part.length;
    if (length > MAX_TEXT_CHARACTERS)
      throw new TooLarge(
        "text_too_large",
        `The text exceeds the limit of ${MAX_TEXT_CHARACTERS} characters. Divide the document.`,
        { params: { max: MAX_TEXT_CHARACTERS } },
      );
  }
  return parts.join("") + decoder.decode();
}
