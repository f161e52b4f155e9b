/** A character with the name of its font. */
interface Lettered {
  text: string;
  style?: { font: string };
}

const HANGUL = /[\uac00-\ud7a3]/;
/** The two bytes of a Cyrillic letter in UTF-8, taken for one UTF-16 unit. */
const UTF8_CYRILLIC = /^[\ud080-\ud0bf\ud180-\ud1bf]$/;
/** Fewer tell nothing. */
const MIN_LETTERS = 3;

/**
 * Mends the letters of fonts whose table of characters holds UTF-8 where UTF-16 belongs: Cyrillic
 * then seems to be Korean, of syllables that no Korean text has alone.
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
