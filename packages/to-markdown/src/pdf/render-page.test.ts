import PDFDocument from "pdfkit";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { openPageRenderer } from "./render-page.ts";

/** A page with its lower half black. */
function halfBlack(size: [number, number]): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const document = new PDFDocument({ size, margin: 0 });
    const parts: Uint8Array[] = [];
    document.on("data", (part: Uint8Array) => parts.push(part));
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(parts))));
    document.rect(0, size[1] / 2, size[0], size[1] / 2).fill("black");
    document.end();
  });
}

/** The brightness of the middle pixel of a row, from a PNG that this package wrote. */
function brightnessOf(png: Uint8Array, width: number, row: number): number {
  const view = new DataView(png.buffer, png.byteOffset);
  // signature 8, header chunk 25, then the data chunk
  const data = inflateSync(png.subarray(41, 41 + view.getUint32(33)));
  const stride = width * 3 + 1;
  let value = 0;
  for (let y = 0; y <= row; y += 1)
    value = (value + (data[y * stride + 1 + 3 * (width >> 1)] ?? 0)) & 0xff;
  return value;
}

test("renders a page at the requested density", async () => {
  const renderer = await openPageRenderer(await halfBlack([144, 72]));
  const { png, width, height, dpi } = renderer.render(1, 150);
  expect([renderer.pages, width, height, dpi]).toEqual([1, 300, 150, 150]);
  expect(brightnessOf(png, width, 10)).toBe(255);
  expect(brightnessOf(png, width, 140)).toBe(0);
  renderer.close();
});

test("renders an extremely large page smaller", async () => {
  const renderer = await openPageRenderer(await halfBlack([14_400, 14_400]));
  const { width, height } = renderer.render(1, 300);
  expect(width * height).toBeLessThanOrEqual(16_000_000);
  expect(width).toBeGreaterThan(1_000);
  renderer.close();
});

test("reports a missing page", async () => {
  const renderer = await openPageRenderer(await halfBlack([100, 100]));
  expect(() => renderer.render(2, 72)).toThrow(/Page 2 .* cannot be read/);
  renderer.close();
});

test("renders within as many pixels as are allowed", async () => {
  const renderer = await openPageRenderer(await halfBlack([100_000, 100_000]));
  const { width, height, png } = renderer.render(1, 150, 1_000_000);
  expect([width, height]).toEqual([1_000, 1_000]);
  expect(brightnessOf(png, width, 900)).toBe(0);
  renderer.close();
});
