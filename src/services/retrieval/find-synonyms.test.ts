import { expect, test } from "vitest";
import { FINANCIAL_TERMS } from "./financial-terms.ts";
import { findSynonyms } from "./find-synonyms.ts";

function firstNames(question: string): (string | undefined)[] {
  return findSynonyms(question).map(({ names }) => names[0]);
}

test("a figure is found by any of its names, with the statement in which it stands", () => {
  const capital = ["capital expenditure", "cash flow statement"];
  expect(firstNames("What was the capex of Halvorsen?")).toEqual(capital);
  expect(firstNames("Purchases of property, plant and equipment?")).toEqual(capital);
  expect(firstNames("Wie hoch waren die Investitionen in Sachanlagen?")).toEqual(capital);
});

test("names with a sign are whole", () => {
  expect(firstNames("How much SG&A was there?")[0]).toBe(
    "selling, general and administrative expenses",
  );
  expect(firstNames("PP&E in 2020")[0]).toBe("property, plant and equipment");
});

test("a ratio finds its figures, and those their statements, each step with a smaller share", () => {
  const found = findSynonyms("What is the return on assets?");
  expect(found.map(({ names, share }) => [names[0], share])).toEqual([
    ["return on assets", 1],
    ["net income", 0.5],
    ["total assets", 0.5],
    ["income statement", 0.25],
    ["balance sheet", 0.25],
  ]);
});

test("the longest name counts", () => {
  expect(firstNames("the fixed asset turnover")[0]).toBe("fixed asset turnover");
  expect(firstNames("the asset turnover")[0]).toBe("asset turnover");
});

test("what everybody says means a figure only beside another", () => {
  expect(findSynonyms("How many employees sell in all regions?")).toEqual([]);
  expect(findSynonyms("Where do I find the inventory of tools?")).toEqual([]);
  expect(firstNames("gross margin on sales")).toContain("revenue");
});

test("a question about something else has no other names", () => {
  expect(findSynonyms("How do I set the margin of a page?")).toEqual([]);
  expect(findSynonyms("")).toEqual([]);
});

test("each term is made of known terms, and no name means two of them", () => {
  const first = FINANCIAL_TERMS.map(({ names }) => names[0]);
  for (const { of = [] } of FINANCIAL_TERMS)
    for (const name of of) expect(first).toContain(name);
  const names = FINANCIAL_TERMS.flatMap((term) => term.names);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});
