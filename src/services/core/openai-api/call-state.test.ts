import { expect, test } from "vitest";
import { decodeStates, encodeState } from "./call-state.ts";

test("a state comes back under the id of its call", () => {
  const states = decodeStates([encodeState("a", { x: [1] }), encodeState("b", { y: "ü" })]);
  expect([...states]).toEqual([
    ["a", { x: [1] }],
    ["b", { y: "ü" }],
  ]);
});

test("what another server wrote, or nobody, is left out", () => {
  const wrong = (text: string) => `parlance:${Buffer.from(text).toString("base64url")}`;
  const deep = `["a",{"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}]`;
  const texts = [
    "gAAAA",
    "parlance:",
    wrong("{"),
    wrong('["a"]'),
    wrong("[1,{}]"),
    wrong(deep),
  ];
  expect(decodeStates(texts).size).toBe(0);
});
