import fc from "fast-check";
import { expect, test } from "vitest";
import { checkJson, isDeeper, JsonMeter, parseJson } from "./json-limits.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;
const valuesOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1)
    : 1;
const codeOf = (work: () => void) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

const words = fc.string({
  unit: fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", "é", "𝄞"),
});
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    words,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(words, tie("tree"), { maxKeys: 3 }),
  ),
}));

test("measures the depth of a text's value, whatever its strings contain", () => {
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value) + " ".repeat(20);
      const maxDepth = depthOf(value);
      expect(codeOf(() => checkJson(text, { maxDepth }))).toBeUndefined();
      expect(isDeeper(value, maxDepth)).toBe(false);
      if (maxDepth === 0) return;
      expect(codeOf(() => checkJson(text, { maxDepth: maxDepth - 1 }))).toBe(
        "json_too_deep",
      );
      expect(isDeeper(value, maxDepth - 1)).toBe(true);
    }),
  );
});

test("counts values before parsing, in text and in bytes, with any chunk boundaries", () => {
  fc.assert(
    fc.property(tree, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const bytes = Buffer.from(text);
      const cut = at % (bytes.length + 1);
      const inBytes = (maxValues: number) => () => {
        const meter = new JsonMeter({ maxValues });
        meter.push(bytes.subarray(0, cut));
        meter.push(bytes.subarray(cut));
      };
      const inText = (maxValues: number) => () =>
        new JsonMeter({ maxValues }).pushText(text);
      const values = valuesOf(value);
      // an empty array or object counts as one with one value
      for (const check of [inBytes, inText]) {
        expect(codeOf(check(2 * values))).toBeUndefined();
        if (values > 1) expect(codeOf(check(values - 1))).toBe("json_too_many_values");
      }
    }),
  );
});

test("measures a million brackets, commas or quotes without recursion or parsing", () => {
  expect(codeOf(() => parseJson("[".repeat(1_000_000)))).toBe("json_too_deep");
  expect(codeOf(() => parseJson(`[${"0,".repeat(1_000_000)}0]`))).toBe(
    "json_too_many_values",
  );
  expect(codeOf(() => parseJson(`[${"{},".repeat(1_000_000)}0]`))).toBe(
    "json_too_many_values",
  );
  expect(codeOf(() => checkJson(`"${"[".repeat(1_000)}\\`))).toBeUndefined();
  expect(parseJson(JSON.stringify({ a: ",[{".repeat(100_000) }))).toEqual({
    a: ",[{".repeat(100_000),
  });
});
