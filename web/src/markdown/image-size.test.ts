import { expect, test } from "vitest";
import { readImageSize } from "./image-size.ts";

const read = (hex: string) =>
  readImageSize(new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex")));

test.each([
  ["PNG", "89504e470d0a1a0a 0000000d 49484452 0000ea60 00000010", 60_000, 16],
  ["GIF", "474946383961 2c01 9001", 300, 400],
  ["JPEG", "ffd8 ffe0 0004 0000 ffc0 0011 08 0190 012c 03", 300, 400],
  ["WebP", "52494646 00000000 57454250 56503858 0a000000 00000000 2b0100 8f0100", 300, 400],
])("the size of a %s stands in its head", (_name, hex, width, height) => {
  expect(read(hex)).toEqual({ width, height });
});

test.each(["", "89504e47", "3c737667", "ffd8ffe0ffff"])("none is read from: %s", (hex) => {
  expect(read(hex)).toBeUndefined();
});
