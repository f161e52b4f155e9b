import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { type App, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";
import { look } from "../support/look.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
  await page.goto("/documents");
});
afterAll(() => app[Symbol.asyncDispose]());

const markdown = (name: string, text: string) => ({
  name,
  mimeType: "text/markdown",
  buffer: Buffer.from(text),
});
const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });

test("many files are uploaded at once; each says when it is ready, or why it failed", async () => {
  await page.getByText("No documents yet").waitFor();
  await page.locator("input[type=file]").setInputFiles([
    markdown("handbook.md", "# Handbook\n\n31 days of leave a year."),
    markdown("travel.md", "# Travel\n\nBook trains first."),
    {
      name: "broken.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7 garbage"),
    },
  ]);
  await row("handbook.md").getByText("ready").waitFor();
  await row("travel.md").getByText("ready").waitFor();
  await row("broken.pdf").getByText("damaged").waitFor();
  await look(page, "documents-failed");
  expect(app.problems).toEqual([]);
});

test("a protected document asks for its password, and is read with it", async () => {
  await page
    .locator("input[type=file]")
    .setInputFiles("packages/to-markdown/src/formats/fixtures/protected.docx");
  const file = row("protected.docx");
  const open = async (password: string) => {
    await file.getByLabel("Password of the file").fill(password);
    await file.getByRole("button", { name: "Open with password" }).click();
  };
  await open("another");
  await file.getByText("does not open it").waitFor();
  await open("sésame");
  await file.getByText("ready").waitFor();
  expect(await file.getByLabel("Password of the file").count()).toBe(0);
  expect(app.problems).toEqual([]);
});

test("a document shows its text and its chunks, and moves into a folder under another name", async () => {
  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name of the folder").fill("Staff");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "Staff" }).waitFor();

  await page.getByRole("link", { name: "handbook.md" }).click();
  await page.getByText("31 days of leave a year.").waitFor();
  await page.getByRole("link", { name: "Chunks", exact: true }).click();
  await page.getByText("Chunk 1").waitFor();
  await actionsOf(page, "handbook.md").click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("handbook 2026.md");
  await page.getByLabel("Move to").selectOption({ label: "Staff" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "handbook 2026.md" }).waitFor();

  await page.goto("/documents");
  await page.getByRole("link", { name: "Staff" }).click();
  await page.getByRole("link", { name: "handbook 2026.md" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("a document says how many of its chunks are too long for the search model", async () => {
  const ofDocument = /\/api\/v1\/documents\/[0-9a-f-]{36}$/;
  await page.route(ofDocument, async (route) => {
    const answer = await route.fetch();
    const document = (await answer.json()) as { indexing: object };
    const indexing = { ...document.indexing, chunks: 5, embedded: 3, model: "small-model" };
    await route.fulfill({ response: answer, json: { ...document, indexing } });
  });
  await page.getByRole("link", { name: "handbook 2026.md" }).click();
  await page
    .getByText(/too long for .small-model., found by their words only: 2/)
    .waitFor();
  await page.unrouteAll({ behavior: "wait" });
  expect(app.problems).toEqual([]);
});

test("a folder gets another name and another place", async () => {
  await page.goto("/documents");
  const make = async (name: string) => {
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByLabel("Name of the folder").fill(name);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name }).waitFor();
  };
  await make("Archive");
  await make("Old papers");
  await page.getByRole("link", { name: "Old papers" }).click();
  await page.getByRole("button", { name: "Rename or move" }).click();
  await page.getByLabel("Name of the folder").fill("Papers of 2025");
  const place = page.getByLabel("Move to");
  await place.getByRole("option", { name: "Archive" }).waitFor({ state: "attached" });
  expect(await place.getByRole("option", { name: "Old papers" }).count()).toBe(0);
  await place.selectOption({ label: "Archive" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Papers of 2025" }).waitFor();
  await page.getByRole("link", { name: "All documents" }).click();
  await page.getByRole("link", { name: "Archive" }).click();
  await page.getByRole("link", { name: "Papers of 2025" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("a document is found by a part of its name, and deleted once that is confirmed", async () => {
  await page.goto("/documents");
  await row("broken.pdf").waitFor();
  await page.getByLabel("Search by name").fill("trav");
  await page.waitForURL(/q=trav/);
  await row("broken.pdf").waitFor({ state: "detached" });
  await actionsOf(page, "travel.md").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No document fits").waitFor();
  expect(app.problems).toEqual([]);
});
