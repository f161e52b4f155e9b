import fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeper, isDeeperText } from "./json-depth.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

test("the depth of a text is that of its value, whatever brackets, quotes and backslashes its strings hold", () => {
  const words = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", "a") });
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      words,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(words, tie("tree"), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      // a text that is shorter than the levels can be is not looked at
      const text = JSON.stringify(value) + " ".repeat(20);
      const depth = depthOf(value);
      expect([isDeeperText(text, depth), isDeeper(value, depth)]).toEqual([false, false]);
      if (depth > 0)
        expect([isDeeperText(text, depth - 1), isDeeper(value, depth - 1)]).toEqual([true, true]);
    }),
  );
});

test("a million brackets, and a string without an end, are judged without the stack", () => {
  expect(isDeeperText("[".repeat(1_000_000))).toBe(true);
  expect(isDeeperText(`"${"[".repeat(1_000)}\\`)).toBe(false);
  expect(isDeeperText("[]".repeat(1_000))).toBe(false);
});
