import { expect, test } from "vitest";
import {
  cacheParts,
  formatMeasure,
  measureOf,
  rareMeasures,
  readReport,
  type Sum,
} from "./report.ts";

const sum = (more: Partial<Sum> = {}): Sum => ({
  group: "gpt-test",
  name: null,
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  images: 0,
  seconds: 0,
  characters: 0,
  requests: 3,
  cost: null,
  currency: null,
  ...more,
});

test("each measure is read from its sum, recordings in minutes", () => {
  const used = sum({ images: 4, seconds: 90, cost: 2 });
  expect(
    (["tokens", "cost", "requests", "images", "minutes"] as const).map((measure) =>
      measureOf(used, measure),
    ),
  ).toEqual([15, 2, 3, 4, 1.5]);
  expect(formatMeasure(1.46, "minutes")).toBe("1.5");
});

test("a table has columns for images and minutes where there are some", () => {
  expect(rareMeasures([sum()])).toEqual([]);
  expect(rareMeasures([sum(), sum({ images: 1 })])).toEqual(["images"]);
  expect(rareMeasures([sum({ seconds: 9 }), sum({ images: 1 })])).toEqual([
    "images",
    "minutes",
  ]);
});

test("a table says what caches gave and took where they did", () => {
  expect(cacheParts([sum()])).toEqual([]);
  expect(cacheParts([sum(), sum({ cacheWriteInputTokens: 1 })])).toEqual([
    "cacheWriteInputTokens",
  ]);
});

test("an address names any of the measures, and no other", () => {
  expect(readReport({ measure: "minutes" })).toEqual({ measure: "minutes" });
  expect(readReport({ measure: "hours" })).toEqual({});
});
