import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { type Asks, asksOf } from "../support/fill/asks.ts";
import { type ListingProvider, startListingProvider } from "../support/listing-provider.ts";
import { FORMS } from "../support/shared-forms.ts";
import { showPage } from "../support/show-page.ts";

let app: App;
let asks: Asks;
let lister: ListingProvider;
beforeAll(async () => {
  app = await startApp();
  asks = asksOf(app);
  lister = await startListingProvider("big-chat", app.provider.url);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await lister[Symbol.asyncDispose]();
});

test.each(FORMS)(
  "$name: a later save reports what others changed, and keeps the rest of it",
  async ({ make, open, label, typed, save = "Save" }) => {
    const { page: path, read, changeAsOther, both } = await make({ asks, lister });
    const page = await app.openSignedIn();
    await showPage(page, path);
    await open?.(page);
    const form = page
      .locator("form")
      .filter({ has: page.getByLabel(label, { exact: true }) });
    await form.getByLabel(label, { exact: true }).fill(typed);
    await changeAsOther();
    const theirs = await read();
    await form.getByRole("button", { name: save, exact: true }).click();
    const refusal = form.getByRole("alert").filter({ hasText: "Somebody else changed" });
    await refusal.filter({ hasText: label }).waitFor();
    expect(await read()).toEqual(theirs);
    expect(await form.getByLabel(label, { exact: true }).inputValue()).toBe(typed);
    await form.getByRole("button", { name: save, exact: true }).click();
    await expect.poll(read).toMatchObject(both);
    expect(app.problems).toEqual([]);
    await page.context().close();
  },
);

test("roles of a group: a role that somebody else gave meanwhile is not taken away", async () => {
  const { id } = await asks.post("/api/v1/groups", { name: "Watch" });
  const page = await app.openSignedIn();
  await showPage(page, `/admin/groups/${id}`);
  await page.getByRole("button", { name: "Change roles" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("reader").check();
  await asks.patch(`/api/v1/groups/${id}`, { roles: ["user"] });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").filter({ hasText: "Somebody else changed" }).waitFor();
  const { roles } = await asks.get<{ roles: string[] }>(`/api/v1/groups/${id}`);
  expect(roles).toEqual(["user"]);
});
