import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { uploadFile } from "../../../test/support/upload-file.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, ["Fine."]);
  page = await app.openSignedIn();
  for (const [name, description] of [
    ["Harbour pilot", "Knows the tides and the berths."],
    ["Harbour master", "Decides who may moor."],
  ])
    await create("/api/v1/agent", { name, description, instructions: "Be brief." });
  const folder = await create("/api/v1/documents/folders", { name: "Tide tables" });
  const folderId = folder.id;
  await upload("north pier.csv", { folderId });
  await upload("south pier.csv", { folderId });
  await upload("tide report.md", {});
});
afterAll(() => app[Symbol.asyncDispose]());

const create = async (path: string, body: object) =>
  (await (await app.server.request(path, { body })).json()) as { id: string };
const upload = (name: string, fields: Record<string, string>) =>
  uploadFile(app.server, `a,b\n${name},2\n`, name, { token: app.server.token, fields });
const message = () => page.getByRole("textbox", { name: "Message" });
const option = (name: string) => page.getByRole("option", { name });
const current = () => page.locator("[role=option][aria-selected=true]");

test("by keyboard alone an agent is chosen with @, and the sign goes out of the text", async () => {
  await showPage(page, "/");
  await message().focus();
  await page.keyboard.type("When is high water? @harb");
  await option("Harbour pilot").waitFor();
  await expect.poll(() => page.getByRole("option").count()).toBe(2);
  const before = await current().innerText();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => current().innerText()).not.toBe(before);
  const active = await message().getAttribute("aria-activedescendant");
  expect(await current().getAttribute("id")).toBe(active);
  await look(page, "mentions-agents");
  const [name = ""] = (await current().innerText()).split("\n");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Who answers: ${name}` }).waitFor();
  expect(await message().inputValue()).toBe("When is high water? ");
  expect(await page.getByRole("listbox").count()).toBe(0);
  expect(await message().getAttribute("aria-activedescendant")).toBeNull();
  expect(app.problems).toEqual([]);
});

test("Escape closes the list and keeps the words; addresses and headings open none", async () => {
  await message().fill("");
  await message().focus();
  await page.keyboard.type("@harb");
  await option("Harbour pilot").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("listbox").count()).toBe(0);
  expect(await message().inputValue()).toBe("@harb");
  await page.keyboard.type("our");
  expect(await page.getByRole("listbox").count()).toBe(0);
  await page.keyboard.type(" and anna@harbour");
  expect(await page.getByRole("listbox").count()).toBe(0);
  await message().fill("");
});

test("with # a document and those of a folder are attached, by Tab and by mouse, and sent", async () => {
  await message().focus();
  await page.keyboard.type("Compare #report");
  await option("tide report.md").waitFor();
  await page.keyboard.press("Tab");
  const attached = page.getByRole("button", { name: /^Remove / });
  await expect.poll(() => attached.count()).toBe(1);
  await page.keyboard.type("with #tide");
  await option("Tide tables").waitFor();
  await look(page, "mentions-documents");
  await option("Tide tables").click();
  await expect.poll(() => attached.count()).toBe(3);
  expect(await message().inputValue()).toBe("Compare with ");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/c\//);
  await page.getByText("Fine.").first().waitFor();
  for (const name of ["tide report.md", "north pier.csv", "south pier.csv"])
    await page.getByText(name).first().waitFor();
  expect(app.problems).toEqual([]);
});

test("while the agents are on their way the list says so, and Enter sends nothing", async () => {
  const slow = await app.openSignedIn();
  await showPage(slow, "/");
  const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
  await slow.route("**/api/v1/agent?**", async (route) => {
    await wait;
    await route.continue();
  });
  const field = slow.getByRole("textbox", { name: "Message" });
  await field.focus();
  await slow.keyboard.type("@pil");
  await slow.getByText("Loading …").waitFor();
  await look(slow, "mentions-loading");
  await slow.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("@pil");
  expect(new URL(slow.url()).pathname).toBe("/");
  goOn();
  await slow.getByRole("option", { name: "Harbour pilot" }).waitFor();
  await slow.keyboard.press("Enter");
  await slow.getByRole("button", { name: "Who answers: Harbour pilot" }).waitFor();
  expect(await field.inputValue()).toBe("");
  await slow.context().close();
  expect(app.problems).toEqual([]);
});

test("a folder without documents is not offered: it would attach nothing", async () => {
  await create("/api/v1/documents/folders", { name: "Tides to come" });
  await showPage(page, "/");
  await message().focus();
  await page.keyboard.type("#tide");
  await option("Tide tables").waitFor();
  expect(await page.getByRole("option").allInnerTexts()).toEqual([
    expect.stringContaining("Tide tables"),
    expect.stringContaining("tide report.md"),
  ]);
  await message().fill("");
});

test("on a phone, by touch, in German and in the dark", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/");
  const field = phone.getByRole("textbox", { name: "Nachricht" });
  await field.tap();
  await phone.keyboard.type("Vergleiche #tide");
  await phone.getByRole("option", { name: "Tide tables" }).waitFor();
  await look(phone, "mentions-phone");
  await phone.getByRole("option", { name: "Tide tables" }).tap();
  await expect
    .poll(() => phone.getByRole("button", { name: / entfernen$/ }).count())
    .toBe(2);
  await phone.keyboard.type("@harbour");
  await phone.getByRole("option", { name: "Harbour master" }).tap();
  await phone.getByRole("button", { name: "Wer antwortet: Harbour master" }).waitFor();
  const isWide = "document.documentElement.scrollWidth > window.innerWidth";
  expect(await phone.evaluate(isWide)).toBe(false);
  await phone.context().close();
  expect(app.problems).toEqual([]);
});
