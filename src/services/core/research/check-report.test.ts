import { expect, test } from "vitest";
import type { Source } from "../sources/contract.ts";
import checkReport from "./check-report.ts";

const passage = (index: number, content: string): Source => ({
  index,
  content,
  documentId: `https://${index}.example`,
  fileName: "Tides 1999",
  pageNumber: null,
  chunkIndex: 0,
  score: 1,
});
const SOURCES = [
  passage(1, "High water is at 12:40. The range was 1,250 cm, 12.5 % more."),
  passage(2, "The harbour master said: “We never saw water\nlike this before.”"),
];
const marks = { unread: "unread", figure: "figure", quote: "quote" };
const check = (text: string) => checkReport({ report: text, sources: SOURCES, marks });

test("a statement whose passage has its figures and quotations stays as it is", () => {
  for (const text of [
    "High water is at 12:40 [1].",
    "It rose by 12,5 %. [1]",
    "1. The range was 1.250 cm in 1999 [1].",
    'It reads "we never saw water like this before" [2].',
    "Er sprach von „never saw **water** like this“ [1, 2]. There are 3 of them [2].",
    "Years [1990-2020] and a [7](https://a.example) are no citations, and `[9]` is code.",
  ])
    expect(check(text)).toEqual({ text, marked: 0 });
});

test("a figure or a quotation that the cited passage does not have is marked", () => {
  expect(check("It was 12:40. The range was 1,350 cm [1].")).toEqual({
    text: "It was 12:40. The range was 1,350 cm [1] *(figure)*.",
    marked: 1,
  });
  expect(check("A rise of 12.5 % [2].").marked).toBe(1);
  expect(check("It reads “we saw it all coming” [2].").text).toContain("[2] *(quote)*");
});

test("each statement is judged alone, in its own line and sentence", () => {
  const { text } = check("In 2077 nothing [9]. High water is at 12:40 [1]\n\n- 2088 [1]");
  expect(text).toBe(
    "In 2077 nothing *(unread)*. High water is at 12:40 [1]\n\n- 2088 [1] *(figure)*",
  );
});

test("numbers of passages that were not read are removed, others stay", () => {
  expect(check("So it is [1, 9]. Not so [8].").text).toBe(
    "So it is [1]. Not so *(unread)*.",
  );
  expect(check("So it is [1]–[9]. Not so [8] – [9].").text).toBe(
    "So it is [1, 2]. Not so *(unread)*.",
  );
});

test("a long report is read in time that grows with it", () => {
  const long = "1 2 3 4 , . ' [1] “ „ « ".repeat(8_000);
  expect(check(long).text.length).toBeGreaterThan(long.length - 1);
});
