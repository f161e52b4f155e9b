import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";

/** A conversation of the rail has its actions beside it. */

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

async function aConversation(title: string): Promise<string> {
  const said = await app.server.request("/api/v1/conversation", {
    body: { content: title, stream: false },
  });
  const { conversationId } = (await said.json()) as { conversationId: string };
  await app.server.request(`/api/v1/conversation/${conversationId}`, {
    method: "PATCH",
    body: { title },
  });
  return conversationId;
}

const row = (title: string) => page.getByRole("listitem").filter({ hasText: title });
const menu = (title: string) => page.getByRole("button", { name: `Actions for ${title}` });

test("a conversation is renamed by mouse and deleted by keyboard, where it is listed", async () => {
  const id = await aConversation("Barley");
  await aConversation("Oats");
  await page.goto(`/c/${id}`);
  await row("Oats").hover();
  await menu("Oats").click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Wheat");
  await page.keyboard.press("Enter");
  await row("Wheat").waitFor();

  await menu("Wheat").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await row("Wheat").waitFor({ state: "detached" });
  // the page of another conversation stays
  expect(page.url()).toContain(id);

  await row("Barley").hover();
  await menu("Barley").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expect(app.problems).toEqual([]);
});

test("on a touch screen the actions are always there", async () => {
  await aConversation("Rye");
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await phone.goto("/");
  await phone
    .getByRole("button", { name: "Open the sidebar" })
    .or(phone.getByRole("button", { name: /menu|sidebar/i }))
    .first()
    .tap();
  const actions = phone.getByRole("button", { name: "Actions for Rye" });
  await actions.waitFor();
  const shown =
    "getComputedStyle(document.querySelector('nav li button').parentElement).opacity";
  await expect.poll(() => phone.evaluate(shown)).toBe("1");
  await actions.tap();
  await phone.getByRole("menuitem", { name: "Pin" }).tap();
  await phone.getByRole("heading", { name: "Pinned" }).waitFor();
});
