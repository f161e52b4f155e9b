import fc from "fast-check";
import { expect, test } from "vitest";
import { accentsOn, contrast, parse } from "./accent.ts";

const GROUNDS = {
  light: ["#fbfaf7", "#f4f2ec", "#ffffff", "#f1eee7"],
  dark: ["#171614", "#1c1b18", "#211f1c", "#282622"],
} as const;

test("any colour becomes readable on every ground, on its own tint, and under its text", () => {
  const colour = fc.integer({ min: 0, max: 0xffffff });
  fc.assert(
    fc.property(colour, fc.constantFrom("light", "dark"), (value, theme) => {
      const hex = `#${value.toString(16).padStart(6, "0")}`;
      const { accent, ...parts } = accentsOn(theme, hex);
      const beside = [...GROUNDS[theme], parts["accent-soft"], parts["on-accent"]];
      for (const other of beside)
        expect(contrast(parse(accent), parse(other))).toBeGreaterThanOrEqual(4.5);
      const hovered = contrast(parse(parts["accent-strong"]), parse(parts["on-accent"]));
      expect(hovered).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test("a colour that is readable stays as it is", () => {
  expect(accentsOn("light", "#7a2048").accent).toBe("#7a2048");
});
