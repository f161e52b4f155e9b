/** A character with the name of its font. */
interface Lettered {
  text: string;
  style?: { font: string };
  /** Whether it is of one drawing with the character before it. */
  ligature?: boolean;
}

const HANGUL = /[\uac00-\ud7a3]/;
/** The two UTF-8 bytes of a Cyrillic letter, read as one UTF-16 unit. */
const UTF8_CYRILLIC = /^[\ud080-\ud0bf\ud180-\ud1bf]$/;
const ARABIC = /[\u0620-\u064a]/;
const LAM_ALEF: Record<string, string> = {
  "\u4422": "\u0644\u0622",
  "\u4423": "\u0644\u0623",
  "\u4425": "\u0644\u0625",
  "\u4427": "\u0644\u0627",
};
/** Fewer letters prove nothing. */
const MIN_LETTERS = 3;

/**
 * Mends letters that a file names wrongly: UTF-8 in the place of UTF-16, and letters of one drawing
 * with their bytes in the wrong order.
 */
export function mendLetters(characters: readonly Lettered[]): void {
  mendSwapped(characters);
  mendLamAlef(characters);
  mendUtf8(characters);
}

/**
 * The letters of a ligature such as fi, whose bytes some writers swap: they then seem to be
 * Chinese, of which no character is drawn together with another.
 */
function mendSwapped(characters: readonly Lettered[]): void {
  for (let from = 0; from < characters.length; from += 1) {
    let to = from + 1;
    while (characters[to]?.ligature) to += 1;
    const drawn = characters.slice(from, to);
    if (drawn.length > 1 && drawn.every(({ text }) => isSwapped(text)))
      for (const letter of drawn)
        letter.text = String.fromCharCode(letter.text.charCodeAt(0) >> 8);
    from = to - 1;
  }
}

const isSwapped = (text: string): boolean =>
  text.length === 1 &&
  (text.charCodeAt(0) & 0xff) === 0 &&
  /[a-z]/i.test(String.fromCharCode(text.charCodeAt(0) >> 8));

/**
 * Lam with alef, of which some writers keep the lower byte of each letter: together these seem to
 * be one Chinese character.
 */
function mendLamAlef(characters: readonly Lettered[]): void {
  const isArabic = characters.some(({ text }) => ARABIC.test(text));
  if (!isArabic) return;
  for (const letter of characters) letter.text = LAM_ALEF[letter.text] ?? letter.text;
}

/**
 * Fonts whose table of characters holds UTF-8 where UTF-16 belongs: Cyrillic then seems to be
 * Korean, of syllables that no Korean text has alone.
 */
function mendUtf8(characters: readonly Lettered[]): void {
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
