import { expect, test } from "vitest";
import { imageTypeOf } from "./image-type.ts";

test.each([
  ["\x89PNG\r\n\x1a\n and more", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["RIFF\n\0\n\0WEBPVP8 ", "image/webp"],
  ["RIFF\x24\0\0\0WAVEfmt ", undefined],
  ["\x89PNG", undefined],
  [" \x89PNG\r\n\x1a\n", undefined],
  ["<svg", undefined],
  ["", undefined],
])("%j is %s", (bytes, type) => {
  expect(imageTypeOf(Buffer.from(bytes, "latin1"))).toBe(type);
});
