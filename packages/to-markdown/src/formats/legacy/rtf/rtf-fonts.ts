import { isSymbolFont, readSymbols } from "../../symbol-fonts.ts";
import { charsetName, codePageName, decodePage } from "./code-pages.ts";

/** The fonts of a document, which decide what its bytes and letters mean. */
export function rtfFonts() {
  let codePage = "windows-1252";
  const charsets = new Map<number, string>();
  /** Fonts whose letters are signs. */
  const symbols = new Map<number, string>();
  return {
    setCodePage(page: number): void {
      codePage = codePageName(page);
    },
    setCharset(font: number, charset: number): void {
      const name = charsetName(charset);
      if (name) charsets.set(font, name);
    },
    setName(font: number, name: string): void {
      if (isSymbolFont(name)) symbols.set(font, name);
    },
    decode(bytes: readonly number[], font: number): string {
      return symbols.has(font)
        ? Buffer.from(bytes).toString("latin1")
        : decodePage(bytes, charsets.get(font) ?? codePage);
    },
    signs: (text: string, font: number) => readSymbols(symbols.get(font), text),
  };
}
