import { plainText } from "./plain-text.ts";

/**
 * How many of the expected links, list items and emphasised words are in the output, and how few
 * others are: F1 from 0 to 1.
 */
export interface Kept {
  links: number | undefined;
  items: number | undefined;
  emphasis: number | undefined;
}

export function keptElements(truth: string, markdown: string): Kept {
  const of = (find: (text: string) => string[]) =>
    overlap(find(withoutCode(truth)), find(withoutCode(markdown)));
  return { links: of(linksOf), items: of(itemsOf), emphasis: of(emphasisOf) };
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[^]*?^\1/gm, "");
}

const letters = (text: string) =>
  plainText(text)
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();

function linksOf(text: string): string[] {
  return [...text.matchAll(/(?<!!)\[[^\]\n]*\]\(<?([^)\s>]+)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => /^\w+:/.test(target));
}

function itemsOf(text: string): string[] {
  return [...text.matchAll(/^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(\S.*)$/gm)]
    .map(([, item]) => letters(item ?? ""))
    .filter(Boolean);
}

function emphasisOf(text: string): string[] {
  return [...text.replace(/\\[*_~]/g, "").matchAll(/(\*{1,3}|~~)(?=\S)([^*~\n]+?)\1/g)]
    .map(([, , inner]) => letters(inner ?? ""))
    .filter(Boolean);
}

function overlap(truth: readonly string[], found: readonly string[]): number | undefined {
  if (truth.length === 0) return undefined;
  const left = new Map<string, number>();
  for (const one of truth) left.set(one, (left.get(one) ?? 0) + 1);
  let common = 0;
  for (const one of found) {
    const count = left.get(one) ?? 0;
    if (count > 0) {
      common += 1;
      left.set(one, count - 1);
    }
  }
  return (2 * common) / (truth.length + found.length);
}
