import { afterEach, expect, test, vi } from "vitest";
import { formatAgo, formatDate, formatNumber, formatTime } from "./format.ts";

const AFTERNOON = "2026-11-24T14:05:00";

afterEach(() => vi.unstubAllGlobals());

test.each([
  [["en-GB", "en"], "24 Nov 2026", "24 Nov 2026, 14:05"],
  [["en-US"], "Nov 24, 2026", "Nov 24, 2026, 2:05 PM"],
  [["de-DE", "en-GB"], "24 Nov 2026", "24 Nov 2026, 14:05"],
  [["de-DE"], "Nov 24, 2026", "Nov 24, 2026, 2:05 PM"],
  [["en-US@posix"], "Nov 24, 2026", "Nov 24, 2026, 2:05 PM"],
])("with %j a date in English is %s", (languages, date, time) => {
  vi.stubGlobal("navigator", { languages });
  expect(formatDate(AFTERNOON)).toBe(date);
  // versions of Unicode differ in the space before PM
  expect(formatTime(AFTERNOON).replaceAll(/\s/g, " ")).toBe(time);
});

test("numbers follow the browser's own English", () => {
  vi.stubGlobal("navigator", { languages: ["en-ZA"] });
  const southAfrican = new Intl.NumberFormat("en-ZA").format(1_234.5);
  expect(southAfrican).not.toBe("1,234.5");
  expect(formatNumber(1_234.5)).toBe(southAfrican);
});

test("how long ago something was is not wrapped within", () => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
  const now = Date.parse("2026-11-24T14:05:00Z");
  const before = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  expect(formatAgo(before(12), now)).toBe("12\u00a0minutes\u00a0ago");
  for (const minutes of [0, 90, 3_000, 30_000])
    expect(formatAgo(before(minutes), now)).not.toContain(" ");
});
