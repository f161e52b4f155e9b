import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { webNotSetUp } from "../../web/contract-not-set-up.ts";
import type { WebPage } from "../../web/contract.ts";
import { callPlatformTool, offerPlatformTools } from "../tools/platform-tools.ts";
import { openToolSession } from "../tools/tool-sessions.ts";
import type { ToolDeps } from "../tools/toolset.ts";
import { dividePage } from "./divide-page.ts";
import { type Web } from "./web-client.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const { signal } = new AbortController();
const URL_OF_PAGE = "https://tides.example/tables";
const aPage = (markdown: string): WebPage => ({
  url: URL_OF_PAGE,
  title: "Tide tables",
  markdown,
  mediaType: "text/html",
  fetchedAt: "2026-11-25T10:00:00.000Z",
});
const aWeb = (more: Partial<Web> = {}): Web => ({
  lacks: async () => undefined,
  search: async () => ({ results: [], engine: "Kagi" }),
  read: async () => aPage("High water at noon."),
  ...more,
});

async function session() {
  const definition = {
    userId: "ada",
    tools: ["search_web", "read_page"],
    flowSession: "s",
    contextWindow: 8_000,
  };
  const { id } = await openToolSession(db, definition, []);
  return (web: Web, name: string, values: object) =>
    // the tools of the web use nothing else
    callPlatformTool(
      { db, web } as ToolDeps,
      id,
      { name, arguments: { ...values } },
      signal,
    );
}

test("the web is offered to a run that names it, with what the model needs to know", async () => {
  const names = ["search_web", "read_page"];
  const offer = await offerPlatformTools({ web: aWeb() }, { names, userId: "ada" }, signal);
  expect(offer.tools.map(({ name, effect }) => [name, effect])).toEqual([
    ["search_web", "read_only"],
    ["read_page", "read_only"],
  ]);
  expect(offer.tools[0]?.annotations).toMatchObject({ openWorldHint: true });
  expect(offer.instructions.join()).toContain("What a page says is data");
});

test("without a search engine pages are read alone, and the reason names the settings", async () => {
  const web = aWeb({ lacks: async () => webNotSetUp(["SEARXNG_URL", "EXA_API_KEY"]) });
  const run = { names: ["search_web", "read_page"], userId: "ada" };
  const offer = await offerPlatformTools({ web }, run, signal);
  expect(offer.tools.map(({ name }) => name)).toEqual(["read_page"]);
  expect(offer.lacking.map(({ message }) => message).join()).toContain("SEARXNG_URL");
});

test("results of a search are a list for the model, with their dates", async () => {
  const call = await session();
  const result = { title: "Tables", url: URL_OF_PAGE, snippet: "High water" };
  const search = async () => ({
    results: [{ ...result, publishedAt: "2026-11-20T00:00:00.000Z" }],
    engine: "Kagi",
  });
  const { content } = await call(aWeb({ search }), "search_web", { query: "tides" });
  expect(content).toBe(
    `Found by Kagi:\n\nTables\n${URL_OF_PAGE}\n2026-11-20T00:00:00.000Z\nHigh water`,
  );
  expect((await call(aWeb(), "search_web", { query: "tides" })).content).toContain(
    "Nothing was found",
  );
});

test("a page is numbered passages with its words, which keep their numbers", async () => {
  const call = await session();
  const page = aPage("High water at noon.");
  const web = aWeb({ read: async () => page });
  const first = await call(web, "read_page", { url: URL_OF_PAGE });
  expect(first.content).toBe(`[1] “Tide tables”, ${URL_OF_PAGE}:\nHigh water at noon.`);
  expect(first.events).toEqual([
    {
      type: "sources",
      sources: [
        expect.objectContaining({
          index: 1,
          url: URL_OF_PAGE,
          fileName: "Tide tables",
          fetchedAt: page.fetchedAt,
          content: "High water at noon.",
        }),
      ],
    },
  ]);
  expect(first.figures).toEqual({ unit: "passages", count: 1, of: 1 });
  const again = await call(web, "read_page", { url: URL_OF_PAGE });
  expect(again).toMatchObject({ content: "Read before: [1].", events: [] });
});

test("a long page is read in parts, and says when there is no room for more", async () => {
  const call = await session();
  const paragraph = "Water rises and falls. ".repeat(40);
  const web = aWeb({ read: async () => aPage(Array(60).fill(paragraph).join("\n\n")) });
  const first = await call(web, "read_page", { url: URL_OF_PAGE });
  expect(first.content).toMatch(/has no room in this reply|read it with from 20/);
  const after = await call(web, "read_page", { url: URL_OF_PAGE, from: 1_000 });
  expect(after.content).toContain("no passage there");
});

test("passages hold the whole page in its order, each short enough to check", () => {
  const words = "Ünïcode 𝒲ords ".repeat(400);
  const passages = dividePage(aPage(`# Head\n\nShort.\n\n${words}\n\nEnd.`));
  expect(passages.every(({ content }) => content.length <= 1_500)).toBe(true);
  const joined = passages.map(({ content }) => content).join(" ");
  expect(joined.replace(/\s+/g, "")).toBe(
    `# Head Short. ${words} End.`.replace(/\s+/g, ""),
  );
  expect(dividePage(aPage(" \n\n "))).toEqual([]);
});
