import { expect, test } from "vitest";
import { filingPages } from "./filing.ts";
import { listFilings, questionsOf } from "./questions.ts";

const questions = questionsOf(filingPages);

test("each question about a filing has a page that answers it", () => {
  const files = new Set(questions.map(({ fileName }) => fileName));
  expect(questions.length).toBeGreaterThan(140);
  expect(files.size).toBe(listFilings().length);
  for (const { pages, text } of questions) {
    expect(pages.length, text).toBeGreaterThan(0);
    expect(text).not.toMatch(/[{}]/);
  }
});

test("the scored half asks in words that the work half does not have", () => {
  const stem = (text: string) => text.split(/(?:FY ?|fiscal year )?\d/)[0] ?? "";
  const halves = Map.groupBy(questions, ({ half }) => half);
  expect(halves.get("work")?.length).toBeGreaterThan(50);
  expect(halves.get("scored")?.length).toBeGreaterThan(50);
  const work = new Set(halves.get("work")?.map(({ text }) => stem(text)));
  for (const { text } of halves.get("scored") ?? [])
    if (stem(text).length > 40) expect(work).not.toContain(stem(text));
});
