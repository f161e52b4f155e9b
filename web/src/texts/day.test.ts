import { expect, test } from "vitest";
import { dayPattern, readDay, writeDay } from "./day.ts";

const LETTERS = { day: "dd", month: "mm", year: "yyyy" };

test("a day is written in the order of the reader's language", () => {
  expect(writeDay("2026-03-09", "en-GB")).toBe("09/03/2026");
  expect(writeDay("2026-03-09", "en-US")).toBe("03/09/2026");
  expect(writeDay("2026-03-09", "de-DE")).toBe("09.03.2026");
  expect(writeDay("", "de-DE")).toBe("");
  expect(dayPattern(LETTERS, "en-GB")).toBe("dd/mm/yyyy");
  expect(dayPattern(LETTERS, "de-DE")).toBe("dd.mm.yyyy");
});

test("a day that a person writes is read in that order, or as reports name it", () => {
  expect(readDay("9/3/2026", "en-GB")).toBe("2026-03-09");
  expect(readDay("3/9/2026", "en-US")).toBe("2026-03-09");
  expect(readDay("9.3.2026", "de-DE")).toBe("2026-03-09");
  expect(readDay("2026-03-09", "de-DE")).toBe("2026-03-09");
});

test("what is no day, or not yet a whole one, is not read", () => {
  const none = ["", "9.3", "9.3.26", "31.6.2026", "9.13.2026", "9.3.2026.1", "tomorrow"];
  expect(none.map((text) => readDay(text, "de-DE"))).toEqual(none.map(() => undefined));
});
