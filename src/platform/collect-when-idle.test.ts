import { expect, test } from "vitest";
import { collectWhenIdle, createIdleDecision } from "./collect-when-idle.ts";

const decisions = (...looks: number[]) => {
  const isDue = createIdleDecision();
  return looks.map((utilization) => isDue(utilization));
};

test("memory is collected once, when nothing has happened for a while after a load", () => {
  expect(decisions(0.9, 0.5, 0.01, 0.01, 0.01, 0.01)).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
  ]);
});

test("a process that had no load, or is not idle yet, is left alone", () => {
  expect(decisions(0.01, 0.01, 0.01, 0.1, 0.01, 0.01)).not.toContain(true);
  expect(decisions(0.9, 0.01, 0.1, 0.01, 0.3, 0.01)).not.toContain(true);
});

test("the next load is collected after again", () => {
  expect(decisions(0.9, 0, 0, 0, 0.9, 0, 0).filter(Boolean)).toHaveLength(2);
});

test("the collection of V8 is there", () => {
  expect(() => collectWhenIdle()[Symbol.dispose]()).not.toThrow();
});
