/** A place in a text, as offsets of its characters. */
export interface Place {
  start: number;
  end: number;
}

/** Fewer words would match anywhere. */
const MIN_WORDS = 4;
/** Of a passage that begins or ends on another page; less of it may stand anywhere. */
const MIN_SHARE = 0.1;
const SHRINKING = 0.8;
/** Of the words of a sentence: with fewer in common it is another one. */
const MIN_COMMON = 0.5;

interface Word extends Place {
  text: string;
}

/**
 * Where a text contains the words of a passage, whatever stands between them: the passage is
 * Markdown, the text is what its page shows. A passage may begin on the page before; then its
 * longest beginning or end counts.
 * @param share how much of it must be there
 */
export function findPassage(
  text: string,
  passage: string,
  share = MIN_SHARE,
): Place | undefined {
  const words = wordsOf(text);
  const wanted = wordsOf(passage);
  const least = Math.max(
    Math.min(MIN_WORDS, wanted.length),
    Math.floor(wanted.length * share),
  );
  for (let count = wanted.length; count >= least; count = Math.floor(count * SHRINKING)) {
    if (count === 0) return undefined;
    const found =
      locate(words, wanted.slice(0, count)) ?? locate(words, wanted.slice(-count));
    if (found) return found;
  }
  return undefined;
}

/**
 * The sentence of a passage that says most nearly what a sentence of an answer says: the words that
 * the answer cites.
 */
export function closestSentence(passage: string, said: string): string | undefined {
  const given = new Set(wordsOf(said).map(({ text }) => text));
  let best: { sentence: string; common: number } | undefined;
  for (const sentence of sentencesOf(passage)) {
    const words = wordsOf(sentence);
    const common = words.filter(({ text }) => given.has(text)).length;
    const share =
      words.length < MIN_WORDS ? 0 : common / Math.min(words.length, given.size);
    if (share >= MIN_COMMON && common > (best?.common ?? 0)) best = { sentence, common };
  }
  return best?.sentence;
}

/** A heading is no part of the sentence below it. */
function sentencesOf(passage: string): string[] {
  const text = passage.replace(/^ {0,3}#{1,6} .*$/gm, "\n");
  return text.split(/(?<=[.!?])\s+|\n\s*\n/);
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}

function locate(words: readonly Word[], wanted: readonly Word[]): Place | undefined {
  const last = words.length - wanted.length;
  for (let at = 0; at <= last; at += 1) {
    if (wanted.every(({ text }, step) => words[at + step]?.text === text)) {
      return { start: words[at]?.start ?? 0, end: words[at + wanted.length - 1]?.end ?? 0 };
    }
  }
  return undefined;
}
