import { expect, test } from "vitest";
import { readByteRange } from "./byte-range.ts";

test.each([
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=2-5", { start: 2, end: 5 }],
  ["bytes=2-", { start: 2, end: 9 }],
  ["bytes=2-900", { start: 2, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-900", { start: 0, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
])("%s of ten bytes is a range", (header, expected) => {
  expect(readByteRange(header, 10)).toEqual(expected);
});

test.each([null, "", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "lines=0-1", "bytes=a-b"])(
  "%s asks for the whole file",
  (header) => {
    expect(readByteRange(header, 10)).toBeUndefined();
  },
);

test("no range of an empty file can be sent", () => {
  expect(readByteRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(readByteRange("bytes=-1", 0)).toBe("unsatisfiable");
});
