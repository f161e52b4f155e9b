import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast, parse, readableOn } from "./accent.ts";

const PAGES = { light: "#fbfaf7", dark: "#171614" } as const;

test("any colour becomes readable on light and dark pages", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff });
  fc.assert(
    fc.property(colour, fc.constantFrom("light", "dark"), (value, theme) => {
      const hex = `#${value.toString(16).padStart(6, "0")}`;
      const shown = readableOn(theme, hex);
      expect(contrast(parse(shown), parse(PAGES[theme]))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test("a colour that is readable stays as it is", () => {
  expect(readableOn("light", "#7a2048")).toBe("#7a2048");
});
