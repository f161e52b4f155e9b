import { expect, test } from "vitest";
import { findCode } from "./colour-ahead.ts";

test("finds fenced code with its language, and no other", () => {
  const text = [
    "Text",
    "```TS title=x",
    "a();",
    "",
    "b();",
    "```",
    "    ```js",
    "```",
    "no language",
    "```py",
    "never closed",
  ].join("\n");
  expect(findCode(text)).toEqual([{ code: "a();\n\nb();", language: "ts" }]);
});

test("takes no longer for fences that never end", () => {
  expect(findCode("```js\n".repeat(50_000))).toEqual([]);
});
