import { codePoint } from "dingbat-to-unicode";

const FONTS: readonly [RegExp, string][] = [
  [/^wingdings ?2/i, "Wingdings 2"],
  [/^wingdings ?3/i, "Wingdings 3"],
  [/^wingdings/i, "Wingdings"],
  [/^webdings/i, "Webdings"],
  [/^symbol(?:$|[^\w])/i, "Symbol"],
];

/** Characters that fonts rarely have, as those that people read and search. */
const COMMON: Record<string, string> = {
  "🗹": "☑",
  "🗷": "☒",
  "🗵": "☒",
  "⮽": "☒",
  "🗸": "✓",
  "🗴": "✗",
  "🗶": "✗",
  "◻": "☐",
  "◼": "■",
  "🞎": "☐",
  "🞏": "☐",
  "🞐": "☐",
  "□": "☐",
  "⬜": "☐",
  "🗙": "✗",
  "⚫": "●",
  "🡨": "←",
  "🡪": "→",
  "🡩": "↑",
  "🡫": "↓",
  "🡸": "←",
  "🡺": "→",
  "🡹": "↑",
  "🡻": "↓",
  "🢂": "→",
  ϕ: "φ",
};

/** Whether a font draws its own signs in the places of letters. */
export function isSymbolFont(font: string | undefined): boolean {
  return typefaceOf(font) !== undefined;
}

/** The text that a reader sees for letters written in a symbol font; other text as it is. */
export function readSymbols(font: string | undefined, text: string): string {
  const typeface = typefaceOf(font);
  if (typeface === undefined) return text;
  return Array.from(text, (character) => {
    // symbol fonts use the private area from 0xF000 on, or the codes of letters
    const code = character.codePointAt(0) ?? 0;
    const low = code >= 0xf020 && code <= 0xf0ff ? code - 0xf000 : code;
    if (low < 0x21 || low > 0xff) return character;
    const sign = codePoint(typeface, low)?.string;
    return sign === undefined ? (code >= 0xf000 ? "" : character) : (COMMON[sign] ?? sign);
  }).join("");
}

/** The text for a character of a font, given in hexadecimal; empty for one without a meaning. */
export function symbolOf(font: string, hex: string): string {
  const code = Number.parseInt(hex, 16);
  if (!Number.isFinite(code) || code <= 0 || code > 0x10ffff) return "";
  if (code >= 0xd800 && code <= 0xdfff) return "";
  if (isSymbolFont(font)) return readSymbols(font, String.fromCodePoint(code));
  return code >= 0xe000 && code <= 0xf8ff ? "" : String.fromCodePoint(code);
}

/** The character of a field that has no result: `SYMBOL 254 \\f "Wingdings"`. */
export function symbolIn(instruction: string): string | undefined {
  const code = /^\s*SYMBOL\s+(0x[\da-f]{1,6}|\d{1,7})\b/i.exec(instruction)?.[1];
  const font = /\\f\s+(?:"([^"]{1,60})"|([^\s\\]{1,60}))/i.exec(instruction);
  return code && symbolOf(font?.[1] ?? font?.[2] ?? "", Number(code).toString(16));
}

function typefaceOf(font: string | undefined): string | undefined {
  return font === undefined ? undefined : FONTS.find(([name]) => name.test(font))?.[1];
}
