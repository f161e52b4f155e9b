import { expect, test } from "vitest";
import { type RowPlaces, rowsToMount } from "./rows-to-mount.ts";

const COUNT = 100;

/** The first row that is mounted of a hundred of one height, where row 50 is the first in sight. */
function firstMounted(
  heightPx: number,
  others: Partial<RowPlaces> = {},
): number | undefined {
  const range = { startIndex: 50, endIndex: 51, overscan: 4, count: COUNT };
  return rowsToMount(range, {
    viewTop: 50 * heightPx,
    endOf: (index) => (index + 1) * heightPx,
    isMeasured: () => true,
    isHeld: false,
    ...others,
  })[0];
}

test("above the view short rows are mounted by their number, of long ones the next", () => {
  expect(firstMounted(100)).toBe(46);
  expect(firstMounted(1_000)).toBe(48);
  expect(firstMounted(5_000)).toBe(49);
});

test("a row in sight that begins far above keeps others away", () => {
  expect(firstMounted(1_000, { viewTop: 50_700 })).toBe(49);
});

test("below the view rows are mounted by their number, and at the ends there are no more", () => {
  const places = { viewTop: 0, endOf: () => 0, isMeasured: () => true, isHeld: false };
  const mounted = (startIndex: number, endIndex: number) =>
    rowsToMount({ startIndex, endIndex, overscan: 4, count: COUNT }, places);
  expect(mounted(0, 1)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(mounted(98, 99)).toEqual([94, 95, 96, 97, 98, 99]);
});

test("rows whose height is not known are measured two by two", () => {
  expect(firstMounted(100, { isMeasured: (index) => index >= 50 })).toBe(48);
});

test("rows stay by their number while something in them is selected or focused", () => {
  expect(firstMounted(5_000, { isHeld: true })).toBe(46);
});
