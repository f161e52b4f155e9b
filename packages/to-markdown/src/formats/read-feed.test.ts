import { expect, test } from "vitest";
import { readFeed } from "./read-feed.ts";
import { readHtml } from "./read-html.ts";

test("links an entry to its page, whatever other links come before", async () => {
  const feed = await readFeed(
    `<feed><entry><title>One</title><link rel="self" href="https://a.b/self"/><link rel="enclosure" href="https://a.b/x.mp3"/><link rel="alternate" href="https://a.b/page"/></entry></feed>`,
  );
  expect(JSON.stringify(feed?.blocks)).toContain("https://a.b/page");
  expect(JSON.stringify(feed?.blocks)).not.toContain("https://a.b/self");
});

test("reads the foot of a table last, wherever it is written", () => {
  const text = JSON.stringify(
    readHtml(
      "<table><thead><tr><th>H</th></tr></thead><tfoot><tr><td>Sum</td></tr></tfoot><tbody><tr><td>Body</td></tr></tbody></table>",
    ).blocks,
  );
  expect(text.indexOf("Body")).toBeGreaterThan(text.indexOf('"H"'));
  expect(text.indexOf("Sum")).toBeGreaterThan(text.indexOf("Body"));
});
