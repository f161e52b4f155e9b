import { expect, test } from "vitest";
import { toPlainText } from "./plain-text.ts";

test("marks, links, citations and code are left out", () => {
  const markdown =
    "## Title\n\n- **One** [1], see [the page](https://a.example)\n\n```ts\nx\n```\nEnd.";
  expect(toPlainText(markdown)).toBe("Title\n\nOne , see the page\n\n \nEnd.");
});

test("what is shown in another way is not read as it was written", () => {
  const markdown =
    "> [!NOTE]\n> H<sub>2</sub>O, ==marked==[^1]\n\n$$x^2$$\n\n\\[\\frac{1}{2}\\]\n\nif a == b";
  expect(toPlainText(markdown).replaceAll(/\s+/g, " ")).toBe("H2O, marked if a == b");
});

test("a table is read without the line that divides its head from its rows", () => {
  const markdown = "| City | Price |\n| :--- | ---: |\n| Bern | -5 |\n\na -- b";
  expect(toPlainText(markdown).replaceAll(/\s+/g, " ")).toBe("City Price Bern -5 a -- b");
});
