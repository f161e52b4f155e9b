import { expect, test } from "vitest";
import { textOf } from "./layout.ts";
import type { TurnedGlyph } from "./page-content.ts";
import { nameAxes, readTurned } from "./turned-text.ts";

const SIZE = 10;

/** The letters of a text that runs upwards, the first of them at `bottom`. */
const upwards = (text: string, left: number, bottom: number): TurnedGlyph[] =>
  [...text].map((letter, at) => ({
    text: letter,
    angle: 90,
    x: left + SIZE,
    y: 800 - bottom + at * 6,
    size: SIZE,
    spaced: false,
    left,
    right: left + SIZE,
    top: bottom - (at + 1) * 6,
    bottom: bottom - at * 6,
  }));

test("what names an axis is a part of the figure, and a note in the margin is none", () => {
  const figure = { left: 100, right: 300, top: 100, bottom: 200, lines: [] };
  const texts = readTurned([
    ...upwards("Visitors", 85, 180),
    ...upwards("01/2019", 120, 250),
    ...upwards("Draft", 20, 600),
  ]);
  const { figures, rest } = nameAxes([figure], texts);
  expect(figures.map(({ lines }) => lines.map(textOf))).toEqual([["Visitors", "01/2019"]]);
  expect(rest.map(({ text }) => text)).toEqual(["Draft"]);
});
