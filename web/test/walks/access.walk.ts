import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE } from "../support/app.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { plainWords } from "../support/fill/words.ts";
import { showPage } from "../support/show-page.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

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

test.each([PHONE.width, 320])(
  "nothing scrolls sideways at %i pixels",
  async (width) => {
    const page = await app.openSignedIn({ viewport: { ...PHONE, width }, locale: "de-DE" });
    const signedOut = await app.open({ viewport: { ...PHONE, width }, locale: "de-DE" });
    for (const { name, path, needsSession } of filled.pages) {
      const shown = needsSession ? page : signedOut;
      await showPage(shown, path);
      const excess = await shown.evaluate<number>(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect.soft({ name, excess }).toEqual({ name, excess: 0 });
    }
  },
  600_000,
);

/** Rules that the page breaks, each with the first element that does. */
async function brokenRules(page: Page): Promise<string[]> {
  // injected by the browser itself: the page's policy lets no foreign script in
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[]; // built by the expression
}
