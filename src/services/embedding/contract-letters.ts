/** Letters that are no base letter with a mark, but are often written as one. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ς: "σ",
  ё: "е",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ۀ: "ه",
  ة: "ه",
  ک: "ك",
  ی: "ي",
};
/** How umlauts are written where there is no key for them. */
const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };
const SPECIAL = /[ßæœøđðþłıħŧςёأإآٱىۀةکی]/gu;
const UMLAUT = /[äöüøå]/gu;
const MARKED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
/** Vowel marks of Arabic and Hebrew, which most texts leave out, and the long stroke. */
const VOWELS = /[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu;
const ASCII = /^[\0-\x7f]*$/; // oxlint-disable-line no-control-regex

/**
 * Returns a text in one Unicode form: full-width forms and ligatures as usual letters, without
 * invisible characters, and with Western digits.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .replace(VOWELS, "")
    .replace(/(?![0-9])\p{Nd}/gu, toWesternDigit);
}

/** Digits follow each other in tens. */
function toWesternDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** Returns a word in lower case without its accents. */
export function foldLetters(word: string): string {
  if (ASCII.test(word)) return word;
  return word
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replace(MARKED, "$1")
    .normalize("NFC");
}

/** Returns the usual spellings of a word without accents. */
export function spellingsOf(word: string): string[] {
  if (ASCII.test(word)) return [word];
  return [
    foldLetters(word),
    foldLetters(word.replace(UMLAUT, (letter) => UMLAUTS[letter] ?? letter)),
  ];
}
