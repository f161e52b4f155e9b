import { expect, test } from "vitest";
import { readFeed, readJsonFeed } from "./read-feed.ts";
import { readHtml } from "./read-html.ts";

test("links an entry to its page, whatever other links come before", async () => {
  const feed = await readFeed(
    `<feed><entry><title>One</title><link rel="self" href="https://a.b/self"/><link rel="enclosure" href="https://a.b/x.mp3"/><link rel="alternate" href="https://a.b/page"/></entry></feed>`,
  );
  expect(JSON.stringify(feed?.blocks)).toContain("https://a.b/page");
  expect(JSON.stringify(feed?.blocks)).not.toContain("https://a.b/self");
});

test.each([
  ["<tbody><tr><td>One</td></tr></tbody>"],
  ["<tbody><tr><td>One</td></tr></tbody><tbody><tr><td>Two</td></tr></tbody>"],
])("reads the foot of a table last, wherever it is written: %s", (bodies) => {
  const text = JSON.stringify(
    readHtml(
      `<table><thead><tr><th>H</th></tr></thead><tfoot><tr><td>Sum</td></tr></tfoot>${bodies}</table>`,
    ).blocks,
  );
  const order = ['"H"', "One", ...(bodies.includes("Two") ? ["Two"] : []), "Sum"];
  const places = order.map((word) => text.indexOf(word));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test.each([
  ["<guid>https://a.b/1</guid>", "https://a.b/1"],
  ['<guid isPermaLink="true">https://a.b/1</guid>', "https://a.b/1"],
  ['<guid isPermaLink="false">https://a.b/1</guid>', undefined],
  ["<guid>tag:a.b,2026:1</guid>", undefined],
  ["<link>/1</link><guid>x</guid>", "https://a.b/1"],
])("an entry of RSS with %s has the address %s", async (id, address) => {
  const feed = await readFeed(
    `<rss><channel><title>T</title><link>https://a.b/</link><item><title>One</title>${id}</item></channel></rss>`,
  );
  const entry = feed?.blocks.find((block) => block.kind === "heading" && block.level === 2);
  expect(entry).toMatchObject({ runs: [{ text: "One", href: address }] });
});

test("links of an Atom feed refer to the address that it names", async () => {
  const feed = await readFeed(
    `<feed xml:base="https://a.b/blog/"><title>T</title><entry xml:base="2026/"><title>One</title><link href="one.html"/><content type="html">&lt;a href="two.html"&gt;next&lt;/a&gt;</content></entry></feed>`,
  );
  const text = JSON.stringify(feed?.blocks);
  expect(text).toContain("https://a.b/blog/2026/one.html");
  expect(text).toContain("https://a.b/blog/2026/two.html");
});

test("reads a feed that is written as JSON", () => {
  const feed = readJsonFeed(
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "News",
      items: [
        {
          id: "1",
          url: "https://a.b/1",
          title: "One",
          date_published: "2026-03-01",
          authors: [{ name: "Ada" }],
          content_html: "<p>It is <b>open</b>.</p>",
        },
        { id: "2", content_text: "No title" },
      ],
    }),
  );
  const text = JSON.stringify(feed?.blocks);
  for (const words of ["News", "https://a.b/1", "2026-03-01, Ada", "open", "No title"])
    expect(text).toContain(words);
  expect(
    readJsonFeed('{"version":"https://jsonfeed.org/version/1","items":1}'),
  ).toBeUndefined();
  expect(readJsonFeed('{"items":[]}')).toBeUndefined();
});

test.each([
  ["<noscript><p>Read this</p></noscript>", "Read this"],
  ['<svg><text x="1">2019</text><text>48 %</text></svg>', "2019 48 %"],
  ['<iframe srcdoc="&lt;p&gt;Inside&lt;/p&gt;"></iframe>', "Inside"],
])("the page %s shows %s", (html, words) => {
  const text = readHtml(html)
    .blocks.flatMap((block) => ("runs" in block ? block.runs.map((run) => run.text) : []))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  expect(text).toBe(words);
});

test("what is meant for browsers without scripts is left out beside content, and pages in pages of pages, too", () => {
  const page = JSON.stringify(
    readHtml("<p>Content</p><noscript>Enable it</noscript>").blocks,
  );
  expect(page).not.toContain("Enable it");
  const inner = "&lt;p&gt;A&lt;/p&gt;&lt;iframe srcdoc=&quot;deep&quot;&gt;&lt;/iframe&gt;";
  expect(
    JSON.stringify(readHtml(`<iframe srcdoc="${inner}"></iframe>`).blocks),
  ).not.toContain("deep");
});
