/**
 * The words of texts for the local embedding and for comparing texts, and the languages of
 * full-text search, whose terms are in contract-terms.ts. Stored vectors depend on these words:
 * they must not change without another name of the model.
 */

/**
 * The full-text configurations of PostgreSQL 16 by ISO 639-1. Texts in other languages are searched
 * without stemming.
 */
const CONFIGS: Record<string, string> = {
  ar: "arabic",
  ca: "catalan",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "hindi",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  ne: "nepali",
  nl: "dutch",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  yi: "yiddish",
};

/** Returns the full-text configuration of a language. */
export function textConfigOf(language: string | null): string {
  return (language !== null && CONFIGS[language]) || "simple";
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** A quick test: all scripts without spaces come after these characters. */
const SPACED = /^[\0-\u0dff]*$/; // oxlint-disable-line no-control-regex
/** Scripts without spaces between words are divided into characters and pairs of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const MAX_WORD_CHARACTERS = 60;
const CAMEL_CASE_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})/u;

/** Returns the words of a text in lower case. A camelCase name counts whole and by its parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(WORD)) {
    if (!SPACED.test(run) && UNSPACED.test(run)) {
      const characters = [...run];
      for (const [n, character] of characters.entries()) {
        words.push(character);
        const next = characters[n + 1];
        if (next !== undefined) words.push(character + next);
      }
      continue;
    }
    if (run.length > MAX_WORD_CHARACTERS) continue;
    const word = run.toLowerCase();
    words.push(word);
    if (word === run || !CAMEL_CASE_BOUNDARY.test(run)) continue;
    for (const part of run.split(CAMEL_CASE_BOUNDARY))
      if (part.length > 1) words.push(part.toLowerCase());
  }
  return words;
}
