import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ADMIN } from "../../../test/support/server.ts";
import { type App, startApp } from "../support/app.ts";
import { chooseItem, enterOn, tabTo, typeInto } from "../support/tab-to.ts";

/** What people do first, by keys alone: everything is reached by Tab. */
const QUESTION = "How many days of holidays a year?";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  const beth = {
    email: "beth@test.example",
    name: "Beth Baker",
    password: "a long enough password",
  };
  await app.server.request("/api/v1/users", { body: beth });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  app.problems.length = 0;
});

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const choose = (item: string) => chooseItem(page, item);

test("a newcomer signs in and asks the sample file", async () => {
  const fresh = await app.open();
  await fresh.goto("/");
  await typeInto(fresh, fresh.getByLabel("Email"), ADMIN.email);
  await typeInto(fresh, fresh.getByLabel("Password"), ADMIN.password);
  await fresh.keyboard.press("Enter");
  await fresh.getByText("No language model is connected").waitFor();
  await enterOn(fresh, fresh.getByRole("button", { name: "Use a sample instead" }));
  await fresh.getByText("is ready.").waitFor();
  await typeInto(fresh, fresh.getByRole("textbox", { name: "Question" }), QUESTION);
  await enterOn(fresh, fresh.getByRole("button", { name: "Ask", exact: true }));
  await fresh.waitForURL(/\/c\//);
  await enterOn(fresh, fresh.getByRole("button", { name: /^Source 1: / }).first());
  await fresh.getByRole("dialog").getByText("Download the file").waitFor();
  expect(app.problems).toEqual([]);
  await fresh.context().close();
});

test("a conversation gets a name, and is shared with a person", async () => {
  await page.goto("/history");
  const main = page.getByRole("main");
  await enterOn(page, main.getByRole("button", { name: /^Actions for/ }).first());
  await choose("Rename");
  await typeInto(page, page.getByLabel("Title", { exact: true }), "News");
  await page.keyboard.press("Enter");
  await enterOn(page, main.getByRole("button", { name: "Actions for News" }));
  await choose("Share");
  const dialog = page.getByRole("dialog");
  await typeInto(page, dialog.getByLabel("Add people or groups"), "be");
  await enterOn(page, dialog.getByRole("button", { name: "Beth Baker", exact: true }));
  await dialog.getByLabel("May: Beth Baker").waitFor();
  await enterOn(page, dialog.getByRole("button", { name: "Remove: Beth Baker" }));
  await dialog.getByText("Only you.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("a folder is made, renamed and deleted", async () => {
  await page.goto("/documents");
  await enterOn(page, button("New folder"));
  await typeInto(page, page.getByLabel("Name of the folder"), "Trips");
  await page.keyboard.press("Enter");
  await enterOn(page, page.getByRole("link", { name: "Trips" }));
  await enterOn(page, button("Rename or move"));
  await typeInto(page, page.getByLabel("Name of the folder"), "Journeys");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Journeys" }).waitFor();
  await enterOn(page, button("Delete the folder"));
  await page.getByText("The folder is deleted.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("the profile gets another name, and a key is made", async () => {
  await page.goto("/settings/profile");
  await typeInto(page, page.getByLabel("Name", { exact: true }), "Ada Lovelace");
  await page.keyboard.press("Enter");
  await page.getByText("Your name is saved.").first().waitFor();
  await enterOn(page, page.getByRole("link", { name: "API keys" }));
  await tabTo(page, button("Create a key"));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await typeInto(page, dialog.getByLabel("Name"), "Backup");
  await page.keyboard.press("Enter");
  await dialog.locator("output").waitFor();
  await enterOn(page, dialog.getByRole("button", { name: "Done" }));
  await button("Revoke: Backup").waitFor();
  expect(app.problems).toEqual([]);
});
