import { expect, test } from "vitest";
import { toPlainText } from "./plain-text.ts";

test("marks, links, citations and code are left out", () => {
  const markdown =
    "## Title\n\n- **One** [1], see [the page](https://a.example)\n\n```ts\nx\n```\nEnd.";
  expect(toPlainText(markdown)).toBe("Title\n\nOne , see the page\n\n \nEnd.");
});
