import { expect, test } from "vitest";
import { sniffType } from "./sniff-type.ts";

test("takes UTF-16 for the text that it is, and sound that begins alike for sound", async () => {
  const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Grüße aus Köln", "utf16le")]);
  expect(await sniffType(text, "notes.txt", true)).toBe("text/plain");
  expect(await sniffType(text, "table.csv", true)).toBe("text/csv");
  expect(
    await sniffType(
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x44]), Buffer.alloc(2_000)]),
      "a.txt",
      true,
    ),
  ).toBe("audio/mpeg");
});
