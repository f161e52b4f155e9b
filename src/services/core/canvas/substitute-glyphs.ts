import emoji from "unicode-emoji-json/data-by-emoji.json" with { type: "json" };

/** Plain text for characters that text fonts lack. */
const SIGNS: Record<string, string> = {
  "→": "->",
  "⟶": "->",
  "➔": "->",
  "➜": "->",
  "←": "<-",
  "↔": "<->",
  "⇒": "=>",
  "⇐": "<=",
  "⇔": "<=>",
  "↑": "[up]",
  "↓": "[down]",
  "✓": "[check mark]",
  "✗": "[cross mark]",
  "✘": "[cross mark]",
  "☐": "[ ]",
  "☑": "[x]",
  "☒": "[x]",
  "★": "*",
  "☆": "*",
  "■": "•",
  "●": "•",
  "▪": "•",
  "□": "[ ]",
  "○": "o",
  "−": "-",
};
const SCRIPTS = [
  ["Chinese", /^\p{Script=Han}/u],
  ["Japanese", /^[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["Korean", /^\p{Script=Hangul}/u],
  ["Arabic", /^\p{Script=Arabic}/u],
  ["Hebrew", /^\p{Script=Hebrew}/u],
  ["Devanagari", /^\p{Script=Devanagari}/u],
  ["Thai", /^\p{Script=Thai}/u],
] as const;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const names: Readonly<Record<string, { name: string }>> = emoji;

/**
 * Replaces characters that a font lacks by readable text, so that no page shows empty boxes: `->`
 * for an arrow, `[grinning face]` for an emoji, `[Chinese]` for letters.
 */
export function substituteGlyphs(
  text: string,
  hasGlyph: (codePoint: number) => boolean,
): string {
  const isShown = (sign: string) => /^[\t\n\r ]+$/.test(sign) || [...sign].every(isGlyph);
  const isGlyph = (character: string) => hasGlyph(character.codePointAt(0) ?? 0);
  if ([...new Set(text)].every((character) => isShown(character))) return text;
  let last = "";
  let shown = "";
  for (const { segment } of graphemes.segment(text)) {
    const substitute = isShown(segment) ? undefined : substituteOf(segment, isGlyph);
    // a word of another script has one substitute, not one for each letter
    if (substitute === undefined || substitute !== last || !isScript(substitute))
      shown += substitute ?? segment;
    last = substitute ?? "";
  }
  return shown;
}

function substituteOf(sign: string, isGlyph: (character: string) => boolean): string {
  // variation selectors and skin tones
  const bare = sign.replace(/[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu, "");
  const name = names[sign]?.name ?? names[`${bare}\ufe0f`]?.name ?? names[bare]?.name;
  const known = SIGNS[bare] ?? boxOf(bare) ?? (name && `[${name}]`);
  if (known !== undefined) return known;
  if (/^\p{Zs}$/u.test(bare)) return " ";
  const script = SCRIPTS.find(([, pattern]) => pattern.test(bare))?.[0];
  if (script) return `[${script}]`;
  return [...bare].map((one) => (isGlyph(one) ? one : codeOf(one))).join("");
}

function isScript(substitute: string): boolean {
  return SCRIPTS.some(([name]) => substitute === `[${name}]`);
}

/** Box-drawing lines and blocks, as used in code. */
function boxOf(sign: string): string | undefined {
  if (/^[─━┄┅┈┉═╌╍]$/.test(sign)) return "-";
  if (/^[│┃┆┇┊┋║╎╏]$/.test(sign)) return "|";
  if (/^[\u2500-\u257f]$/.test(sign)) return "+";
  return /^[\u2580-\u259f]$/.test(sign) ? "#" : undefined;
}

function codeOf(character: string): string {
  if (/\p{C}|\p{M}/u.test(character)) return "";
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
