import type { FileContent, ReadOptions } from "../../finish-file.ts";
import { imageStore } from "../../image-store.ts";
import { RtfReader } from "./rtf-reader.ts";

/** The number of tokens between two checks of the signal. */
const TOKENS_PER_CHECK = 100_000;

/**
 * Reads rich text (RTF specification 1.9.1).
 * @throws FileError `too_complex`.
 */
export async function readRtf(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const reader = new RtfReader(imageStore(extractImages), extractImages === true);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "latin1",
  );
  let count = 0;
  for (const token of rtfTokens(text)) {
    count += 1;
    if (count % TOKENS_PER_CHECK === 0) signal?.throwIfAborted();
    if (token.kind === "open") reader.open();
    else if (token.kind === "close") reader.close();
    else if (token.kind === "word") reader.word(token.name, token.value);
    else if (token.kind === "byte") reader.byte(token.value);
    else if (token.kind === "text") reader.text(token.text);
  }
  return reader.finish();
}

type RtfToken =
  | { kind: "open" | "close" }
  | { kind: "word"; name: string; value: number | undefined }
  | { kind: "byte"; value: number }
  | { kind: "text"; text: string };

/**
 * Splits RTF into tokens, in one pass. Source: RTF specification 1.9.1, "RTF syntax".
 * @param source one character per byte, as Latin-1
 */
function* rtfTokens(source: string): Generator<RtfToken> {
  const plain = /[^\\{}\r\n]+/y;
  const word = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;
  for (let at = 0; at < source.length;) {
    const character = source[at];
    if (character === "{" || character === "}") {
      yield { kind: character === "{" ? "open" : "close" };
      at += 1;
    } else if (character === "\r" || character === "\n") at += 1;
    else if (character !== "\\") {
      plain.lastIndex = at;
      const text = plain.exec(source)?.[0] ?? "";
      yield { kind: "text", text };
      at += text.length;
    } else {
      word.lastIndex = at + 1;
      const found = word.exec(source);
      if (found) {
        const value = found[2] === undefined ? undefined : Number(found[2]);
        at = word.lastIndex;
        // a number of binary bytes follows; a file with fewer bytes than that ends here
        if (found[1] === "bin") at += Math.max(0, value ?? 0);
        else yield { kind: "word", name: found[1] ?? "", value };
      } else if (source[at + 1] === "'") {
        const value = Number.parseInt(source.slice(at + 2, at + 4), 16);
        if (Number.isFinite(value)) yield { kind: "byte", value };
        at += 4;
      } else {
        yield { kind: "word", name: source[at + 1] ?? "", value: undefined };
        at += 2;
      }
    }
  }
}
