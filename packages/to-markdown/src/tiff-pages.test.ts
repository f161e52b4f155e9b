import UTIF from "utif2";
import { expect, test } from "vitest";
import { countTiffPages, renderTiffPage } from "./tiff-pages.ts";

const WIDTH = 4;
const HEIGHT = 2;
const tiff = new Uint8Array(
  UTIF.encodeImage(new Uint8Array(WIDTH * HEIGHT * 4).fill(255), WIDTH, HEIGHT),
);

test("a page of a TIFF file becomes a PNG of the same size", () => {
  expect(countTiffPages(tiff)).toBe(1);
  const png = Buffer.from(renderTiffPage(tiff, 1));
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([WIDTH, HEIGHT]);
});

test("reports a damaged TIFF file", () => {
  const damaged = new Uint8Array(Buffer.from("II*\0garbage"));
  expect(countTiffPages(damaged)).toBe(0);
  expect(() => renderTiffPage(damaged, 1)).toThrow("damaged");
  expect(() => renderTiffPage(tiff, 2)).toThrow("damaged");
});
