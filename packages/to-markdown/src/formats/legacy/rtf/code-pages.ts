import { type Decoder, decoderNamed } from "../../guess-encoding.ts";
import { isSymbolFont, readSymbols } from "../../symbol-fonts.ts";

/** Windows character sets of fonts, by number. Source: RTF specification 1.9.1, `\fcharset`. */
const CHARSETS: Record<number, string> = {
  0: "windows-1252",
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gb18030",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};
const PAGES: Record<number, string> = {
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
  866: "ibm866",
};

function charsetName(charset: number): string | undefined {
  return CHARSETS[charset];
}

export function codePageName(page: number): string {
  return PAGES[page] ?? (page < 1_000 ? `cp${page}` : `windows-${page}`);
}

const decoders = new Map<string, Decoder>();

/** Decodes bytes of a code page; unknown code pages as Western. */
export function decodePage(bytes: readonly number[], name: string): string {
  const decoder = decoders.get(name) ?? decoderNamed(name) ?? decoderNamed("windows-1252");
  if (!decoder) return "";
  decoders.set(name, decoder);
  return decoder.decode(Uint8Array.from(bytes));
}

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
