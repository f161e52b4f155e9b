import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";

/** Search engines and pages of the web: what an administrator sets up, and what a reader gets. */

const HOSTILE = '<img src=x onerror="alert(1)">\u202Egnp';
let app: App;
let page: Page;
let web: Server;
let origin: string;
let refuses = true;
let noon = "noon";
beforeAll(async () => {
  web = createServer(({ url = "" }, answer) => {
    if (url.startsWith("/tides"))
      return answer
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<title>Tide tables</title><p>High water is at ${noon}, low water at six.</p>`,
        );
    if (url.startsWith("/gone")) return answer.writeHead(410).end();
    if (refuses && url.startsWith("/second")) return answer.writeHead(429).end();
    const results = [
      { url: `${origin}/tides`, title: HOSTILE, content: `Found by ${url.split("/")[1]}` },
    ];
    return answer.end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // it listens on TCP
  app = await startApp({ env: { SEARXNG_URL: `${origin}/environment` } });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  web.closeAllConnections();
  web.close();
});

const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
const names = () => page.locator("main ol > li p.font-medium").allInnerTexts();
const choose = async (whose: string, action: string) => {
  await actionsOf(page, whose).click();
  await page.getByRole("menuitem", { name: action }).click();
};
const dialog = () => page.getByRole("dialog");

async function add(name: string, baseUrl: string): Promise<void> {
  await page.getByRole("button", { name: "Add search engine" }).click();
  await dialog().getByLabel("Engine").selectOption("searxng");
  await dialog().getByLabel("Name").fill(name);
  await dialog()
    .getByLabel(/^Address/)
    .fill(baseUrl);
  await dialog().getByRole("button", { name: "Test and save" }).click();
}

test("an engine is tested by a search before it is saved, and says why it does not answer", async () => {
  await page.goto("/admin/web-search");
  await row("SearXNG").getByText("Environment").waitFor();
  await add("First", `${origin}/first`);
  await row("First").getByText("Enabled").waitFor();
  await add("Second", `${origin}/second`);
  await dialog().getByText("has no quota left").waitFor();
  refuses = false;
  await dialog().getByRole("button", { name: "Test and save" }).click();
  await row("Second").getByText("Enabled").waitFor();
  await expect.poll(names).toEqual(["SearXNG", "First", "Second"]);
  expect(app.problems).toEqual([]);
});

test("a test shows what was found, and what a page calls itself stays text", async () => {
  await choose("Second", "Test");
  await dialog().getByLabel("Search for").fill("tides");
  await page.keyboard.press("Enter");
  await dialog().getByText("It found 1 page").waitFor();
  await dialog().getByText("Found by second").waitFor();
  expect(await dialog().locator("img").count()).toBe(0);
  await page.keyboard.press("Escape");
  await choose("SearXNG", "Test");
  await dialog().getByRole("button", { name: "Test", exact: true }).click();
  await dialog().getByText("Found by environment").waitFor();
  await page.keyboard.press("Escape");
});

test("by keyboard an engine is asked earlier, is disabled, renamed and removed", async () => {
  const menu = actionsOf(page, "Second");
  const act = async (action: string) => {
    await menu.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: action }).focus();
    await page.keyboard.press("Enter");
  };
  await act("Ask earlier");
  await expect.poll(names).toEqual(["SearXNG", "Second", "First"]);
  await act("Disable");
  await row("Second").getByText("Disabled").waitFor();
  await act("Change");
  await dialog().getByLabel("Name").fill("Other");
  await page.keyboard.press("Enter");
  await row("Other").waitFor();
  await actionsOf(page, "Other").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  await dialog().getByRole("button", { name: "Remove" }).click();
  await page.getByText("Other is removed.").waitFor();
  await expect.poll(names).toEqual(["SearXNG", "First"]);
  expect(app.problems).toEqual([]);
});

test("a message with addresses is answered from their pages, and says which one could not be read", async () => {
  app.provider.answerTurns({ text: ["High water is at noon [1]."] });
  await page.goto("/");
  await page.locator("form").getByRole("button", { name: "Web", exact: true }).click();
  await page
    .getByLabel("Message", { exact: true })
    .fill(`When? ${origin}/tides ${origin}/gone`);
  await page.keyboard.press("Enter");
  await page.getByText(/answers with status 410/).waitFor();
  await page.getByText("High water is at noon").first().waitFor();
  await page.getByText("Tide tables").locator("visible=true").first().waitFor();
  noon = "two";
  await page
    .getByRole("button", { name: /Tide tables/ })
    .locator("visible=true")
    .first()
    .click();
  await page.getByText("The page still says this").waitFor();
  await page.reload();
  await page.getByText(/answers with status 410/).waitFor();
  expect(app.problems).toEqual([]);
});

test("in German and on a phone the list keeps within its width", async () => {
  const phone = await app.openSignedIn({ viewport: PHONE, locale: "de-DE" });
  await phone.goto("/admin/web-search");
  await phone.getByRole("region", { name: "Suchmaschinen" }).waitFor();
  await phone.getByText("First", { exact: true }).waitFor();
  const overflow =
    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await phone.evaluate(overflow)).toBe(0);
});
