import { expect, test } from "vitest";
import { collectWhenIdle, createIdleDecision } from "./collect-when-idle.ts";

const decisions = (...looks: number[]) => {
  const isDue = createIdleDecision();
  return looks.map((utilization) => isDue({ utilization, bytes: 100 * MEGABYTE }));
};
const MEGABYTE = 2 ** 20;

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

test("memory that grew without a load is collected, once for each time that it grew", () => {
  const isDue = createIdleDecision();
  const looks = [100, 130, 190, 190, 110, 110, 150, 180, 180].map((megabytes) =>
    isDue({ utilization: 0.01, bytes: megabytes * MEGABYTE }),
  );
  expect(looks.map((due, at) => (due ? at : -1)).filter((at) => at >= 0)).toEqual([2, 7]);
});

test("the collection of V8 is there", () => {
  expect(() => collectWhenIdle()[Symbol.dispose]()).not.toThrow();
});
