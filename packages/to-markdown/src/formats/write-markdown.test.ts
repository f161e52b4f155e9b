import fc from "fast-check";
import { marked, type Token, type Tokens } from "marked";
import { expect, test } from "vitest";
import { type Block, paragraph, type Run, textCell } from "./blocks.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** The visible text of rendered Markdown. */
function seen(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "table") {
        // marked gives its tables this shape
        const table = token as Tokens.Table;
        return [table.header, ...table.rows]
          .map((row) => row.map((cell) => seen(cell.tokens)).join(" "))
          .join(" ");
      }
      if (token.type === "list")
        return (token as Tokens.List).items.map((item) => seen(item.tokens)).join(" ");
      if (token.type === "br" || token.type === "space") return " ";
      if (token.type === "escape" || token.type === "codespan" || token.type === "code")
        return unescaped(String((token as Tokens.Escape).text));
      if ("tokens" in token && token.tokens)
        return (
          seen(token.tokens) +
          (token.type === "paragraph" || token.type === "heading" ? " " : "")
        );
      return "text" in token ? unescaped(String(token.text)) : "";
    })
    .join("");
}

const unescaped = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) =>
      ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name] ?? "",
  );
const squeezed = (text: string) => text.replace(/\s+/g, "");

const special = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."*_`~#>|<&[]()!+-.=:\\\"'1 9\n".split("")),
      fc.constantFrom(
        "a",
        "ß",
        "word ",
        "1. ",
        "- ",
        "&amp;",
        "[x](y)",
        "<b>",
        "---",
        "```",
        "日本",
      ),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(""));
const style = fc.record({ bold: fc.boolean(), italic: fc.boolean() });
const run: fc.Arbitrary<Run> = fc
  .tuple(special, style)
  .map(([text, look]) => ({ text, ...look }));

test("keeps every character of a paragraph, even if it looks like Markdown", () => {
  fc.assert(
    fc.property(special, (text) => {
      expect(squeezed(seen(marked.lexer(writeMarkdown([paragraph([{ text }])]))))).toBe(
        squeezed(text),
      );
    }),
    { numRuns: 3_000 },
  );
});

test("never turns a paragraph into another kind of block", () => {
  fc.assert(
    fc.property(special, (text) => {
      const kinds = marked
        .lexer(writeMarkdown([paragraph([{ text }])]))
        .map(({ type }) => type);
      expect(kinds.filter((kind) => kind !== "paragraph" && kind !== "space")).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("keeps the text and positions of a table's cells", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(special, { minLength: 2, maxLength: 3 }), {
        minLength: 1,
        maxLength: 4,
      }),
      (texts) => {
        const rows = [["h1", "h2", "h3"], ...texts].map((row) => row.map(textCell));
        const [table] = marked.lexer(
          writeMarkdown([{ kind: "table", rows, depth: 0, quote: 0 }]),
        );
        // marked gives its tables this shape
        const body = (table as Tokens.Table).rows.map((row) =>
          row
            .map((cell) => squeezed(seen(cell.tokens).replaceAll("<br>", "")))
            .filter(Boolean),
        );
        expect(body).toEqual(
          texts
            .map((row) => row.map(squeezed).filter(Boolean))
            .filter((row) => row.length > 0),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test("keeps the letters of styled runs in order", () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
      const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
      expect(letters(seen(marked.lexer(writeMarkdown([paragraph(runs)]))))).toBe(
        letters(runs.map(({ text }) => text).join("")),
      );
    }),
    { numRuns: 1_000 },
  );
});

const item = (text: string, depth: number, marker = "-"): Block =>
  paragraph([{ text }], { depth, marker });

test("nests and numbers lists, also across paragraphs", () => {
  expect(
    writeMarkdown([
      item("one", 1, "1."),
      item("inner", 2),
      paragraph([{ text: "more of inner" }], { depth: 2 }),
      item("two", 1, "2."),
    ]),
  ).toBe("1. one\n   - inner\n\n     more of inner\n\n2. two");
});

test("nests emphasis, also between letters of a word", () => {
  const emphasised = [
    { text: "at ", italic: true },
    { text: "the third", italic: true, bold: true },
    { text: ", and", italic: true },
    { text: " on. " },
    { text: "Note:", bold: true },
    { text: "this " },
    { text: "that\n", strike: true },
    { text: "line", strike: true },
  ];
  expect(writeMarkdown([paragraph(emphasised)])).toBe(
    "*at **the third**, and* on. **Note**:this ~~that~~  \n~~line~~",
  );
});

test("never turns items that skip levels into code", () => {
  const blocks = [
    item("deep", 4, "1."),
    item("up", 2),
    item("down", 9),
    paragraph([{ text: "apart" }]),
    item("again", 3),
  ];
  expect(writeMarkdown(blocks)).toBe("1. deep\n- up\n  - down\n\napart\n\n- again");
});

test("repeats the label of merged cells in each cell that they cover", () => {
  const cell = (text: string, columns = 1, rows = 1) => ({
    ...textCell(text),
    columns,
    rows,
  });
  const rows = [
    [cell("Year", 1, 2), cell("Sales", 2)],
    [cell("North"), cell("South")],
    [cell("2024"), cell("1"), cell("2")],
  ];
  expect(writeMarkdown([{ kind: "table", rows, depth: 0, quote: 0 }])).toBe(
    "| Year | Sales | Sales |\n| --- | --- | --- |\n| Year | North | South |\n| 2024 | 1 | 2 |",
  );
});

test("separates pages by form feeds, and removes those in texts", () => {
  const markdown = writeMarkdown([
    paragraph([{ text: "a\fb" }]),
    { kind: "page" },
    { kind: "page" },
    { kind: "code", text: "c\fd", depth: 0, quote: 0 },
  ]);
  expect(markdown.split("\f")).toHaveLength(3);
});

test("writes only the text of a link that would run code", () => {
  expect(
    writeMarkdown([
      paragraph([
        { text: "here", href: "java\tscript:alert(1)" },
        { text: " and " },
        { text: "there", href: "https://a.b/c d" },
      ]),
    ]),
  ).toBe("here and [there](<https://a.b/c d>)");
});

test(
  "writes a million brackets, stars or backticks in bounded time",
  { timeout: 90_000 },
  () => {
    for (const sign of [
      "[",
      "*",
      "`",
      "<",
      "|",
      "_",
      "~",
      "&",
      "\\",
      "![",
      "[^",
      " ",
      "\t",
      "\u00a0",
      "\\\t",
    ]) {
      expect(writeMarkdown([paragraph([{ text: `a${sign.repeat(500_000)}a` }])])).toMatch(
        /a$/,
      );
    }
  },
);
