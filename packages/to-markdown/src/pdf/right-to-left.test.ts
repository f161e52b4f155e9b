import { expect, test } from "vitest";
import { buildBlocks } from "./build-blocks.ts";
import { buildSegments } from "./build-segments.ts";
import type { Word } from "./layout.ts";
import { orderRegions } from "./order-regions.ts";
import { placeWord, SIZE, widthOf } from "./place-text.test-support.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** The words of a text from `right` to the left. */
function line(text: string, right: number, baseline: number): Word[] {
  let x = right;
  return text.split(" ").map((word, at) => {
    const placed = placeWord(word, x - widthOf(word), baseline, at === 0);
    x = placed.left - 3;
    return placed;
  });
}

const read = (words: Word[]) =>
  writeMarkdown(
    buildBlocks(orderRegions(buildSegments(words), []), {
      size: SIZE,
      bold: false,
      mono: false,
      headed: false,
    }),
  );

/** Lines of 30 to 33 characters; the last one ends its paragraph. */
const PARAGRAPH = [
  "הנהר היה נמוך כל אותו הקיץ ואנשי",
  "העמק התחילו לדבר שוב על הבארות",
  "הישנות.",
];
const NEXT = ["איש לא זכר שנה שבה עמדה הטחנה", "זמן רב כל כך."];

test("lines of Hebrew end a paragraph where they leave room at the left", () => {
  const words = [...PARAGRAPH, ...NEXT].flatMap((text, at) =>
    line(text, 260, 20 + at * 12),
  );
  expect(read(words)).toBe(`${PARAGRAPH.join(" ")}\n\n${NEXT.join(" ")}`);
});

test("a line of Hebrew set in from the right begins a paragraph", () => {
  const full = "העמק התחילו לדבר על הבארות האלה.";
  const words = [
    ...line(PARAGRAPH[0] ?? "", 260, 20),
    ...line(full, 260, 32),
    ...line(NEXT[0] ?? "", 240, 44),
  ];
  expect(read(words)).toBe(`${PARAGRAPH[0]} ${full}\n\n${NEXT[0]}`);
});

test("columns of Hebrew are read from the right", () => {
  const columns = [
    { right: 400, lines: [...PARAGRAPH, ...NEXT] },
    { right: 190, lines: [...NEXT, ...PARAGRAPH] },
  ];
  const words = columns.flatMap(({ right, lines }) =>
    lines.flatMap((text, at) => line(text, right, 20 + at * 12)),
  );
  expect(read(words)).toBe(
    [PARAGRAPH, NEXT, NEXT, PARAGRAPH].map((lines) => lines.join(" ")).join("\n\n"),
  );
});

test("items of a Hebrew list keep their Latin words in order", () => {
  const words = [
    // the first of the Latin words is at the left of the second
    ...line("• הטחנה של Reader PDF בעמק", 260, 20),
    ...line("• הבאר הישנה", 260, 32),
  ];
  expect(read(words)).toBe("- הטחנה של PDF Reader בעמק\n- הבאר הישנה");
});

test("items of a Hebrew list are numbered at their right, however far", () => {
  const items = ["הטחנה של העמק", "הבאר הישנה", "הנהר"];
  const words = items.flatMap((text, at) => [
    ...line(`.${at + 1}`, 260, 20 + at * 12),
    ...line(text, 225, 20 + at * 12),
  ]);
  expect(read(words)).toBe(items.map((text, at) => `${at + 1}. ${text}`).join("\n"));
});
