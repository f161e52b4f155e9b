import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
  for (let at = 0; at < 12; at += 1) {
    await make("/documents/folders", { name: `Papers ${at}` });
    await make("/agent/folders", { name: `Team ${at}` });
  }
});
afterAll(() => app[Symbol.asyncDispose]());

async function make(path: string, body: unknown): Promise<string> {
  const answer = await app.server.request(`/api/v1${path}`, { body });
  expect([path, answer.status]).toEqual([path, 201]);
  return ((await answer.json()) as { id: string }).id;
}

test("among many folders, the one for a folder is found by its name", async () => {
  const parent = await make("/documents/folders", { name: "Archive" });
  await make("/documents/folders", { name: "Deep inside", parentId: parent });
  const moved = await make("/documents/folders", { name: "To be moved" });
  await page.goto(`/documents/${moved}`);
  await page.getByRole("button", { name: "Rename or move" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Search your folders").fill("INSIDE");
  await dialog.getByText("1 folder found.").waitFor();
  const place = dialog.getByLabel("Move to");
  expect(await place.getByRole("option").allTextContents()).toEqual([
    "No folder",
    "Archive / Deep inside",
  ]);
  await page.keyboard.press("Enter"); // saves nothing yet
  await place.selectOption({ label: "Archive / Deep inside" });
  await dialog.getByLabel("Search your folders").fill("papers");
  await dialog.getByText("12 folders found.").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`/documents/${parent}`);
  await page.getByRole("link", { name: "Deep inside" }).click();
  await page.getByRole("link", { name: "To be moved" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("on a phone in German, an agent is moved into one of many folders", async () => {
  await make("/agent", { name: "Helfer", type: "simple" });
  const target = await make("/agent/folders", { name: "Nachtdienst" });
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
  });
  await phone.goto("/agents?view=own");
  await phone.getByRole("button", { name: "Aktionen für Helfer" }).tap();
  await phone.getByRole("menuitem", { name: "Verschieben" }).tap();
  const dialog = phone.getByRole("dialog");
  await dialog.getByLabel("Ihre Ordner durchsuchen").fill("nacht");
  await dialog.getByText("1 Ordner gefunden.").waitFor();
  await dialog.getByLabel("Verschieben nach").selectOption({ label: "Nachtdienst" });
  await dialog.getByRole("button", { name: "Verschieben" }).tap();
  await dialog.waitFor({ state: "detached" });
  await phone.goto(`/agents?folder=${target}`);
  await phone.getByText("Helfer").first().waitFor();
  expect(app.problems).toEqual([]);
});
