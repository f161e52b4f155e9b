import { expect, test } from "vitest";
import { toPath } from "./to-path.ts";

const ORIGIN = "https://parlance.example";

test.each([
  "http://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%0d%0a/../..//evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  " //evil.example",
  "",
  ["//evil.example"],
  undefined,
])("leads nowhere: %j", (value) => {
  expect(toPath(value, ORIGIN)).toBeUndefined();
});

test.each(["/", "/documents?q=a#b", "/c/1/canvas/2", "/search?next=//evil.example"])(
  "leads to a page: %s",
  (value) => {
    expect(toPath(value, ORIGIN)).toBe(value);
  },
);
