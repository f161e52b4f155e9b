import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actionsOf } from "../support/actions-of.ts";
import { type App, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  await app.server.request("/api/v1/conversation", {
    body: { content: "Hi", stream: false },
  });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Opens a page, of whose queries only those for its frame are answered until it is let go. */
async function openHeld(path: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.unrouteAll();
  await page.route("**/api/**", async (route) => {
    if (!/\/(auth\/me|app|events)\b/.test(route.request().url())) await gate.promise;
    await route.continue();
  });
  await page.goto(path);
  await page.getByRole("button", { name: /^Account/ }).waitFor();
  return gate.resolve;
}

/** The conversation of the sidebar, which comes with what was held. */
const listed = () => page.locator("a[href^='/c/']").first();
const buttons = () => page.locator("button[aria-haspopup=menu]").locator("visible=true");
const isSettled = () => expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);

test.each(["/", "/history", "/documents"])(
  "a menu of %s that is opened before the page is loaded stays open",
  async (path) => {
    const letGo = await openHeld(path);
    const count = await buttons().count();
    letGo();
    await listed().waitFor();
    expect(count).toBeGreaterThan(0);
    for (let index = 0; index < count; index += 1) {
      const release = await openHeld(path);
      await buttons().nth(index).click();
      const opened = page.getByRole("menuitem").or(page.getByRole("menuitemradio"));
      await opened.first().waitFor();
      release();
      await listed().waitFor({ state: "attached" });
      await isSettled();
      expect(await opened.first().isVisible()).toBe(true);
    }
    expect(app.problems).toEqual([]);
  },
);

test("a dialog that is opened before its page is loaded stays open though its button moves", async () => {
  const letGo = await openHeld("/automations/runs");
  await page.getByRole("button", { name: "Send a file" }).click();
  const field = page.getByRole("dialog").getByLabel("Tags", { exact: true });
  await field.fill("invoice");
  letGo();
  await page.getByText("No runs yet").waitFor({ state: "attached" });
  await isSettled();
  expect(await field.inputValue()).toBe("invoice");
  expect(app.problems).toEqual([]);
});

test("an agent that is moved before the folders are known stays in its own", async () => {
  const asks = asksOf(app);
  const folder = await asks.post("/api/v1/agent/folders", { name: "Harbour" });
  const agent = await asks.post("/api/v1/agent", { name: "Pilot", folderId: folder.id });
  const gate = Promise.withResolvers<void>();
  await page.unrouteAll();
  await page.route("**/api/v1/agent/tree?*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/agents");
  await actionsOf(page, "Pilot").click();
  await page.getByRole("menuitem", { name: "Move", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Move to", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  gate.resolve();
  await page.getByRole("link", { name: "Mine", exact: true }).click();
  await page.getByRole("link", { name: "Harbour", exact: true }).waitFor();
  const stored = await asks.get<{ folderId: string | null }>(`/api/v1/agent/${agent.id}`);
  expect(stored.folderId).toBe(folder.id);
  expect(app.problems).toEqual([]);
});
