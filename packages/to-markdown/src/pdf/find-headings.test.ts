import { expect, test } from "vitest";
import { findHeadings } from "./find-headings.ts";
import type { Block } from "./layout.ts";
import { line, SIZE } from "./place-text.test-support.ts";

const BODY = { size: SIZE, bold: false, mono: false, headed: false };

const paragraph = (text: string, baseline: number, size = SIZE): Block => {
  const words = line(text, 50, baseline);
  const right = words.at(-1)?.right ?? 50;
  const box = { left: 50, right, top: baseline - size, bottom: baseline };
  return { kind: "paragraph", lines: [{ words, baseline, size, ...box }] };
};

/** What is a heading among lines of these sizes, each so far below the one before it. */
function headingsOf(texts: readonly [string, number][], apart = 40): string[] {
  const blocks = texts.map(([text, size], at) => paragraph(text, 200 + at * apart, size));
  return findHeadings(blocks, BODY, new Map(), 800).flatMap((block, at) =>
    block.kind === "heading" ? [texts[at]?.[0] ?? ""] : [],
  );
}

test("lines in large type with nothing below each are an address, not headings", () => {
  expect(
    headingsOf([
      ["User's manual", 20],
      ["Lake Instruments", 12],
      ["575 Main Road", 12],
      ["Westerville", 12],
      ["Nothing in this text may be copied without consent.", SIZE],
    ]),
  ).toEqual(["User's manual"]);
});

test("the largest lines of a page, numbered ones and pairs are headings", () => {
  const numbered: [string, number][] = [
    ["Agenda", 20],
    ["1. Opening", 12],
    ["2. Discussion", 12],
    ["3. Closing", 12],
    ["Some words of text.", SIZE],
  ];
  expect(headingsOf(numbered)).toHaveLength(4);
  const largest = ["Board", "Special meeting", "Agenda"].map((text): [string, number] => [
    text,
    20,
  ]);
  expect(headingsOf([...largest, ["Some words of text.", SIZE]])).toHaveLength(3);
  const pair: [string, number][] = [
    ["Report", 20],
    ["Methods", 12],
    ["Sampling", 12],
    ["Some words of text.", SIZE],
  ];
  expect(headingsOf(pair)).toHaveLength(3);
});

test("a large line under a smaller title is the statement of a slide, but not under a number", () => {
  const slide = (title: string): [string, number][] => [
    ["What we are here for", 24],
    [title, 12],
    ["Making tools that help", 16],
    ["Some words of text.", SIZE],
  ];
  expect(headingsOf(slide("Purpose"), 30)).toEqual(["What we are here for", "Purpose"]);
  expect(headingsOf(slide("Part 2"), 30)).toHaveLength(3);
  expect(headingsOf(slide("Purpose"), 80)).toHaveLength(3);
});
