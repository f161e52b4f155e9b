import { expect, test } from "vitest";
import { linesOf, MAX_LINE_CHARACTERS } from "./lines-of.ts";

async function* inPieces(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}
async function read(text: string, size = 3) {
  const lines = [];
  for await (const some of linesOf(inPieces(text, size))) lines.push(...some);
  return lines;
}

test("lines have numbers through all parts, however the bytes arrive", async () => {
  const text = "Käse\r\n\nBrot\f\fEnde 🙂\n\fnoch eine";
  const lines = await read(text, 1);
  expect(lines).toEqual([
    { number: 1, part: 1, text: "Käse" },
    { number: 2, part: 1, text: "" },
    { number: 3, part: 1, text: "Brot" },
    { number: 4, part: 3, text: "Ende 🙂" },
    { number: 5, part: 4, text: "noch eine" },
  ]);
  expect(await read(text, 1_000)).toEqual(lines);
});

test("a line without an end is divided at words, and never within a character", async () => {
  const words = "word ".repeat(5_000);
  for (const text of [words, "🙂".repeat(3_000)]) {
    const lines = await read(text, 700);
    expect(lines.map((line) => line.text).join("")).toBe(text);
    expect(lines.every((line) => line.text.length <= MAX_LINE_CHARACTERS)).toBe(true);
    expect(
      lines.every((line) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(line.text)),
    ).toBe(true);
  }
});
