import { expect, test } from "vitest";
import { isWithin, lineIn, messageIn, uriIn } from "./view-params.ts";

test("what is larger than its bound is seen without reading all of it", () => {
  expect(isWithin({ a: ["b", 1, null, true] }, 100)).toBe(true);
  expect(isWithin("x".repeat(99), 100)).toBe(false);
  expect(isWithin({ a: { b: "x".repeat(99) } }, 100)).toBe(false);
  expect(isWithin(Array.from({ length: 200 }), 100)).toBe(false);
  expect(isWithin(new Uint8Array(1), 100)).toBe(false);
  // each level has the one below twice: 2^60 entries
  let shared: unknown = "x";
  for (let depth = 0; depth < 60; depth += 1) shared = [shared, shared];
  expect(isWithin(shared, 256_000)).toBe(false);
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  expect(isWithin(circle, 256_000)).toBe(false);
});

test("wrong requests are refused, and a line of the log is cut", () => {
  expect(() => uriIn({ uri: 7 })).toThrow("resource");
  expect(() =>
    messageIn({ role: "assistant", content: { type: "text", text: "x" } }),
  ).toThrow("text");
  expect(lineIn({ level: "info", data: "x".repeat(1_000) })).toHaveLength(500);
});
