/**
 * How texts become words for full-text search: the embedding service indexes with it, and the
 * retrieval service asks with it, so both have the same words.
 */

/**
 * PostgreSQL's full-text configurations by ISO 639-1, those that PostgreSQL 16 has; others are
 * searched without stemming.
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

/** The full-text configuration of a language. */
export function textConfigOf(language: string | null): string {
  return (language !== null && CONFIGS[language]) || "simple";
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words: taken by characters and pairs of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const MAX_WORD_CHARACTERS = 60;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;

/** The words of a text in lower case, in order. Identifiers count as a whole and by their parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(WORD)) {
    if (UNSPACED.test(run)) {
      const characters = [...run];
      for (const [n, character] of characters.entries()) {
        words.push(character);
        const next = characters[n + 1];
        if (next !== undefined) words.push(character + next);
      }
      continue;
    }
    if (run.length > MAX_WORD_CHARACTERS) continue;
    words.push(run.toLowerCase());
    if (!HUMP.test(run)) continue;
    for (const part of run.split(HUMP)) if (part.length > 1) words.push(part.toLowerCase());
  }
  return words;
}

/** A text as PostgreSQL's own parser takes it apart into just these words. */
export function searchableText(text: string): string {
  return wordsOf(text).join(" ");
}
