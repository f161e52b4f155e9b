import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";
import { tabTo } from "../support/tab-to.ts";

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
  for (const content of ["Where do we travel to?", "What is the capital of France?"])
    await app.server.request("/api/v1/conversation", { body: { content, stream: false } });
  page = await app.openSignedIn();
  await page.goto("/history");
});
afterAll(() => app[Symbol.asyncDispose]());

/** Opens the menu of a conversation and chooses an item. */
async function choose(title: RegExp, item: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: new RegExp(`Actions for ${title.source}`) })
    .click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

test("a conversation is found by its words and by its tags", async () => {
  await choose(/Where/, "Edit tags");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Tags", { exact: true }).fill("trips, plans");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "trips 1" }).click();
  await page.getByText("1 conversation", { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get("tag")).toBe("trips");
  await page.getByRole("button", { name: "trips 1" }).click();

  await page.getByLabel("Search in titles and messages").fill("capital");
  await page.locator("mark", { hasText: "capital" }).first().waitFor();
  expect(
    await page.getByRole("listitem").filter({ hasText: "Where" }).locator("mark").count(),
  ).toBe(0);
  await page.getByLabel("Search in titles and messages").fill("");
  await page.getByText("2 conversations").waitFor();
  expect(app.problems).toEqual([]);
});

test("a hit opens the thread at it", async () => {
  await showPage(page, "/history?q=capital");
  await page
    .getByRole("main")
    .getByRole("link", { name: /What is the capital/ })
    .click();
  await page.waitForURL(/\/c\/[0-9a-f-]{36}\?find=capital/);
  const search = page.getByRole("search");
  await search.getByText(/^\d+ of \d+$/).waitFor();
  expect(await search.getByRole("searchbox").inputValue()).toBe("capital");
  await expect
    .poll(() => page.evaluate("CSS.highlights.get('found-current')?.size ?? 0"))
    .toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await showPage(page, "/history");
  expect(app.problems).toEqual([]);
});

test("a deleted conversation comes back by Undo, or from the trash", async () => {
  await choose(/Where/, "Delete");
  await page.getByText("1 conversation", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByText("2 conversations").waitFor();

  await choose(/Where/, "Delete");
  await page.getByText("1 conversation", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Trash" }).click();
  await page.getByRole("button", { name: /^Restore: Where/ }).click();
  await page.getByText("The trash is empty").waitFor();

  await page.getByRole("link", { name: "Conversations", exact: true }).click();
  await page.getByText("2 conversations").waitFor();
  expect(app.problems).toEqual([]);
});

const box = (title: string) =>
  page.getByRole("main").getByRole("checkbox", { name: `Choose ${title}` });
const bar = () => page.getByRole("toolbar");

test("several conversations are pinned, tagged, deleted and taken back at once", async () => {
  await showPage(page, "/history");
  await box("Where").check();
  await box("What").click({ modifiers: ["Shift"] });
  await bar().getByText("2 chosen").waitFor();
  await look(page, "history-chosen");
  await bar().getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByText("2 conversations are changed.").waitFor();
  await expect.poll(() => page.getByRole("main").getByLabel("Pinned").count()).toBe(2);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByText("2 conversations are as before.").waitFor();
  await expect.poll(() => page.getByRole("main").getByLabel("Pinned").count()).toBe(0);

  await box("Where").check();
  await box("What").check();
  await bar().getByRole("button", { name: "Add tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Tags for 2 conversations" });
  await dialog.getByLabel("Tags", { exact: true }).fill("geography");
  await dialog.getByRole("button", { name: "Add tags" }).click();
  await page.getByRole("button", { name: "geography 2" }).waitFor();
  // what they had stays
  await page.getByRole("button", { name: "trips 1" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("boxes are there without a pointer, and one chooses all that was found, on a phone too", async () => {
  const titles = Array.from({ length: 60 }, (_, at) => `Lighthouse ${at}`);
  for (const content of titles)
    await app.server.request("/api/v1/conversation", { body: { content, stream: false } });
  await showPage(page, "/history?q=Lighthouse");
  const boxes = page
    .getByRole("main")
    .getByRole("checkbox", { name: /^Choose Lighthouse/ });
  await expect.poll(() => boxes.count()).toBeGreaterThan(10);
  const isSeen = await page.evaluate<boolean>(
    `[...document.querySelectorAll("[data-choose]")].every((box) => getComputedStyle(box).opacity === "1")`,
  );
  expect(isSeen).toBe(true);
  await look(page, "history-boxes");
  const listed = await boxes.count();
  expect(listed).toBeLessThan(60);
  await page.getByRole("checkbox", { name: "Choose all" }).check();
  await bar().getByText(`${listed} chosen`).waitFor();
  await bar().getByRole("button", { name: "Choose all found" }).click();
  await bar().getByText("60 chosen").waitFor();
  await look(page, "history-all-found");
  // one of them less is no longer everything
  await boxes.first().uncheck();
  await bar().getByText("59 chosen").waitFor();

  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/history?q=Lighthouse");
  await phone.getByText("Alle auswählen", { exact: true }).tap();
  await phone
    .getByRole("toolbar")
    .getByRole("button", { name: /^Alle gefundenen/ })
    .tap();
  await phone.getByRole("toolbar").getByText("60 ausgewählt").waitFor();
  await look(phone, "history-all-found-phone-de-dark");
  await phone.getByRole("toolbar").getByRole("button", { name: "Löschen" }).tap();
  await phone.getByText("60 Unterhaltungen").first().waitFor();
  await expect.poll(() => phone.getByRole("toolbar").count()).toBe(0);
  await phone.context().close();
  await showPage(page, "/trash");
  await page.getByRole("checkbox", { name: "Choose all" }).check();
  await bar().getByRole("button", { name: "Choose all found" }).click();
  await bar().getByText("60 chosen").waitFor();
  await bar().getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("The trash is empty").waitFor();
  expect(app.problems).toEqual([]);
});

test("by keyboard alone several are deleted, and restored from the trash", async () => {
  await showPage(page, "/history");
  await tabTo(page, box("W").first());
  await page.keyboard.press("Shift+ArrowDown");
  await bar().getByText("2 chosen").waitFor();
  await bar().getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("2 conversations are in the trash.").waitFor();
  await showPage(page, "/trash");
  await tabTo(page, box("W").first());
  await page.keyboard.press("Control+a");
  await bar().getByText("2 chosen").waitFor();
  await look(page, "trash-chosen");
  await bar().getByRole("button", { name: "Restore" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("2 conversations are back.").waitFor();
  await page.getByText("The trash is empty").waitFor();
  await showPage(page, "/history");
  expect(app.problems).toEqual([]);
});

test("a conversation is shared with a person, who then reads it, until the share is taken back", async () => {
  await choose(/Where/, "Share");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Add people or groups").fill("be");
  await dialog.getByRole("button", { name: "Beth Baker", exact: true }).click();
  await dialog.getByLabel("May: Beth Baker").waitFor();

  const { items } = (await (
    await app.server.request("/api/v1/conversation/search?query=travel")
  ).json()) as { items: { id: string }[] };
  const token = await app.server.signIn("beth@test.example", "a long enough password");
  const status = async () =>
    (await app.server.request(`/api/v1/conversation/${items[0]?.id}`, { token })).status;
  await expect.poll(status).toBe(200);

  await dialog.getByRole("button", { name: "Remove: Beth Baker" }).click();
  await dialog.getByText("Only you.").waitFor();
  expect(await status()).toBe(404);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("several conversations are deleted for good at once", async () => {
  for (const content of ["Old one", "Old two"])
    await app.server.request("/api/v1/conversation", { body: { content, stream: false } });
  await showPage(page, "/history");
  await box("Old one").check();
  await box("Old two").check();
  await bar().getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 conversations are in the trash.").waitFor();
  await showPage(page, "/trash");
  await box("Old one").check();
  await box("Old two").check();
  await bar().getByRole("button", { name: "Delete for good" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 conversations cannot be restored afterwards.").waitFor();
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("2 conversations are permanently deleted.").waitFor();
  await page.getByText("The trash is empty").waitFor();
  expect(app.problems).toEqual([]);
});

test("all conversations are listed, page after page", async () => {
  const MORE = 52;
  for (let made = 0; made < MORE; made += 1)
    await app.server.request("/api/v1/conversation", {
      body: { content: `Note ${made}`, stream: false },
    });
  await page.goto("/history");
  await page.getByRole("main").getByText("Note 51").first().waitFor();
  const next = page.waitForRequest((request) =>
    /chat-history.*cursor=/.test(request.url()),
  );
  await page.getByRole("button", { name: "Show more" }).click();
  await next;
  await page.getByRole("main").getByText("What is the capital").first().waitFor();
  expect(app.problems).toEqual([]);
});
