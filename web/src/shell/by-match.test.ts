import { expect, test } from "vitest";
import { byMatch } from "./by-match.ts";

const things = (...labels: string[]) => labels.map((label) => ({ label }));
const order = (words: string, ...labels: string[]) =>
  byMatch(words, things(...labels)).map(({ label }) => label);

test("a name that begins with the words comes first, whatever kind it is of", () => {
  expect(
    order("hea", "Found by what it says", "The sheave", "System health", "Heat pumps"),
  ).toEqual(["Heat pumps", "System health", "The sheave", "Found by what it says"]);
  expect(order("system he", "Old system health", "System health")).toEqual([
    "System health",
    "Old system health",
  ]);
});

test("what matches equally well stays in its order", () => {
  expect(order("he", "Heat", "Health")).toEqual(["Heat", "Health"]);
  expect(order("", "System", "Agents")).toEqual(["System", "Agents"]);
});
