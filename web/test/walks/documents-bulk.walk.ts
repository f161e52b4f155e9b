import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { uploadFile } from "../../../test/support/upload-file.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";
import { tabTo } from "../support/tab-to.ts";

const FILES: [name: string, characters: number][] = [
  ["budget.csv", 900],
  ["Äpfel.md", 300],
  ["minutes.txt", 500],
  ["zoning.html", 100],
  ["rules.json", 700],
];
const BY_NAME = ["Äpfel.md", "budget.csv", "minutes.txt", "rules.json", "zoning.html"];

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
  for (const [name, characters] of FILES) await upload(name, characters);
  for (const name of ["Archive", "Travel"])
    await app.server.request("/api/v1/documents/folders", { body: { name } });
});
afterAll(() => app[Symbol.asyncDispose]());

const upload = (name: string, characters: number) => {
  const words = name.endsWith(".json")
    ? JSON.stringify({ words: "rule ".repeat(characters / 5) })
    : `${name} ${"words ".repeat(characters / 6)}`;
  return uploadFile(app.server, words, name, { token: app.server.token });
};
const names = () => page.locator("a[href*='/documents/d/']").allInnerTexts();
const ready = () => page.getByRole("listitem").getByText("ready", { exact: true }).count();
const box = (name: string): Locator =>
  page.getByRole("checkbox", { name: `Choose ${name}`, exact: true });
const bar = () => page.getByRole("toolbar");

test("the list is sorted by a head of a column, and by the field of a phone", async () => {
  await showPage(page, "/documents");
  await expect.poll(ready).toBe(5);
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await expect.poll(names).toEqual(BY_NAME);
  await page.waitForURL(/sort=fileName/);
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await expect.poll(names).toEqual(BY_NAME.toReversed());
  await look(page, "documents-sorted");
  await page.getByLabel("Sort by", { exact: true }).selectOption("largest");
  await expect.poll(async () => (await names())[0]).toBe("budget.csv");
  await page.reload();
  await expect.poll(async () => (await names()).at(-1)).toBe("zoning.html");
  await page.getByRole("link", { name: "Travel" }).click();
  await page.waitForURL(/sort=size/);
  await page.getByText("This folder is empty").waitFor();
  expect(app.problems).toEqual([]);
});

test("with Shift a range is chosen, moved, and moved back by undo", async () => {
  await showPage(page, "/documents?sort=fileName");
  await box("budget.csv").check();
  await box("rules.json").click({ modifiers: ["Shift"] });
  await bar().getByText("3 chosen").waitFor();
  expect(await box("Äpfel.md").isChecked()).toBe(false);
  await look(page, "documents-chosen");
  await bar().getByRole("button", { name: "Move" }).click();
  await page.getByLabel("Move to").selectOption({ label: "Archive" });
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await page.getByText("3 documents are moved.").waitFor();
  await expect.poll(() => bar().count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("3 documents are moved back.").waitFor();
  await page.getByRole("link", { name: "Archive" }).click();
  await page.getByText("This folder is empty").waitFor();
  expect(app.problems).toEqual([]);
});

test("by keyboard alone: choose along the way, all and none, and process again", async () => {
  await showPage(page, "/documents?sort=fileName");
  await tabTo(page, box("Äpfel.md"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await bar().getByText("2 chosen").waitFor();
  expect(await box("minutes.txt").isChecked()).toBe(true);
  await page.keyboard.press("Control+a");
  await bar().getByText("5 chosen").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => bar().count()).toBe(0);
  await page.keyboard.press("Space");
  await bar().getByText("1 chosen").waitFor();
  const again = bar().getByRole("button", { name: "Process again" });
  await again.focus();
  await page.keyboard.press("Enter");
  await page.getByText("1 document is processed again.").waitFor();
  expect(app.problems).toEqual([]);
});

test("what could not be deleted is named with its reason, and tried again", async () => {
  await showPage(page, "/documents?sort=fileName");
  await expect.poll(ready).toBe(5);
  const fail = { status: 403, json: { code: "document_read_only", error: "No." } };
  let failures = 0;
  await page.route(/\/api\/v1\/documents\/[0-9a-f-]{36}$/, async (route) => {
    const isFirst = route.request().method() === "DELETE" && (failures += 1) === 1;
    await (isFirst ? route.fulfill(fail) : route.fallback());
  });
  await box("Äpfel.md").check();
  await box("budget.csv").check();
  await bar().getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("1 of 2 was not changed.").waitFor();
  await page.getByRole("list", { name: "What was not changed, and why" }).waitFor();
  await bar().getByText("1 chosen").waitFor();
  await look(page, "documents-refused");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(names).toEqual(["minutes.txt", "rules.json", "zoning.html"]);
  await page.unrouteAll({ behavior: "wait" });
  expect(app.problems).toEqual([]);
});

/** Drags a file, as from a folder of the computer, and drops it or lets it hover. */
async function drag(target: Locator, isDropped: boolean): Promise<void> {
  await target.evaluate((element, drop) => {
    // the types of walks have no document
    const make = new Function(
      "element",
      "drop",
      `const data = new DataTransfer();
       data.items.add(new File(["words of a letter"], "letter.txt", { type: "text/plain" }));
       const options = { bubbles: true, cancelable: true, dataTransfer: data };
       for (const type of drop ? ["dragover", "drop"] : ["dragover"])
         element.dispatchEvent(new DragEvent(type, options));`,
    ) as (element: unknown, drop: boolean) => void;
    make(element, drop);
  }, isDropped);
}

test("a file that is dropped on a folder goes into it", async () => {
  await showPage(page, "/documents");
  const travel = page.getByRole("link", { name: "Travel" });
  await drag(travel, false);
  await page.getByText("Drop the files to upload them into “Travel”").waitFor();
  await look(page, "documents-drop");
  await drag(travel, true);
  await expect.poll(() => page.getByText("Drop the files").count()).toBe(0);
  await travel.click();
  await page.getByRole("link", { name: "letter.txt" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("on a phone the actions stand at the foot, in German, and nothing scrolls sideways", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/documents");
  await phone.getByLabel("Sortieren nach").selectOption({ label: "kleinste" });
  await phone.getByRole("checkbox", { name: "zoning.html auswählen" }).tap();
  await phone.getByRole("toolbar").getByText("1 ausgewählt").waitFor();
  await look(phone, "documents-phone");
  const isWide = "document.documentElement.scrollWidth > window.innerWidth";
  expect(await phone.evaluate(isWide)).toBe(false);
  await phone.getByRole("toolbar").getByRole("button", { name: "Löschen" }).tap();
  await phone.getByRole("dialog").getByRole("button", { name: "Löschen" }).tap();
  await phone.getByText("1 Dokument ist gelöscht.").waitFor();
  await phone.context().close();
  expect(app.problems).toEqual([]);
});
