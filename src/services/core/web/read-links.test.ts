import { expect, test } from "vitest";
import { unreadable } from "../../web/contract-unreadable.ts";
import { readLinks } from "./read-links.ts";
import type { Web } from "./web-client.ts";

const { signal } = new AbortController();
const PAGES = ["https://a.example/", "https://b.example/"];
const asked = { userId: "ada", links: PAGES, contextWindow: 8_000 };

/** The first page answers, the second as given. */
function webWhere(second: Web["read"]): Web {
  return {
    lacks: async () => undefined,
    search: async () => ({ results: [], engine: "Kagi" }),
    async read(page, until) {
      if (page.url !== PAGES[0]) return second(page, until);
      const fetchedAt = "2026-11-25T10:00:00.000Z";
      return {
        url: page.url,
        title: "A",
        markdown: "One.",
        mediaType: "text/html",
        fetchedAt,
      };
    },
  };
}

test("a page that answers too late is left out, and the others are read", async () => {
  const web = webWhere(
    (_, until) =>
      new Promise((_resolve, reject) =>
        until.addEventListener("abort", () => reject(until.reason)),
      ),
  );
  const { sources, failures, text } = await readLinks(web, asked, signal, 50);
  expect(sources.map(({ url }) => url)).toEqual([PAGES[0]]);
  expect(failures.map(({ code }) => code)).toEqual(["web_page_slow"]);
  expect(text).toContain("Not read, say so: The page at b.example takes too long");
});

test("a reply that is stopped ends, and a bug is not taken for an unreadable page", async () => {
  const bug = webWhere(async () => {
    throw new TypeError("a bug");
  });
  await expect(readLinks(bug, asked, signal)).rejects.toThrow("a bug");
  const stop = new AbortController();
  const stopped = webWhere(async () => {
    stop.abort(new Error("stopped"));
    throw unreadable.unreachable("b.example");
  });
  await expect(readLinks(stopped, asked, stop.signal)).rejects.toThrow("stopped");
});

test("without a web service every address says so", async () => {
  const { sources, failures } = await readLinks(undefined, asked, signal);
  expect(sources).toEqual([]);
  expect(failures.map(({ code }) => code)).toEqual(["web_unavailable", "web_unavailable"]);
});
