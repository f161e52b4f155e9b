import fc from "fast-check";
import { expect, test } from "vitest";
import { comparable, bestScore, tableSimilarity } from "./score.ts";
import { commonLength, levenshtein } from "./edit-distance.ts";
import { charactersKept } from "./kept-characters.ts";
import { headingSimilarity } from "./heading-similarity.ts";
import { joinContinued } from "./markdown-tables.ts";
import { addStructures, compareStructure, interval } from "./structure.ts";
import { indelSimilarity, textSimilarity } from "./text-similarity.ts";
import { type Tree, treeEditDistance } from "./tree-edit-distance.ts";

/** The textbook algorithm; `replace` is the cost of a replacement. */
function slowly(a: string, b: string, replace: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : replace);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swapped));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "ä"), maxLength: 100 });

test("the fast distances are the textbook's", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(levenshtein(a, b)).toBe(slowly(a, b, 1));
      expect(a.length + b.length - 2 * commonLength(a, b)).toBe(slowly(a, b, 2));
    }),
  );
});

test("trees: one relabelled and one missing node cost two", () => {
  const tree = (value: string, ...children: Tree<string>[]): Tree<string> => ({
    value,
    children,
  });
  const a = tree("f", tree("d", tree("a"), tree("c", tree("b"))), tree("e"));
  const b = tree("f", tree("c", tree("d", tree("a"), tree("b"))), tree("e"));
  expect(treeEditDistance(a, b, (x, y) => (x === y ? 0 : 1))).toBe(2);
  expect(treeEditDistance(a, a, (x, y) => (x === y ? 0 : 1))).toBe(0);
});

test("text: emphasis, white space and the way a table is written do not count", () => {
  expect(
    textSimilarity(
      "**a**  b\n\n| x | y |\n|---|---|\n| 1 | 2 |",
      "a b\f|x|y|\n| :-- | --- |\n|1|2|",
    ),
  ).toBe(1);
  expect(indelSimilarity("abcd", "abxd")).toBe(0.75);
  expect(textSimilarity("", "a")).toBeUndefined();
});

test("tables: none in the truth is no score, none found is zero, content and shape count", () => {
  const table = "<table><tr><td>abc</td></tr></table>";
  expect(tableSimilarity("no table", table)).toBeUndefined();
  expect(tableSimilarity(table, "no table")).toBe(0);
  expect(
    tableSimilarity(
      "| A | B |\n|---|---|\n| 1 | 2 |",
      "<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1</td><td>2</td></tr></table>",
    ),
  ).toBe(1);
  expect(tableSimilarity(table, "<table><tr><td>xyz</td></tr></table>")).toBeCloseTo(0.75);
});

test("headings: levels are alike, a missing section and other content count", () => {
  expect(headingSimilarity("text", "# Heading")).toBeUndefined();
  expect(headingSimilarity("# Title\nText", "Title\nText")).toBe(0);
  expect(
    headingSimilarity("# Title\nText\n## Part\nMore", "### Title\nText\n# Part\nMore"),
  ).toBe(1);
  expect(
    headingSimilarity("# Intro\nWelcome\n# Details\nDeep", "# Intro\nWelcome"),
  ).toBeCloseTo(1 - 2 / 5);
});

test("a table over a page's end is one, whether its column names are repeated or not", () => {
  const whole = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |";
  const rows = "| 1 | 2 |\f| a | b |\n| --- | --- |\n| 3 | 4 |";
  expect(joinContinued(`| a | b |\n| --- | --- |\n${rows}`)).toBe(whole);
  expect(
    joinContinued("| a | b |\n| --- | --- |\n| 1 | 2 |\n\f\n| 3 | 4 |\n| --- | --- |"),
  ).toBe(whole);
  const two = `${whole}\n\nbetween\n\n${whole}`;
  expect(joinContinued(two)).toBe(two);
});

test("of truths that are right alike the nearest one counts", () => {
  const one = "| a | |\n| --- | --- |\n| 1 | 2 |";
  const other = "| a | a |\n| --- | --- |\n| 1 | 2 |";
  expect(bestScore([one, other], other)).toEqual({ nid: 1, teds: 1, mhs: undefined });
});

test("characters are kept where the words are, however they are cut", () => {
  const text = "A long exam-\nple of text, helloworld 12";
  expect(
    charactersKept([text], "| 12 | **hello** world |\n\nA long example of text"),
  ).toEqual({ characters: 30, kept: 30, missing: [] });
});

test("a word that two programs find counts once, and is lost as often as it is missing", () => {
  const kept = charactersKept(["one two two", "two two three"], "two one");
  expect(kept).toEqual({
    characters: 14,
    kept: 6,
    missing: [
      ["three", 1],
      ["two", 1],
    ],
  });
});

test("what is left out on purpose is not asked for", () => {
  expect(
    charactersKept(["Annual report 7\nText"], "Text", "Annual report 7"),
  ).toMatchObject({ characters: 4, kept: 4 });
});

test("letters of formulas count as any others", () => {
  expect(bestScore(["x2 = a\n"], "𝑥2 = 𝑎\n").nid).toBe(1);
});

test("comparable: what programs write in their own way does not count", () => {
  const html =
    '<table class="a"><tr><td style="x">A&amp;B</td><td><p>1</p></td></tr></table>';
  expect(comparable(html)).toBe("<table><tr><td>A&B</td><td>1</td></tr></table>");
  expect(comparable("|  |  |\n| - | - |\n| A | B |\n")).toBe("| A | B |\n| - | - |\n");
  expect(comparable("a <!-- image --> b ![c](d.png)\n## \n")).toBe("a   b  \n\n");
  expect(comparable('[here](#x) [there](http://y) <span id="x">z</span> \\_')).toBe(
    "here [there](http://y)  z  _",
  );
});

test("headings are right by their words, and each counts once", () => {
  const truth = "# One\n\ntext\n\n## Two: parts\n";
  const { headings } = compareStructure(
    truth,
    "## one\n\n# One\n\n### Two – parts\n\n# Three",
  );
  expect(headings).toEqual({ found: 4, expected: 2, right: 2 });
});

test("headings and tables where none are count by document", () => {
  const table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n";
  const sum = addStructures([
    compareStructure("text", `# A\n\n${table}`),
    compareStructure("text", "text"),
    compareStructure(`# A\n\n${table}`, "text"),
  ]);
  expect(sum.bare).toEqual({ documents: 2, wrong: 1 });
  expect(sum.tableless).toEqual({ documents: 2, wrong: 1 });
});

test("an interval holds the mean, is narrower for more values, and is the same at each run", () => {
  const values = Array.from({ length: 40 }, (_, index) => (index % 4) / 4);
  const [low, high] = interval(values) ?? [1, 0];
  expect(low).toBeLessThan(0.375);
  expect(high).toBeGreaterThan(0.375);
  const [lower, higher] = interval([...values, ...values, ...values, ...values]) ?? [0, 1];
  expect(higher - lower).toBeLessThan(high - low);
  expect(interval(values)).toEqual([low, high]);
});
