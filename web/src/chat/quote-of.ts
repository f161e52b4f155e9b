import { closestSentence } from "../markdown/find-words.ts";
import { toPlainText } from "../markdown/plain-text.ts";

const FIRST_HEADINGS = /^(?:\s*#{1,6} [^\n]*\n)+(?=\s*\S)/;

/**
 * What is shown of a source: the sentence of it that a sentence of an answer rests on, else its
 * beginning. The headings above it are said as its place.
 */
export function quoteOf(content: string, said: string | undefined): string {
  const cited = said === undefined ? undefined : closestSentence(content, said);
  return toPlainText(cited ?? content.replace(FIRST_HEADINGS, ""));
}
