import { expect, test } from "vitest";
import { sniffFileType } from "./sniff-file-type.ts";

const typeOf = async (bytes: string | Buffer, fileName: string, claimed?: string) =>
  (await sniffFileType(Buffer.from(bytes as string), fileName, claimed)).mimeType;

test("takes UTF-16 for the text that it is, and sound that begins alike for sound", async () => {
  const text = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from("Grüße aus Köln", "utf16le"),
  ]);
  expect(await typeOf(text, "notes.txt")).toBe("text/plain");
  expect(await typeOf(text, "table.csv")).toBe("text/csv");
  const sound = Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0x44), Buffer.alloc(2_000)]);
  expect(await typeOf(sound, "a.txt", "text/markdown")).toBe("audio/mpeg");
});

test("counts the sender's type where bytes look alike, and never against them", async () => {
  expect(await typeOf("# Title", "notes", "text/markdown; charset=utf-8")).toBe(
    "text/markdown",
  );
  expect(await typeOf("a,b", "table.md", "text/csv")).toBe("text/csv");
  expect(await typeOf("a,b", "table.csv", "application/x-unknown")).toBe("text/csv");
  expect(await typeOf("%PDF-1.4\n", "a.pdf", "text/markdown")).toBe("application/pdf");
  expect(await typeOf("plain words", "a", "application/pdf")).toBe("text/plain");
  expect(await typeOf(Buffer.of(0, 1, 2, 3), "a.mp3", "audio/mpeg")).toBe(
    "application/octet-stream",
  );
  const mp4 = Buffer.concat([
    Buffer.of(0, 0, 0, 24),
    Buffer.from("ftypisom\0\0\0\0isommp42"),
  ]);
  expect(await typeOf(mp4, "a.mp4")).toBe("video/mp4");
  expect(await typeOf(mp4, "a.mp4", "audio/mp4")).toBe("audio/mp4");
  expect(await typeOf(mp4, "a.mp4", "image/png")).toBe("video/mp4");
});

test.each([
  [
    "words that begin like a bitmap",
    "BM 1200 came late, and the others went on",
    "text/plain",
  ],
  ["words that begin like a program", "MZ is the mark of a program", "text/plain"],
  ["a calendar", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "text/calendar"],
  ["a calendar in Latin-1", "BEGIN:VCALENDAR\r\nSUMMARY:Caf\xe9\r\n", "text/calendar"],
  ["HTML that its sender calls text", "<!doctype html><p>Hello</p>", "text/html"],
])("takes %s for what it is", async (_, text, mimeType) => {
  const bytes = Buffer.from(text, "latin1");
  expect(await typeOf(bytes, "a.txt", "text/plain")).toBe(mimeType);
});
