/** The words of a text, with the number of their occurrences. */
type Words = Map<string, number>;

/** How much of some texts another one contains. */
export interface Kept {
  /** The expected letters and digits. */
  characters: number;
  /** The number of those that were found. */
  kept: number;
  /** The words that were not found, with their number, the longest losses first. */
  missing: [word: string, count: number][];
}

// scripts without spaces between words are compared character by character
const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}";
const WORD = new RegExp(
  `[${SPACELESS}]\\p{M}*|(?:(?![${SPACELESS}])[\\p{L}\\p{N}\\p{M}])+`,
  "gu",
);
/** Shorter words occur inside many others, so they are compared only by their letters. */
const MIN_PART = 3;

/**
 * Counts the letters and digits of several texts that `text` contains. A word that several of them
 * have counts once, as often as in the text that has it most. Words that one parser joins and
 * another one splits are equal if their letters follow each other.
 * @param without the words of this text are not expected
 */
export function charactersKept(texts: readonly string[], text: string, without = ""): Kept {
  const wanted: Words = new Map();
  for (const [at, each] of texts.entries()) {
    const own = wordsOf(each);
    const beyond = texts.slice(0, at).map((before) => lacking(own, before));
    for (const [word, count] of own) {
      const more = Math.min(count, ...beyond.map((words) => words.get(word) ?? 0));
      if (more > 0) add(wanted, word, more);
    }
  }
  for (const [word, count] of wordsOf(without))
    add(wanted, word, -Math.min(count, wanted.get(word) ?? 0));
  const missing = [...lacking(wanted, text)];
  const size = (words: Iterable<[string, number]>) =>
    [...words].reduce((sum, [word, count]) => sum + word.length * count, 0);
  const characters = size(wanted);
  return {
    characters,
    kept: characters - size(missing),
    missing: missing.toSorted(([a, x], [b, y]) => b.length * y - a.length * x),
  };
}

function add(words: Words, word: string, count: number): void {
  words.set(word, (words.get(word) ?? 0) + count);
}

function listOf(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u00ad\u0640\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
  return plain.match(WORD) ?? [];
}

function wordsOf(text: string): Words {
  const words: Words = new Map();
  for (const word of listOf(text)) add(words, word, 1);
  return words;
}

/** The words that occur less often in `text`. */
function lacking(wanted: Words, text: string): Words {
  const list = listOf(text);
  const spare: Words = new Map();
  for (const word of list) add(spare, word, 1);
  const left: Words = new Map();
  for (const [word, count] of wanted) {
    const found = Math.min(count, spare.get(word) ?? 0);
    if (found > 0) add(spare, word, -found);
    if (found < count) left.set(word, count - found);
  }
  const letters: Words = new Map();
  for (const [word, count] of spare) {
    if (count === 0) continue;
    for (const letter of word) add(letters, letter, count);
  }
  const squeezed = list.join("");
  const byLength = [...left].toSorted(([a], [b]) => b.length - a.length);
  for (const [word, count] of byLength) {
    if (word.length >= MIN_PART && !squeezed.includes(word)) continue;
    let missing = count;
    while (missing > 0 && take(letters, word)) missing -= 1;
    if (missing === 0) left.delete(word);
    else left.set(word, missing);
  }
  return left;
}

/** Removes the letters of a word, if all of them are there. */
function take(letters: Words, word: string): boolean {
  const needed: Words = new Map();
  for (const letter of word) add(needed, letter, 1);
  for (const [letter, count] of needed)
    if ((letters.get(letter) ?? 0) < count) return false;
  for (const [letter, count] of needed) add(letters, letter, -count);
  return true;
}
