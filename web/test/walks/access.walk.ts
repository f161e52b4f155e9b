import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { cutSelects } from "../support/cut-selects.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { plainWords } from "../support/fill/words.ts";
import { showPage } from "../support/show-page.ts";

let filled: FilledApp;
let app: App;
beforeAll(async () => {
  filled = await fillApp(plainWords());
  ({ app } = filled);
});
afterAll(() => filled?.[Symbol.asyncDispose]());

const looks = [
  { locale: "en-GB", colorScheme: "light" },
  { locale: "de-DE", colorScheme: "dark" },
] as const;

test.each(looks)(
  "no page breaks WCAG 2.2 AA: $locale, $colorScheme",
  async (look) => {
    const signedIn = await app.openSignedIn(look);
    const signedOut = await app.open(look);
    for (const { name, path, needsSession } of filled.pages) {
      const page = needsSession ? signedIn : signedOut;
      await showPage(page, path);
      expect.soft({ name, broken: await brokenRules(page) }).toEqual({ name, broken: [] });
    }
    await signedIn.context().close();
    await signedOut.context().close();
  },
  900_000,
);

test("menus and dialogs break no rule either", async () => {
  const page = await app.openSignedIn();
  await showPage(page, filled.conversation);
  for (const open of [
    () => page.getByRole("button", { name: /^Who answers/ }).click(),
    () => page.getByRole("button", { name: "More" }).click(),
    () => page.keyboard.press("Control+k"),
  ]) {
    await open();
    await page.locator('[role="menu"], dialog[open]').first().waitFor();
    expect.soft(await brokenRules(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page
      .locator('[role="menu"], dialog[open]')
      .first()
      .waitFor({ state: "detached" });
  }
});

test("on phones nothing scrolls sideways, and every select shows what is chosen", async () => {
  const phone = { viewport: PHONE, hasTouch: true, locale: "de-DE" };
  const signedIn = await app.openSignedIn(phone);
  const signedOut = await app.open(phone);
  for (const { name, path, needsSession } of filled.pages) {
    const page = needsSession ? signedIn : signedOut;
    await page.setViewportSize(PHONE);
    await showPage(page, path);
    for (const width of [PHONE.width, 320]) {
      await page.setViewportSize({ ...PHONE, width });
      // what follows the width of the window is drawn again
      const faults = async () => ({
        name,
        width,
        excess: await page.evaluate<number>(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        ),
        cut: await cutSelects(page),
      });
      await expect.poll(faults).toEqual({ name, width, excess: 0, cut: [] });
    }
  }
}, 900_000);
