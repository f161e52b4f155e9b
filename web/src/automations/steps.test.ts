import { expect, test } from "vitest";
import { possibleDependencies, withoutStep } from "./steps.ts";

const STEPS = [{ id: "a" }, { id: "b", depends_on: ["a"] }, { id: "c", depends_on: ["b"] }];

test("an agent may wait for those that do not wait for it, directly or through others", () => {
  expect(possibleDependencies(STEPS, "a")).toEqual([]);
  expect(possibleDependencies(STEPS, "b")).toEqual(["a"]);
  expect(possibleDependencies(STEPS, "c")).toEqual(["a", "b"]);
});

test("nobody waits for an agent that was removed", () => {
  expect(withoutStep(STEPS, "a")).toEqual([
    { id: "b", depends_on: [] },
    { id: "c", depends_on: ["b"] },
  ]);
});
