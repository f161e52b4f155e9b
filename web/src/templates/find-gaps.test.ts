import { expect, test } from "vitest";
import { findGaps, isWrongName, variablesOf } from "./find-gaps.ts";

test("gaps are found once each, in their order", () => {
  expect(findGaps("Dear {{name}}, on {{ dueDate }} {{name}} { {no}} {{no no}}")).toEqual([
    "name",
    "dueDate",
  ]);
});

test("a new gap gets a variable with a readable label, a known one stays", () => {
  const known = [{ name: "name", label: "To whom", default: "Ada", required: false }];
  expect(variablesOf("{{name}} {{dueDate}}", known)).toEqual([
    ...known,
    { name: "dueDate", label: "Due date", default: null, required: true },
  ]);
});

test("names begin with a lower-case letter", () => {
  expect(["name", "dueDate", "Name", "1st"].map(isWrongName)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
