import { shortenText } from "../../../platform/shorten-text.ts";

/** The form of a passage in a system message: number, file, page, then the text. */
const PASSAGE_HEAD = /^\[(\d+)\] “([^\n]*?)”(?:, page (\d+))?:\n/gm;
const NO_PASSAGE = "No passage was found in the documents.";
const NO_ANSWER = "The documents do not say it.";
/** Shorter words are mostly articles and prepositions. */
const MIN_WORD_CHARACTERS = 4;
/** The share of the question's words that a sentence must hold to answer it. */
const MIN_SHARE = 0.3;
const MAX_QUOTES = 3;
const MAX_QUOTE_CHARACTERS = 600;

interface Sentence {
  text: string;
  /** The number of its passage. */
  index: string | undefined;
  source: string;
}

/**
 * Quotes the sentences that share most words with the question, each with its citation, or says
 * that the documents do not answer it.
 * @param system the system message.
 * @returns `undefined` where the message holds nothing from documents.
 */
export function quotePassages(system: string, question: string): string | undefined {
  const heads = [...system.matchAll(PASSAGE_HEAD)];
  if (heads.length === 0) return system.includes(NO_PASSAGE) ? NO_ANSWER : undefined;
  const words = new Set(wordsOf(question));
  const best = heads
    .flatMap((head, at) => sentencesOf(system, head, heads[at + 1]?.index))
    .map((sentence) => ({ ...sentence, share: sharedWords(words, sentence.text) }))
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, MAX_QUOTES);
  if (best.length === 0) return NO_ANSWER;
  return best.map(toQuote).join("\n\n");
}

/** The sentences of a passage, from the end of its head to the next passage. */
function sentencesOf(
  system: string,
  head: RegExpExecArray,
  end: number | undefined,
): Sentence[] {
  const [whole, index, fileName, page] = head;
  const source = `“${fileName}”${page === undefined ? "" : `, page ${page}`}`;
  return system
    .slice(head.index + whole.length, end)
    .split(/(?<=[.!?。？！])\s+|\n{2,}/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((text) => text !== "")
    .map((text) => ({ text, index, source }));
}

function toQuote({ text, index, source }: Sentence): string {
  return `> ${shortenText(text, MAX_QUOTE_CHARACTERS)} [${index}]\n> — ${source}`;
}

/** The share of these words that a text holds. */
function sharedWords(words: ReadonlySet<string>, text: string): number {
  if (words.size === 0) return 0;
  const present = [...new Set(wordsOf(text))];
  return present.filter((word) => words.has(word)).length / words.size;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length >= MIN_WORD_CHARACTERS || /\p{N}/u.test(word));
}
