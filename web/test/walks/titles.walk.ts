import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";
import { openArea } from "../support/open-area.ts";
import { hasFocus } from "../support/tab-to.ts";

/** Areas that the menu of the account leads to. */
const ACCOUNT: readonly string[] = ["Usage", "Administration"];

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test("the tab of the browser names the page, the part of it or the conversation", async () => {
  answerWith(app.provider, ["Yes"]);
  const page = await app.openSignedIn();
  const isTitled = (title: string) => expect.poll(() => page.title()).toBe(title);
  await page.goto("/");
  await isTitled("Parlance");
  for (const [link, title] of [
    ["Documents", "Documents – Parlance"],
    ["Administration", "Overview – Parlance"],
    ["Groups", "Groups – Parlance"],
    ["Usage", "Report – Usage – Parlance"],
    ["Budgets", "Budgets – Usage – Parlance"],
    ["New conversation", "Parlance"],
  ] as const) {
    if (ACCOUNT.includes(link)) await openArea(page, link);
    else await page.getByRole("link", { name: link, exact: true }).first().click();
    await isTitled(title);
  }
  await page.getByRole("textbox", { name: "Message" }).fill("Is this named?");
  await page.keyboard.press("Enter");
  await isTitled("A title – Parlance");
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("a dialog that is closed gives the focus back to what opened it", async () => {
  const page = await app.openSignedIn();
  await page.goto("/admin/users");
  const opener = page.getByRole("button", { name: "Create user" }).first();
  await opener.focus();
  for (const close of ["Escape", "Enter"]) {
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Create user" });
    await dialog.waitFor();
    if (close === "Enter") await dialog.getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press(close);
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => hasFocus(opener)).toBe(true);
  }
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("an address where nothing is keeps the sidebar", async () => {
  const page = await app.openSignedIn();
  await page.goto("/no-such-page");
  await page.getByRole("heading", { name: "There is nothing at this address" }).waitFor();
  await page
    .getByRole("navigation", { name: "Menu" })
    .getByRole("link", { name: "Agents" })
    .waitFor();
  await page.context().close();
});
