import fc from "fast-check";
import type { Tokens } from "marked";
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

const items = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** Long lists and tables, with what may stand in or behind them. */
const LONG = [
  items(40, (at) => `- entry ${at} with **bold**`),
  `${items(30, (at) => `${at + 1}. entry`)}\n\nA paragraph.\n\n${items(30, (at) => `* ${at}`)}`,
  `${items(20, (at) => `- ${at}`)}\n\n${items(20, (at) => `- ${at} after a blank line`)}`,
  items(30, (at) => `- ${at}\n\n  a paragraph of it`),
  items(30, (at) => `- ${at}\n  - nested\n    - deeper\n  lazy\nlazier`),
  `${items(25, (at) => `- ${at}`)}\n${items(25, (at) => `+ ${at}`)}\n---\n# Title`,
  `${items(25, (at) => `- [${at % 2 ? "x" : " "}] task ${at}`)}\n\n    code\n\nend`,
  `${items(25, (at) => `- ${at}`)}\n===\n- more\n\n\n\ntext`,
  `| a | b |\n|:-|-:|\n${items(40, (at) => `| ${at} | \`x\\|y\` |`)}\n\ntext`,
  `| a | b |\n|---|---|\n${items(40, (at) => `${at} | y`)}\nno pipe\n> quote`,
  `Text\n\n| a |\n|---|\n${items(40, (at) => `| ${at} |`)}\n- list\n${items(40, (at) => `- ${at}`)}`,
];

test("long lists and tables end as the text read at once, wherever they were cut", () => {
  for (const text of LONG) {
    const expected = JSON.stringify(lex(text).filter(({ type }) => type !== "space"));
    for (const step of [1, 3, 7, 26, 111]) {
      const blocks = new GrowingBlocks();
      for (let end = 1; end < text.length; end += step) blocks.update(text.slice(0, end));
      expect(shape(blocks.update(text, true))).toBe(expected);
    }
  }
});

const LINES = [
  ..."-a,- b,- c d,* e,+ f,1. g,2) h,- [ ] i,-,|,---,===,text,# t,> q,$$,~~~".split(","),
  ..."|  - nested|    deep|  more|a".split("|"),
  ..."| 1 | 2 |;|---|---|;a | b".split(";"),
];

test("any lines behind a long list or table end as the text read at once", () => {
  const begin = fc.constantFrom("- x", "1. x", "* y\n", "| x | y |");
  const lines = fc.array(fc.constantFrom(...LINES), { maxLength: 12 });
  fc.assert(
    fc.property(begin, lines, fc.integer({ min: 1, max: 30 }), (line, rest, step) => {
      const head = line.startsWith("|") ? "| a | b |\n|---|---|\n" : "";
      const text = `${head}${items(20, () => line)}\n${rest.join("\n")}`;
      const expected = JSON.stringify(lex(text).filter(({ type }) => type !== "space"));
      const blocks = new GrowingBlocks();
      for (let end = 1; end < text.length; end += step) blocks.update(text.slice(0, end));
      expect(shape(blocks.update(text, true))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("items of a long list and rows of a long table keep their identity", () => {
  const list = items(40, (at) => `- entry ${at}`);
  const growing = new GrowingBlocks();
  const first = (blocks: readonly Block[]): unknown => blocks[0]?.token;
  const itemsOf = (text: string): unknown[] =>
    (first(growing.update(text)) as Tokens.List).items;
  const before = itemsOf(`${list}\n`);
  expect(itemsOf(`${list}\n- one more`).slice(0, 38)).toEqual(before.slice(0, 38));
  expect(itemsOf(`${list}\n- one more`)[20]).toBe(before[20]);
  const table = `| a |\n|---|\n${items(40, (at) => `| ${at} |`)}\n`;
  const other = new GrowingBlocks();
  const rowsOf = (text: string) => (first(other.update(text)) as Tokens.Table).rows;
  const rows = rowsOf(table);
  expect(rowsOf(`${table}| one more`)[20]).toBe(rows[20]);
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
