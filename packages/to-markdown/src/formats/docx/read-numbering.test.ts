import { expect, test } from "vitest";
import { readDocxBody, textParagraph, textRun } from "./build-docx.test-support.ts";

const level = (at: number, format: string, text: string, more = "") =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;

/** Reads items of one list at these levels. */
async function read(levels: string, depths: readonly number[], definitions?: string) {
  const item = (depth: number, at: number) =>
    textParagraph(
      textRun(`item${at}`),
      `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`,
    );
  const numbering = `<w:numbering>${definitions ?? `<w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>`}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const markdown = await readDocxBody(depths.map(item).join(""), {
    n: ["numbering", "numbering.xml", numbering],
  });
  return markdown.split("\n").map((line) => line.trim());
}

test.each([
  ["decimal", "%1.", ["1. item0", "2. item1"]],
  ["decimal", "%1)", ["1) item0", "2) item1"]],
  ["decimal", "§ %1", ["- § 1 item0", "- § 2 item1"]],
  ["decimal", "(%1)", ["- (1) item0", "- (2) item1"]],
  ["lowerLetter", "%1)", ["- a) item0", "- b) item1"]],
  ["upperRoman", "Article %1", ["- Article I item0", "- Article II item1"]],
  ["decimalZero", "%1.", ["- 01\\. item0", "- 02\\. item1"]],
  ["ordinal", "%1", ["- 1st item0", "- 2nd item1"]],
  ["russianLower", "%1)", ["- а) item0", "- б) item1"]],
  ["chineseCounting", "%1、", ["- 一、 item0", "- 二、 item1"]],
  ["decimalEnclosedCircle", "%1", ["- ① item0", "- ② item1"]],
])("shows numbers of the format %s as %s", async (format, text, lines) => {
  expect(await read(level(0, format, text), [0, 0])).toEqual(lines);
});

test("counts legal numbers in digits, and levels that nothing restarts on", async () => {
  const levels = level(0, "upperRoman", "%1.") + level(1, "decimal", "%1.%2", "<w:isLgl/>");
  expect(await read(levels, [0, 1, 0, 1])).toEqual([
    "- I. item0",
    "- 1.1 item1",
    "- II. item2",
    "- 2.1 item3",
  ]);
  const going =
    level(0, "upperLetter", "%1") +
    level(1, "decimal", "(%2)", '<w:lvlRestart w:val="0"/>');
  expect(await read(going, [0, 1, 0, 1])).toEqual([
    "- A item0",
    "- (1) item1",
    "- B item2",
    "- (2) item3",
  ]);
});

test("finds the levels of a definition that refers to a style", async () => {
  const definitions = `<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="S"/></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:styleLink w:val="S"/>${level(0, "decimal", "No. %1")}</w:abstractNum>`;
  expect(await read("", [0, 0], definitions)).toEqual(["- No. 1 item0", "- No. 2 item1"]);
});
