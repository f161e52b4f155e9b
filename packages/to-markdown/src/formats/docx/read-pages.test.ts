import { expect, test } from "vitest";
import { fileToMarkdown } from "../file-to-markdown.ts";
import { buildZip, relationships } from "../build-zip.test-support.ts";
import { textParagraph, textRun } from "./build-docx.test-support.ts";

const END = "<w:r><w:lastRenderedPageBreak/></w:r>";
const AUTHORS_END = '<w:r><w:br w:type="page"/></w:r>';
const say = (text: string) => textParagraph(textRun(text));

/** What the program that saved the file counted. */
interface Counts {
  pages: number;
  characters: number;
}

async function read(body: string, counts?: Counts) {
  const bytes = buildZip({
    "_rels/.rels": relationships({
      rId1: ["officeDocument", "word/document.xml"],
      rId2: ["extended-properties", "docProps/app.xml"],
    }),
    "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`,
    ...(counts && {
      "docProps/app.xml": `<Properties><Pages>${counts.pages}</Pages><Characters>${counts.characters}</Characters></Properties>`,
    }),
  });
  const { markdown, layout } = await fileToMarkdown(bytes, { fileName: "a.docx" });
  return { parts: markdown.split("\n\f\n"), layout };
}

test("pages are those that the program marked when it displayed the text", async () => {
  const body =
    say("One.") +
    textParagraph(END + textRun("Two.")) +
    textParagraph(AUTHORS_END) +
    textParagraph(END + textRun("Three."));
  expect(await read(body, { pages: 3, characters: 13 })).toEqual({
    parts: ["One.", "Two.", "Three."],
    layout: { kind: "pages", parts: 3 },
  });
});

test("a sentence stands whole on the page on which it begins", async () => {
  const body =
    textParagraph(
      textRun("First. It begins here and ") +
        END +
        textRun("ends there. Then a third. ") +
        END +
        textRun("And a fourth."),
    ) + say("Last.");
  expect((await read(body)).parts).toEqual([
    "First. It begins here and ends there.",
    "Then a third.",
    "And a fourth.\n\nLast.",
  ]);
});

test("an item or heading stays whole, on the page on which it begins", async () => {
  const heading = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${textRun("Long. ")}${END}${textRun("Title")}</w:p>`;
  expect((await read(heading + say("Text."))).parts).toEqual(["# Long. Title", "Text."]);
});

test("each row of a table has the page on which it begins", async () => {
  const cell = (runs: string) => `<w:tc>${textParagraph(runs)}</w:tc>`;
  const row = (label: string, before = "") =>
    `<w:tr>${cell(before + textRun(label))}${cell(textRun("1"))}</w:tr>`;
  const table = `<w:tbl>${row("a")}${row("b", END)}${row("c")}${row("d", END)}</w:tbl>`;
  const { parts, layout } = await read(say("Before.") + table + say("After."));
  expect(parts).toEqual([
    "Before.\n\n| a | 1 |\n| --- | --- |\n| b | 1 |\n| c | 1 |\n| d | 1 |",
    "",
    "After.",
  ]);
  expect(layout).toEqual({
    kind: "pages",
    parts: 3,
    lines: [
      [1, 4, 2],
      [1, 6, 3],
    ],
  });
});

test.each([
  ["the program counted other pages", "One.", { pages: 3, characters: 8 }],
  ["text was added since", "word ".repeat(2_000), { pages: 2, characters: 900 }],
  ["more stands on a page than fits", "word ".repeat(20_000), undefined],
])("marks of pages are not believed where %s", async (_, text, counts) => {
  const body = say(text) + textParagraph(END + textRun("Two."));
  expect((await read(body, counts)).layout).toEqual({ kind: "none", parts: 1 });
});

test("the counts of an empty template are not those of the text", async () => {
  const body = say("One.") + textParagraph(END + textRun("Two."));
  expect((await read(body, { pages: 1, characters: 0 })).layout).toMatchObject({
    kind: "pages",
  });
});
