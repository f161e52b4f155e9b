import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { openPageRenderer } from "./render-page.ts";

type Draw = (document: PDFKit.PDFDocument) => void;

async function wordsOf(draw: Draw, size: [number, number] = [200, 100]) {
  const document = new PDFDocument({ size, margin: 0 });
  const parts: Uint8Array[] = [];
  document.on("data", (part: Uint8Array) => parts.push(part));
  const ended = new Promise((resolve) => document.on("end", resolve));
  draw(document);
  document.end();
  await ended;
  const renderer = await openPageRenderer(new Uint8Array(Buffer.concat(parts)));
  try {
    return renderer.words(1);
  } finally {
    renderer.close();
  }
}

test("says where the words of a page stand, as shares of it", async () => {
  const { width, height, words } = await wordsOf((document) => {
    document.fontSize(10).text("Alpha beta", 100, 50, { lineBreak: false });
  });
  expect([width, height]).toEqual([200, 100]);
  expect(words.map(({ text }) => text)).toEqual(["Alpha", "beta"]);
  const [alpha, beta] = words;
  expect(alpha?.left).toBeCloseTo(0.5, 1);
  expect(alpha?.top).toBeGreaterThan(0.4);
  expect((alpha?.top ?? 1) + (alpha?.height ?? 1)).toBeLessThan(0.7);
  expect(beta?.left).toBeGreaterThan((alpha?.left ?? 1) + (alpha?.width ?? 1));
});

test("follows the turn of a page", async () => {
  const { width, height, words } = await wordsOf((document) => {
    document.fontSize(10).text("Corner", 0, 0, { lineBreak: false });
    // pdfkit turns no page itself
    Object.assign(document.page.dictionary.data, { Rotate: 90 });
  });
  expect([width, height]).toEqual([100, 200]);
  const corner = words.map(({ left, top }) => ({ left, top }));
  // the upper left corner is the upper right one, once the page is turned clockwise
  expect(corner[0]?.left).toBeGreaterThan(0.8);
  expect(corner[0]?.top).toBeLessThan(0.2);
});

test("leaves out what stands outside the page, and pages without words have none", async () => {
  const outside = await wordsOf((document) => {
    document.text("Hidden", 400, 50, { lineBreak: false });
  });
  expect(outside.words).toEqual([]);
  expect((await wordsOf((document) => document.rect(0, 0, 9, 9).fill())).words).toEqual([]);
});

test("reads no more words than a page of a newspaper has", async () => {
  const { words } = await wordsOf(
    (document) => {
      document.fontSize(4).text("word ".repeat(9_000), 0, 0, { width: 2_000 });
    },
    [2_000, 2_000],
  );
  expect(words).toHaveLength(8_000);
});
