import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";

/** Favourite models stand first where one chooses who answers. */

const LETTERS = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({
    env: { OPENAI_MODELS: LETTERS.map((letter) => `model-${letter}`).join(",") },
  });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const open = async (shown = page) => {
  await shown.getByRole("button", { name: /^(Who answers|Wer antwortet)/ }).click();
  await shown.getByRole("menu").waitFor();
};
const star = (name: string, shown = page) =>
  shown.getByRole("menuitemcheckbox", { name: new RegExp(`^Favou?rit.*${name}`) });
const model = (name: string) => page.getByRole("menuitemradio", { name });
const favorites = () => page.getByRole("group", { name: "Favourite models" });
/** What the server has. */
const kept = async () => {
  const answer = await app.server.request("/api/v1/favorites?resourceType=model");
  const { items } = (await answer.json()) as { items: { resourceId: string }[] };
  return items.map(({ resourceId }) => resourceId);
};

test("a star makes a model a favourite, which stands first when the menu opens again", async () => {
  await page.goto("/");
  await open();
  expect(await favorites().count()).toBe(0);
  await star("model-h").click();
  await expect.poll(() => star("model-h").getAttribute("aria-checked")).toBe("true");
  // nothing moves away under the pointer
  expect(await favorites().count()).toBe(0);
  await expect.poll(kept).toHaveLength(1);
  await look(page, "favorite-models-star");
  await page.keyboard.press("Escape");
  await open();
  await favorites().getByRole("menuitemradio", { name: "model-h" }).waitFor();
  expect(await model("model-h").count()).toBe(1);
  await look(page, "favorite-models-group");
  expect(await brokenRules(page)).toEqual([]);
  await favorites().getByRole("menuitemradio", { name: "model-h" }).click();
  await page.getByRole("button", { name: "Who answers: model-h" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("by keyboard: search, to the star and back, and the arrows pass the stars by", async () => {
  await page.goto("/");
  await page.getByRole("button", { name: /^Who answers/ }).focus();
  await page.keyboard.press("Enter");
  const field = page.getByPlaceholder("Find an agent or a model");
  const isInField = () =>
    expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
  await isInField();
  await page.keyboard.type("model-c");
  await expect.poll(() => page.getByRole("menuitemradio").count()).toBe(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  const focused = (name: string) =>
    expect
      .poll(() => star(name).evaluate((element) => element.matches(":focus")))
      .toBe(true);
  await focused("model-c");
  await page.keyboard.press("Enter");
  await expect.poll(() => star("model-c").getAttribute("aria-checked")).toBe("true");
  await page.keyboard.press("Space");
  await expect.poll(() => star("model-c").getAttribute("aria-checked")).toBe("false");
  await page.keyboard.press("Space");
  await expect.poll(() => star("model-c").getAttribute("aria-checked")).toBe("true");
  await focused("model-c");
  await page.keyboard.press("ArrowLeft");
  await expect
    .poll(() => model("model-c").evaluate((element) => element.matches(":focus")))
    .toBe(true);
  await expect.poll(kept).toHaveLength(2);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await isInField();
  await page.keyboard.press("ArrowDown");
  await expect
    .poll(() => model("model-c").evaluate((element) => element.matches(":focus")))
    .toBe(true);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  // the second favourite, in the order of the models
  await page.getByRole("button", { name: "Who answers: model-h" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("favourites are there on another device, and what is gone is not shown", async () => {
  await app.server.request("/api/v1/favorites/model/no-such-model", { method: "PUT" });
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await phone.goto("/");
  await open(phone);
  const group = phone.getByRole("group", { name: "Favorisierte Modelle" });
  await group.getByRole("menuitemradio", { name: "model-c" }).waitFor();
  await look(phone, "favorite-models-phone");
  expect(await group.getByRole("menuitemradio").count()).toBe(2);
  await group.getByRole("menuitemcheckbox", { name: /model-c/ }).tap();
  await expect.poll(async () => (await kept()).length).toBe(2); // with the one that is gone
  await phone.context().close();
  expect(app.problems).toEqual([]);
});
