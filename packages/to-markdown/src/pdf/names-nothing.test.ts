import { expect, test } from "vitest";
import type { Block, Segment } from "./layout.ts";
import { namesNothing } from "./names-nothing.ts";
import { line, SIZE } from "./place-text.test-support.ts";

const BODY = { size: SIZE, bold: false, mono: false, headed: false };
const HEIGHT = 800;

function segment(text: string, baseline: number, size: number): Segment {
  const words = line(text, 50, baseline);
  const right = words.at(-1)?.right ?? 50;
  return { words, baseline, size, left: 50, right, top: baseline - size, bottom: baseline };
}
const paragraph = (
  text: string,
  baseline: number,
  size = SIZE,
): Block & { lines: Segment[] } => ({
  kind: "paragraph",
  lines: [segment(text, baseline, size)],
});
/** Judges a line among paragraphs of a page, in the middle unless told otherwise. */
function judge(text: string, { baseline = 400, size = SIZE, index = 1 } = {}): boolean {
  const block = paragraph(text, baseline, size);
  const blocks: Block[] = [200, 300, 500].map((at) => paragraph("Some words of text.", at));
  blocks.splice(index, 0, block);
  return namesNothing({ block, blocks, index, pageHeight: HEIGHT, body: BODY });
}

test.each([
  "Figure 3.1: Status of operations",
  "Fig. 2 Status",
  "TABLE 28: BREAKDOWN",
  "Table: The number of observers",
  "Diagram 3",
  "Abbildung 4: Verlauf",
  "Tableau 2",
  "図 3 構成",
  "Source: National statistics",
  "Quelle: eigene Darstellung",
  "Total 27,926",
  "Total 84,208 86,092 +1,884",
  "Share of women 48 %",
  "*Double these amounts",
  "service@example.org",
  "Visit www.example.org",
  "Fax: (614) 555-1392",
  "(in millions of euros)",
  "competing models even when using data",
  "Regulated Storage, Manufacture and Use of",
  "The distribution of participating institutions in these meetings is as follows:",
])("%s names no part of the text", (text) => {
  expect(judge(text)).toBe(true);
});

test.each([
  "Results",
  "Fax machines",
  "(2) Results",
  "2.1 Place to and to",
  "Tables and chairs",
  "Figure skating in winter",
  "Sources of error",
  "Notes on the method",
  "Annual report 2021",
  "Table of contents",
  "Questions:",
  "iPhone repair",
  "Mapping the coast",
])("%s may be a heading", (text) => {
  expect(judge(text)).toBe(false);
});

test("a large line may begin with a small letter", () => {
  expect(judge("parlance is spoken by many people", { size: 20 })).toBe(false);
});

test("words that stand apart as heads of columns are no heading, as one gap is none", () => {
  const apart = (gap: number) => {
    const block = paragraph("Water Glucose Yeast", 400);
    const [first, second, third] = block.lines[0]?.words ?? [];
    if (first && second && third) {
      second.left = first.right + gap;
      second.right = second.left + 30;
      third.left = second.right + gap;
      third.right = third.left + 30;
    }
    const blocks = [paragraph("a", 100), block, paragraph("b", 500)];
    return namesNothing({ block, blocks, index: 1, pageHeight: HEIGHT, body: BODY });
  };
  expect(apart(30)).toBe(true);
  expect(apart(5)).toBe(false);
});

test("what runs along the edge of a page is no heading, but a large title there is", () => {
  expect(judge("Probability and Control", { index: 0, baseline: 40 })).toBe(true);
  expect(judge("Migration Outlook 19", { index: 3, baseline: 780, size: 14 })).toBe(true);
  expect(judge("A-7", { index: 3, baseline: 780, size: 14 })).toBe(true);
  expect(judge("Probability and Control", { index: 0, baseline: 40, size: 18 })).toBe(
    false,
  );
  expect(judge("Probability and Control", { index: 0, baseline: 140 })).toBe(false);
});

test("lines of contents end with pages that rise; a single number at the end says nothing", () => {
  const lines = ["Part one 5", "Part two 45", "Part three 71"].map((text, at) =>
    paragraph(text, 300 + at * 20),
  );
  const judgeAt = (blocks: (Block & { lines: Segment[] })[]) =>
    blocks[1] !== undefined &&
    namesNothing({ block: blocks[1], blocks, index: 1, pageHeight: HEIGHT, body: BODY });
  expect(judgeAt(lines)).toBe(true);
  expect(
    judgeAt([
      paragraph("Text.", 280),
      paragraph("Chapter 5", 300),
      paragraph("Text.", 320),
    ]),
  ).toBe(false);
});

test("the name of a figure beside the lines of its title makes both no heading", () => {
  const block = {
    kind: "paragraph" as const,
    lines: [segment("Participation in the", 400, SIZE), segment("Diagram 2", 406, SIZE)],
  };
  const blocks = [paragraph("Some words.", 300), block, paragraph("More words.", 500)];
  expect(namesNothing({ block, blocks, index: 1, pageHeight: HEIGHT, body: BODY })).toBe(
    true,
  );
});

/** Judges one of these lines, each this far below the one before it. */
function judgeAmong(texts: readonly string[], index: number, apart = 1.2 * SIZE): boolean {
  const blocks = texts.map((text, at) => paragraph(text, 300 + at * apart));
  const block = blocks[index];
  if (!block) throw new Error("there is no such line");
  return namesNothing({ block, blocks, index, pageHeight: HEIGHT, body: BODY });
}

test("the next line of a figure's title is no heading, wherever its number stands", () => {
  for (const title of [
    "Participation of institutions in the Diagram 2",
    "Figure 2: Shares in",
  ])
    expect(judgeAmong(["Some words.", title, "Indonesia 2021", "Some words."], 2)).toBe(
      true,
    );
  const far = ["Some words.", "Figure 2: Shares", "Results", "Some words."];
  expect(judgeAmong(far, 2, 4 * SIZE)).toBe(false);
  expect(judgeAmong(["Some words.", "As chapter 2", "Results", "Words."], 2)).toBe(false);
});

test("a label among the values of an axis is no heading", () => {
  expect(judgeAmong(["Over 50", "41-50", "31–40", "Figure"], 0, 40)).toBe(true);
  expect(judgeAmong(["Text", "5 10 15", "20 %", "Years"], 3, 40)).toBe(true);
  expect(judgeAmong(["Results", "41-50", "Some words of text.", "1"], 0, 40)).toBe(false);
});

test("the name of a person above an address that is made of it names no part of the text", () => {
  const judged = (name: string, address: string) => {
    const block = paragraph(name, 200);
    const blocks: Block[] = [block, paragraph("Port Office", 214), paragraph(address, 228)];
    return namesNothing({ block, blocks, index: 0, pageHeight: HEIGHT, body: BODY });
  };
  expect(judged("Ann Ritter 1", "a.ritter@port.example")).toBe(true);
  expect(judged("Further Information", "a.ritter@port.example")).toBe(false);
});
