/** A character with the name of its font. */
interface Lettered {
  text: string;
  style?: { font: string };
}

const HANGUL = /[\uac00-\ud7a3]/;
/** The two UTF-8 bytes of a Cyrillic letter, read as one UTF-16 unit. */
const UTF8_CYRILLIC = /^[\ud080-\ud0bf\ud180-\ud1bf]$/;
/** Fewer letters prove nothing. */
const MIN_LETTERS = 3;

/**
 * Repairs fonts whose character map contains UTF-8 instead of UTF-16: Cyrillic text then appears as
 * Korean syllables that occur in no Korean text by themselves.
 */
export function mendLetters(characters: readonly Lettered[]): void {
  const fonts = Map.groupBy(
    characters.filter(({ text }) => HANGUL.test(text)),
    ({ style }) => style?.font ?? "",
  );
  for (const letters of fonts.values()) {
    if (letters.length < MIN_LETTERS) continue;
    if (letters.every(({ text }) => UTF8_CYRILLIC.test(text)))
      for (const letter of letters) letter.text = fromUtf8(letter.text.charCodeAt(0));
  }
}

const fromUtf8 = (unit: number): string =>
  String.fromCharCode((((unit >> 8) & 0x1f) << 6) | (unit & 0x3f));
