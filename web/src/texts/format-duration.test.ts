import { expect, test } from "vitest";
import { formatDuration } from "./format-duration.ts";

test.each([
  [0, "0 sec"],
  [420, "0.4 sec"],
  [12_900, "12 sec"],
  [185_000, "3 min 5 sec"],
  [240_000, "4 min"],
  [7_380_000, "2 hr 3 min"],
])("%i ms are %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
