import { expect, test } from "vitest";
import { toSpokenText } from "./speech.ts";

test("marks, links, citations and code are not read aloud", () => {
  const markdown =
    "## Title\n\n- **One** [1], see [the page](https://a.example)\n\n```ts\nx\n```\nEnd.";
  expect(toSpokenText(markdown)).toBe("Title\n\nOne , see the page\n\n \nEnd.");
});
