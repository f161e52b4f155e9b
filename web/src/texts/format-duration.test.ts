import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { formatDuration } from "./format-duration.ts";

beforeAll(() => vi.stubGlobal("navigator", { languages: ["en-US"] }));
afterAll(() => vi.unstubAllGlobals());

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
