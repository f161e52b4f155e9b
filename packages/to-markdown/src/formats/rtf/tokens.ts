export type RtfToken =
  | { kind: "open" | "close" }
  | { kind: "word"; name: string; value: number | undefined }
  | { kind: "byte"; value: number }
  | { kind: "text"; text: string };

/**
 * Splits RTF into tokens, in one pass. Source: RTF specification 1.9.1, "RTF syntax".
 * @param source one character per byte, as Latin-1
 */
export function* rtfTokens(source: string): Generator<RtfToken> {
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
