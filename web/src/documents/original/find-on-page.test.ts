import { expect, test } from "vitest";
import { findOnPage } from "./find-on-page.ts";

/** Lines of words, each as wide as its letters. */
function pageOf(...lines: string[]) {
  return lines.flatMap((line, row) => {
    let left = 0;
    return line.split(" ").map((text) => {
      const word = { text, left, top: row / 10, width: text.length / 100, height: 0.05 };
      left += (text.length + 1) / 100;
      return word;
    });
  });
}

const PAGE = pageOf(
  "Leave and travel",
  "Full-time staff have 31 days of holi-",
  "days a year. What is left over lapses",
  "in March of the following year.",
);
const PASSAGE =
  "Full-time staff have **31 days** of holidays a year. What is left over lapses in March " +
  "of the following year.";

test("marks the sentence that the answer is nearest to, line by line, across a parted word", () => {
  const areas = findOnPage(PAGE, {
    passage: PASSAGE,
    said: "Staff have 31 days of holidays a year.",
  });
  expect(areas.map(({ top }) => top)).toEqual([0.1, 0.2]);
  expect(areas[0]?.left).toBe(0);
  expect(areas[0]?.width).toBeCloseTo(0.37);
  // it ends with “year.”
  expect(areas[1]?.width).toBeCloseTo(0.12);
});

test("marks the passage where the answer says nothing alike", () => {
  const areas = findOnPage(PAGE, { passage: PASSAGE, said: "Nobody knows." });
  expect(areas).toHaveLength(3);
});

test("marks what the page has of a passage that begins on the page before", () => {
  const passage = `The page before ends with these words. ${PASSAGE}`;
  expect(findOnPage(PAGE, { passage, said: undefined })).toHaveLength(3);
});

test("marks no other sentence that begins alike where the cited one is on the next page", () => {
  const page = pageOf(
    "The employer provides a laptop to everybody who travels.",
    "Trips are booked by the office at least a week before.",
  );
  const passage =
    "Trips are booked by the office at least a week before. " +
    "The employer pays the costs of hotels up to 120 euros a night.";
  const said = "The employer pays the costs of hotels up to 120 euros a night.";
  expect(findOnPage(page, { passage, said })).toEqual([]);
});

test("finds words of scripts without spaces, and ligatures", () => {
  const areas = findOnPage(pageOf("有給休暇は年間三十一日です"), {
    passage: "有給休暇は年間三十一日です。",
    said: undefined,
  });
  expect(areas).toHaveLength(1);
  const ligature = findOnPage(pageOf("The o\ufb03ce opens at nine"), {
    passage: "The office opens at nine.",
    said: undefined,
  });
  expect(ligature).toHaveLength(1);
});

test("marks nothing where the words are not on the page", () => {
  const passage = "These words stand on another page of the file.";
  expect(findOnPage(PAGE, { passage, said: undefined })).toEqual([]);
  expect(findOnPage([], { passage, said: undefined })).toEqual([]);
  expect(findOnPage(PAGE, { passage: "", said: undefined })).toEqual([]);
});
