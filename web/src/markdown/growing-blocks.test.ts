import { expect, test } from "vitest";
import { type Block, GrowingBlocks } from "./growing-blocks.ts";
import { lex } from "./lex.ts";

const TEXT = [
  "# Title\n\nA paragraph with **bold**, `code`, [1] and $x^2$\nover two lines.\n",
  "Setext\n======\n\n- one\n- two\n\n  a paragraph in two\n\n- three\n    - nested\n\n",
  "1. first\n2. second\n\n> quote\nlazy line\n>\n> - list in quote\n\n",
  "```ts\nconst a = 1;\n\n# not a title\n```\n\n    indented\n\n    code\n\n",
  "| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n\n$$\nx = \\frac{1}{2}\n\ny\n$$\n\n",
  "> [!NOTE]\n> an alert\n> - list\n\n<details><summary>S</summary>\n\nbody [^1]\n\n",
  "</details>\n\n[^1]: a note\n    over lines\n\n    and paragraphs\n\n",
  "<div>\nhtml\n</div>\n\n---\n\nEnd with a [link](https://example.org) &amp; more.\n",
].join("");

const shape = (blocks: readonly Block[]) =>
  JSON.stringify(blocks.map(({ token }) => token));
const whole = JSON.stringify(lex(TEXT).filter(({ type }) => type !== "space"));

test("a text that grows character by character ends as the text read at once", () => {
  const blocks = new GrowingBlocks();
  for (let end = 1; end < TEXT.length; end += 1) blocks.update(TEXT.slice(0, end));
  expect(shape(blocks.update(TEXT, true))).toBe(whole);
});

test("a text cut at any two places ends as the text read at once", () => {
  for (let first = 0; first < TEXT.length; first += 7) {
    for (let second = first; second < TEXT.length; second += 31) {
      const blocks = new GrowingBlocks();
      blocks.update(TEXT.slice(0, first));
      blocks.update(TEXT.slice(0, second));
      expect(shape(blocks.update(TEXT, true))).toBe(whole);
    }
  }
});

test("blocks that are settled keep their identity while the text grows", () => {
  const blocks = new GrowingBlocks();
  const [title, paragraph] = blocks.update("# Title\n\nText\n\nMore\n\nLa");
  const later = blocks.update("# Title\n\nText\n\nMore\n\nLast line\n\nAnd another\n");
  expect(later[0]?.token).toBe(title?.token);
  expect(later[1]?.token).toBe(paragraph?.token);
  expect(later.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4]);
});

test("a link finds its definition once the text is complete", () => {
  const blocks = new GrowingBlocks();
  const text = "See [the page][1a].\n\nMore.\n\n[1a]: https://example.org\n";
  blocks.update(text.slice(0, 30));
  expect(shape(blocks.update(text, true))).toContain('"href":"https://example.org"');
});

test("starts again with another text", () => {
  const blocks = new GrowingBlocks();
  blocks.update("# One\n\nText\n\nMore\n");
  expect(shape(blocks.update("Other"))).toBe(JSON.stringify(lex("Other")));
});
