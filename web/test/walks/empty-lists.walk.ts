import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** An empty list offers the one thing to do in its middle, and nowhere else. */

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const LISTS = [
  ["/usage/budgets", "No budgets yet", "Create a budget"],
  ["/admin/web-search", "No search engine yet", "Add search engine"],
  ["/admin/models/providers", "No providers yet", "Connect a provider"],
  ["/admin/tools/servers", "No tool servers yet", "Add server"],
] as const;

test("an audit log without entries is another thing than one of which none fits", async () => {
  await showPage(page, "/admin/audit");
  await page.getByRole("heading", { name: "Nothing is recorded yet" }).waitFor();
  await showPage(page, "/admin/audit?action=share");
  await page.getByRole("heading", { name: "No entry fits" }).waitFor();
  expect(app.problems).toEqual([]);
});

test.each(LISTS)("%s, with nothing in it, has its button below “%s”", async (...list) => {
  const [path, words, action] = list;
  await showPage(page, path);
  const button = page.getByRole("button", { name: action, exact: true });
  const heading = page.getByRole("heading", { name: words });
  await heading.waitFor();
  await expect.poll(() => button.count()).toBe(1);
  const top = async (part: typeof button) => (await part.boundingBox())?.y ?? 0;
  expect(await top(button)).toBeGreaterThan(await top(heading));
  await look(page, `empty${path.replaceAll("/", "-")}`);
  await button.click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(app.problems).toEqual([]);
});

test("a folder without documents offers an upload, and its deletion while no folder is in it", async () => {
  const asks = asksOf(app);
  const folder = await asks.post("/api/v1/documents/folders", { name: "Plans" });
  await showPage(page, `/documents/${folder.id}`);
  const main = page.getByRole("main");
  await main.getByRole("heading", { name: "This folder is empty" }).waitFor();
  await main.getByRole("button", { name: "Delete the folder" }).waitFor();
  const chooser = page.waitForEvent("filechooser");
  await main.getByRole("button", { name: "Upload files" }).last().click();
  expect((await chooser).isMultiple()).toBe(true);
  await look(page, "empty-folder");
  const inside = { name: "Drafts", parentId: folder.id };
  await asks.post("/api/v1/documents/folders", inside);
  await showPage(page, `/documents/${folder.id}`);
  await main.getByRole("heading", { name: "No documents yet" }).waitFor();
  await main.getByText("Drafts", { exact: true }).waitFor();
  expect(await main.getByRole("button", { name: "Delete the folder" }).count()).toBe(0);
  expect(app.problems).toEqual([]);
});
