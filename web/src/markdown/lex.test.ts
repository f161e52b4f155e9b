import type { Token, Tokens } from "marked";
import { expect, test } from "vitest";
import { lex } from "./lex.ts";

/** The parts of a text that are more than text: `type:text`. */
const marksOf = (text: string) =>
  gather(lex(text)).filter((mark) => !mark.startsWith("text"));

function gather(tokens: Token[]): string[] {
  return tokens.flatMap((token) => {
    const one = token as Tokens.Generic;
    if (one.type === "paragraph") return gather(one.tokens ?? []);
    if (one.type === "cite") return [`cite:${one["indexes"].join()}`];
    return [`${one.type}:${one["tex"] ?? one["text"]}`];
  });
}

test.each([
  "It takes ~50 minutes (~45 with luck).",
  "大约3~5天，价格100~200元",
  "cp ~/a.txt ~/b.txt",
  "0.3~8mm and 23~30℃",
  "a~b~c",
])("single tildes stay as they are: %s", (text) => {
  expect(marksOf(text)).toEqual([]);
});

test("two tildes strike through", () => {
  expect(marksOf("~~gone~~ and ~here~")).toEqual(["del:gone"]);
});

test.each([
  "Cost changed from $5 to $10 today.",
  "price is $5-$10",
  "$/PR is down but $/session is up",
  "export PATH=$HOME/bin:$PATH",
  "echo ${A}/x:${B}",
  "cd $(pwd)/$(ls)",
  "US$ 680 mi para US$ 720 mi",
  "A$5/NZ$6 and C$7/HK$",
  "5$ or 10$",
  "it was $5 or 10$ at most",
  "a $20,000 and $30,000 range",
  "set $user and $group",
  "$AAPL/$TSLA",
])("dollars that are no formula stay as they are: %s", (text) => {
  expect(marksOf(text)).toEqual([]);
});

test.each([
  ["$E=mc^2$ end", "E=mc^2"],
  ["The $x$-axis", "x"],
  ["about $5 \\times 10^3$.", "5 \\times 10^3"],
  ["($a+b$)", "a+b"],
  ["中文 $x$ 中文", "x"],
  ["\\(a+b\\)", "a+b"],
  ["so \\[a\\] holds", "a"],
  ["$$x^2$$ end", "x^2"],
])("a formula in a line: %s", (text, tex) => {
  expect(marksOf(text)).toEqual([`math:${tex}`]);
});

test("an environment of LaTeX is a formula", () => {
  const tex = "\\begin{align}\na &= b\\\\\nc &= d\n\\end{align}";
  expect(marksOf(`So\n\n${tex}\n\nend`)).toContain(`mathBlock:${tex}`);
});

test.each([
  ["see [1][2][3]", ["cite:1", "cite:2", "cite:3"]],
  ["see [1, 2] and [3;4]", ["cite:1,2", "cite:3,4"]],
  ["see [1-3]", ["cite:1,2,3"]],
  ["see [1]–[3]", ["cite:1,2,3"]],
  ["see [1]-[9] and [4]", ["cite:1,2,3,4,5,6,7,8,9", "cite:4"]],
  ["see [3]–[1]", ["cite:3", "cite:1"]],
  ["as [1]: it says", ["cite:1"]],
  ["a note [1][^2]", ["cite:1", "footnoteRef:undefined"]],
  ["see [2, 5–7]", ["cite:2,5,6,7"]],
  ["a year [1990-2020]", []],
  ["back [3-1]", []],
])("citations: %s", (text, marks) => {
  expect(marksOf(text)).toEqual(marks);
});

test.each(["| a |\n|---|\n| x [1][2], [3–4] |", "- x [1][2]\n- y [3-4]"])(
  "citations in tables and lists: %s",
  (text) => {
    expect(JSON.stringify(lex(text)).match(/"indexes":\[[\d,]+\]/g)).toEqual([
      '"indexes":[1]',
      '"indexes":[2]',
      '"indexes":[3,4]',
    ]);
  },
);

test.each([
  ["H<sub>2</sub>O and x<sup>2</sup>", ["tag:sub", "tag:sup"]],
  ["press <kbd>Ctrl</kbd>+<KBD>C</KBD>", ["tag:kbd", "tag:kbd"]],
  ["a ==marked word== here", ["tag:mark"]],
  ["if a == b and c == d", []],
  ["x==1 or y==2", []],
  ["<sub onclick=alert(1)>2</sub>", ["html", "html"]],
])("elements within a line: %s", (text, found) => {
  const [{ tokens = [] } = {}] = lex(text) as Tokens.Generic[];
  const marks = (tokens as Tokens.Generic[]).filter(({ type }) => type !== "text");
  expect(marks.map(({ type, tag }) => (tag ? `${type}:${tag}` : type))).toEqual(found);
});

test("an alert is a quote that begins with its kind", () => {
  const [alert, quote] = lex(
    "> [!WARNING]\n> It is **hot**.\n\n> plain",
  ) as Tokens.Generic[];
  expect(alert).toMatchObject({ type: "alert", kind: "warning" });
  expect(alert?.tokens?.[0]).toMatchObject({ type: "paragraph", text: "It is **hot**." });
  expect(quote?.type).toBe("blockquote");
});

test("what is folded may hold lists and other folded parts", () => {
  const inner = "<details>\n<summary>In</summary>\n\nx\n</details>";
  const text = `<details>\n<summary>A *b*</summary>\n\n- one\n\n${inner}\n</details>\n\nEnd`;
  const [outer, end] = lex(text) as Tokens.Generic[];
  expect(outer).toMatchObject({ type: "details", isOpen: false });
  const inside = outer?.tokens?.filter(({ type }) => type !== "space");
  expect(inside?.map(({ type }) => type)).toEqual(["list", "details"]);
  expect(end?.["text"]).toBe("End");
});

test("a folded part that has not ended yet is open, and one below many others is text", () => {
  expect(lex("<details><summary>A</summary>\n\nx")[0]).toMatchObject({ isOpen: true });
  expect(() => lex("<details>\n\n".repeat(3_000))).not.toThrow();
});

test("a footnote has the indented lines behind it", () => {
  const tokens = lex(
    "Text[^a].\n\n[^a]: One\n    two\n\n    three\n\nEnd",
  ) as Tokens.Generic[];
  const note = tokens.find(({ type }) => type === "footnote");
  expect(note).toMatchObject({ label: "a" });
  expect(note?.tokens?.filter(({ type }) => type === "paragraph")).toHaveLength(2);
  expect(tokens.at(-1)?.["text"]).toBe("End");
});

test.each([
  ["$$a\n+ b$$", "a\n+ b"],
  ["\\[ a\n+ b \\]", " a\n+ b "],
  ["\\begin{aligned}\na\n\\end{aligned}", "\\begin{aligned}\na\n\\end{aligned}"],
  ["\\begin{equation}\na\n\\end{equation}", "\\begin{equation}\na\n\\end{equation}"],
])("a formula over several lines: %s", (text, tex) => {
  expect(marksOf(`So\n${text}\n\nend`)).toContain(`mathBlock:${tex}`);
});

test.each([
  ["**重要：**这是", "strong:重要："],
  ["这是**“引用”**的", "strong:“引用”"],
  ["**（注）**以下", "strong:（注）"],
  ["**인용:**은", "strong:인용:"],
  ["これは*「例」*です", "em:「例」"],
  ["**Note:**text", "strong:Note:"],
  ["see **this**.", "strong:this"],
])("emphasis that touches letters: %s", (text, mark) => {
  expect(marksOf(text)).toEqual([mark]);
});

test.each(["2**(x)**3", "a ** b ** c", "5*3*2=30 (a*b)"])("no emphasis: %s", (text) => {
  expect(marksOf(text).filter((mark) => mark.startsWith("strong"))).toEqual([]);
});

test.each([
  ["\\begin{equation}\nE = mc^2\n\\end{", "\\begin{equation}\nE = mc^2\n\\end{"],
  ["$$\n\\frac{a}{", "\\frac{a}{"],
  ["\\[\na + b", "a + b"],
])("a formula whose end has not come is one that is open: %j", (text, tex) => {
  const [token] = lex(text);
  expect(token).toMatchObject({ type: "mathBlock", tex, isOpen: true });
});

test("words below an environment that never ends are words", () => {
  const tokens = lex("\\begin{equation}\nE = mc^2\n\nSome words.");
  expect(tokens.map(({ type }) => type)).not.toContain("mathBlock");
  expect(lex("$$\na\n$$\n")[0]).not.toHaveProperty("isOpen");
});
