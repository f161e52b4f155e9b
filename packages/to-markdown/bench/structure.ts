import { tablesOf } from "./markdown-tables.ts";

/** Counts of headings and tables that were found, of those that are there. */
export interface Structure {
  headings: { found: number; expected: number; right: number };
  /** 1 where the expected Markdown has no heading, and whether some were found all the same. */
  bare: { documents: number; wrong: number };
  /** The same of tables. */
  tableless: { documents: number; wrong: number };
}

/** How headings and tables agree with the expected Markdown. A heading is known by its words. */
export function compareStructure(truth: string, markdown: string): Structure {
  const [expected, found] = [headingsOf(truth), headingsOf(markdown)];
  const left = [...expected];
  let right = 0;
  for (const heading of found) {
    const at = left.indexOf(heading);
    if (at < 0) continue;
    left.splice(at, 1);
    right += 1;
  }
  const hasTables = (text: string) => tablesOf(text).tables.length > 0;
  return {
    headings: { found: found.length, expected: expected.length, right },
    bare: count(expected.length === 0, found.length > 0),
    tableless: count(!hasTables(truth), hasTables(markdown)),
  };
}

const count = (isOne: boolean, isWrong: boolean) => ({
  documents: isOne ? 1 : 0,
  wrong: isOne && isWrong ? 1 : 0,
});

export function addStructures(all: readonly Structure[]): Structure {
  const sum = (pick: (one: Structure) => number) =>
    all.reduce((total, one) => total + pick(one), 0);
  return {
    headings: {
      found: sum(({ headings }) => headings.found),
      expected: sum(({ headings }) => headings.expected),
      right: sum(({ headings }) => headings.right),
    },
    bare: {
      documents: sum(({ bare }) => bare.documents),
      wrong: sum(({ bare }) => bare.wrong),
    },
    tableless: {
      documents: sum(({ tableless }) => tableless.documents),
      wrong: sum(({ tableless }) => tableless.wrong),
    },
  };
}

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6}[ \t]+([^\n]*)$/gm)]
    .map(([, text = ""]) =>
      text
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim(),
    )
    .filter(Boolean);
}

const DRAWS = 2_000;

/** The middle 95 % of the means of samples drawn from the values, the same at every run. */
export function interval(
  values: readonly number[],
): [low: number, high: number] | undefined {
  if (values.length < 2) return undefined;
  let seed = 1;
  const draw = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * values.length);
  };
  const means = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += values[draw()] ?? 0;
    return sum / values.length;
  }).toSorted((a, b) => a - b);
  return [means[Math.floor(DRAWS * 0.025)] ?? 0, means[Math.ceil(DRAWS * 0.975) - 1] ?? 0];
}
