import { expect, test } from "vitest";
import { sniffType } from "./sniff-type.ts";

test("takes UTF-16 for the text that it is, and sound that begins alike for sound", async () => {
  const text = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from("Grüße aus Köln", "utf16le"),
  ]);
  expect(await sniffType(text, { fileName: "notes.txt" }, true)).toBe("text/plain");
  expect(await sniffType(text, { fileName: "table.csv" }, true)).toBe("text/csv");
  expect(
    await sniffType(
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x44]), Buffer.alloc(2_000)]),
      { fileName: "a.txt", type: "text/markdown" },
      true,
    ),
  ).toBe("audio/mpeg");
});

test("counts the sender's type where bytes look alike, and never against them", async () => {
  const typeOf = (bytes: string | Buffer, fileName: string, type?: string) =>
    sniffType(Buffer.from(bytes as string), { fileName, type }, true);
  expect(await typeOf("# Title", "notes", "text/markdown; charset=utf-8")).toBe(
    "text/markdown",
  );
  expect(await typeOf("a,b", "table.md", "text/csv")).toBe("text/csv");
  expect(await typeOf("a,b", "table.csv", "application/x-unknown")).toBe("text/csv");
  expect(await typeOf("%PDF-1.4\n", "a.pdf", "text/markdown")).toBe("application/pdf");
  expect(await typeOf("plain words", "a", "application/pdf")).toBe("text/plain");
  expect(await typeOf(Buffer.of(0, 1, 2, 3), "a.mp3", "audio/mpeg")).toBeUndefined();
  const mp4 = Buffer.concat([
    Buffer.of(0, 0, 0, 24),
    Buffer.from("ftypisom\0\0\0\0isommp42"),
  ]);
  expect(await typeOf(mp4, "a.mp4")).toBe("video/mp4");
  expect(await typeOf(mp4, "a.mp4", "audio/mp4")).toBe("audio/mp4");
  expect(await typeOf(mp4, "a.mp4", "image/png")).toBe("video/mp4");
});
