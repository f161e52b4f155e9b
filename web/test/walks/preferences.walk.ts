import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

/** What a person chooses on one device is there on the next. */

let app: App;
beforeAll(async () => {
  app = await startApp({ env: { OPENAI_MODELS: "gpt-test,gpt-other" } });
});
afterAll(() => app[Symbol.asyncDispose]());

const lookOf = (page: Page) =>
  page.evaluate<{ theme?: string; textSize?: string; density?: string }>(
    "({ ...document.documentElement.dataset })",
  );

test("appearance, text size, spacing and model follow the person to another browser", async () => {
  const page = await app.openSignedIn();
  await page.goto("/settings/preferences");
  const main = page.getByRole("main");
  const saved = () =>
    page.waitForResponse(
      (answer) =>
        answer.url().endsWith("/preferences") && answer.request().method() === "PATCH",
    );
  await main.getByRole("group", { name: "Appearance", exact: true }).waitFor();
  await look(page, "preferences-light");
  for (const [label, option] of [
    ["Appearance", "Dark"],
    ["Text size", "Large"],
    ["Spacing", "Compact"],
  ] as const) {
    const answer = saved();
    const card = main.getByRole("group", { name: label, exact: true });
    await card.getByRole("radio", { name: option, exact: true }).check();
    expect((await answer).status()).toBe(200);
  }
  const answer = saved();
  await main
    .getByRole("combobox", { name: "Model of new conversations" })
    .selectOption({ label: "gpt-other" });
  expect((await answer).status()).toBe(200);
  await main
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  expect(await lookOf(page)).toMatchObject({
    theme: "dark",
    textSize: "large",
    density: "compact",
  });
  expect(await brokenRules(page)).toEqual([]);
  await look(page, "preferences-dark-compact");

  const other = await app.openSignedIn();
  await other.goto("/");
  await expect
    .poll(() => lookOf(other))
    .toMatchObject({ theme: "dark", textSize: "large", density: "compact" });
  await other
    .getByRole("main")
    .getByRole("button", { name: /gpt-other/ })
    .waitFor();
  // the next page begins so, before the server has answered
  await other.route("**/api/v1/**", () => {});
  await other.reload();
  expect(await lookOf(other)).toMatchObject({ theme: "dark", textSize: "large" });
  expect(app.problems).toEqual([]);
  await page.context().close();
  await other.context().close();
});

test("on a phone, in German, the language follows too, and all of it fits", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true, locale: "de-DE" });
  await page.goto("/settings/preferences");
  const main = page.getByRole("main");
  const sizes = main.getByRole("group", { name: "Schriftgröße", exact: true });
  await sizes.waitFor();
  await look(page, "preferences-390-de");
  const answer = page.waitForResponse(
    (response) =>
      response.url().endsWith("/preferences") && response.request().method() === "PATCH",
  );
  // the whole card is the target
  await sizes.getByText("Sehr groß").tap();
  expect((await answer).status()).toBe(200);
  await main.getByRole("status").filter({ hasText: "Gespeichert" }).waitFor();
  await look(page, "preferences-390-de-large");
  // its name is not that of the tab
  await main.getByRole("group", { name: "Farbschema", exact: true }).waitFor();
  await main.getByRole("link", { name: "Voreinstellungen", exact: true }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(PHONE.width);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("by keyboard a choice is made, and what the server refuses is said", async () => {
  await asksOf(app).patch("/api/v1/preferences", { theme: "dark" });
  const page = await app.openSignedIn();
  await page.goto("/settings/preferences");
  const main = page.getByRole("main");
  const card = main.getByRole("group", { name: "Appearance", exact: true });
  const isChosen = (name: string) =>
    card.getByRole("radio", { name, exact: true }).isChecked();
  await expect.poll(() => isChosen("Dark")).toBe(true);
  await page.route("**/api/v1/preferences", (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({
          status: 413,
          json: { error: "At most 32 KB.", code: "preferences_too_large" },
        })
      : route.continue(),
  );
  await card.getByRole("radio", { name: "Dark", exact: true }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("At most 32 KB.").waitFor();
  await main.getByText("Not saved", { exact: true }).waitFor();
  // what the server has counts
  await expect.poll(() => isChosen("Dark")).toBe(true);
  await page.context().close();
});
