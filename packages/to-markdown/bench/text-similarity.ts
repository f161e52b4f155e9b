import { commonLength } from "./edit-distance.ts";
import { tablesOf } from "./markdown-tables.ts";

const EMPHASIS = /(\*{1,3}|~~|__|_)(\S(?:.*?\S)?)\1/gs;

function withoutEmphasis(text: string): string {
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replace(EMPHASIS, "$2");
  }
  return text;
}

const normalised = (text: string): string =>
  withoutEmphasis(text).replace(/\s+/g, " ").trim();

/** 2·LCS over both lengths: 1 for equal texts, 0 for texts without a character in common. */
export function indelSimilarity(a: string, b: string): number {
  const length = a.length + b.length;
  return length === 0 ? 1 : (2 * commonLength(a, b)) / length;
}

/**
 * NID, reading order: indel similarity of two Markdown texts, with tables as HTML and without
 * differences in white space and emphasis. Source: opendataloader-bench, evaluator_reading_order.
 * @returns undefined where the expected Markdown is empty
 */
export function textSimilarity(truth: string, markdown: string): number | undefined {
  const expected = normalised(tablesOf(truth).html);
  return expected === ""
    ? undefined
    : indelSimilarity(expected, normalised(tablesOf(markdown).html));
}
