import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { type App, startApp } from "../support/app.ts";

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

test("a deleted conversation comes back by Undo, or from the trash", async () => {
  await choose(/Where/, "Delete");
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
