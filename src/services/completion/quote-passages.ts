import { cutText } from "../../platform/cut-text.ts";
/** How passages of documents stand in a system message: number, file, page, then the text. */
const HEAD = /^\[(\d+)\] “([^\n]*?)”(?:, page (\d+))?:\n/gm;
const NONE = "No passage was found in the documents.";
/** Shorter words are mostly articles and prepositions. */
const SHORTEST = 4;
/** The share of the question's words that a sentence must hold to be an answer to it. */
const LEAST = 0.3;
const MAX_QUOTES = 3;
const MAX_QUOTE_CHARACTERS = 600;

/**
 * The sentences that share most words with the question, each with its citation; or that the
 * documents do not say it.
 * @param system the system message. @returns undefined where it holds nothing from documents.
 */
export function quotePassages(system: string, question: string): string | undefined {
  const heads = [...system.matchAll(HEAD)];
  if (heads.length === 0) return system.includes(NONE) ? "The documents do not say it." : undefined;
  const asked = new Set(wordsOf(question));
  const sentences = heads.flatMap((head, at) =>
    system
      .slice(head.index + head[0].length, heads[at + 1]?.index)
      .split(/(?<=[.!?。？！])\s+|\n{2,}/)
      .map((sentence) => sentence.replace(/\s+/g, " ").trim())
      .filter(Boolean)
      .map((sentence) => ({
        sentence,
        index: head[1],
        from: fromOf(head),
        share: shareOf(asked, sentence),
      })),
  );
  const best = sentences
    .filter(({ share }) => share >= LEAST)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, MAX_QUOTES);
  if (best.length === 0) return "The documents do not say it.";
  return best
    .map(
      ({ sentence, index, from }) =>
        `> ${cutText(sentence, MAX_QUOTE_CHARACTERS)} [${index}]\n> — ${from}`,
    )
    .join("\n\n");
}

function fromOf([, , fileName, page]: RegExpExecArray | RegExpMatchArray): string {
  return `“${fileName}”${page === undefined ? "" : `, page ${page}`}`;
}

function shareOf(asked: ReadonlySet<string>, sentence: string): number {
  const said = new Set(wordsOf(sentence));
  return asked.size === 0 ? 0 : [...asked].filter((word) => said.has(word)).length / asked.size;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length >= SHORTEST || /\p{N}/u.test(word),
  );
}
