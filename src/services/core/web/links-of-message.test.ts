import { expect, test } from "vitest";
import { linksOf } from "./links-of-message.ts";

test.each([
  ["Read https://a.example/x.", ["https://a.example/x"]],
  ["(see http://a.example/y?z=1&w=2, please)", ["http://a.example/y?z=1&w=2"]],
  [
    "[name](https://a.example/(x)) and <https://b.example>",
    ["https://a.example/(x)", "https://b.example"],
  ],
  [
    "https://de.wikipedia.org/wiki/Ebbe_(Gezeiten)!",
    ["https://de.wikipedia.org/wiki/Ebbe_(Gezeiten)"],
  ],
  [
    "„https://a.example/ä“ und 'https://b.example/'",
    ["https://a.example/ä", "https://b.example/"],
  ],
  ["https://a.example/x#one https://a.example/x#two", ["https://a.example/x#one"]],
  ["HTTPS://A.example", ["HTTPS://A.example"]],
  ["ftp://a.example mailto:b@a.example a.example https:// http://?", []],
  [`https://a.example/${"x".repeat(8_000)}`, []],
])("%s", (text, links) => {
  expect(linksOf(text)).toEqual(links);
});

test("a text of nothing but brackets or beginnings is read once, not again and again", () => {
  expect(linksOf("https://a.example/" + ")".repeat(200_000))).toEqual([
    "https://a.example/",
  ]);
  expect(linksOf("http://".repeat(100_000))).toEqual([]);
});
