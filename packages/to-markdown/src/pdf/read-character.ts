/** Private-use characters of symbol fonts, mostly list markers. */
const SYMBOLS: Record<number, string> = {
  0xf0b7: "•",
  0xf0a7: "▪",
  0xf06e: "■",
  0xf0d8: "➢",
  0xf0fc: "✓",
  0xf02d: "-",
  0xf076: "❖",
  0xf0a8: "◻",
  0xf06f: "□",
  0xf071: "❑",
  0xf0e0: "→",
  0xf0ae: "→",
  0xf0b0: "°",
  0xf0b1: "±",
  0xf0b4: "×",
  0xf02b: "+",
  0xf03d: "=",
  0xf061: "α",
  0xf062: "β",
  0xf06d: "μ",
};

const FRACTION_SLASH = 0x2044;
const LIGATURES = /[\ufb00-\ufb06]/;

/** The text of a code point as a person would type it; empty if it has none. */
export function characterOf(code: number): string {
  // PDFium marks a hyphen at the end of a line like this
  if (code === 2 || code === 0xad) return "\u00ad";
  if (code < 32 || (code >= 0x7f && code < 0xa0)) return "";
  if (code >= 0x200b && code <= 0x200f) return "";
  if (code === 0xfeff || code === 0xfffe || code === 0xffff || code > 0x10ffff) return "";
  if (code === FRACTION_SLASH) return "/";
  const symbol = SYMBOLS[code];
  if (symbol !== undefined) return symbol;
  const text = code >= 0xd800 && code <= 0xdfff ? "\ufffd" : String.fromCodePoint(code);
  return LIGATURES.test(text) ? text.normalize("NFKC") : text;
}

const PRIVATE = /^[\ue000-\uf8ff\u{f0000}-\u{10ffff}]$/u;

/**
 * Whether a code does not state the drawn letter: no code, a control character, or a private one.
 */
export function isUnknown(code: number, text: string): boolean {
  if (code < 32) return code !== 2;
  return text === "\ufffd" || PRIVATE.test(text) || (code >= 0x7f && code < 0xa0);
}
