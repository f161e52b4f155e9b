import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DESKTOP, PHONE } from "../support/app.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { plainWords } from "../support/fill/words.ts";
import { buildPseudo } from "../support/pseudo/build-pseudo.ts";
import { showPage } from "../support/show-page.ts";

let built: Awaited<ReturnType<typeof buildPseudo>>;
let filled: FilledApp;
beforeAll(async () => {
  built = await buildPseudo();
  filled = await fillApp(plainWords(), { WEB_APP_DIR: built.folder });
}, 300_000);
afterAll(async () => {
  await filled?.[Symbol.asyncDispose]();
  await built?.[Symbol.asyncDispose]();
});

/** Labels that are cut though nothing says that they may be, and by how much a page is too wide. */
const FAULTS = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const mayCut = (element) =>
    [element, ...element.querySelectorAll("*")].some(
      (one) => getComputedStyle(one).textOverflow === "ellipsis" || one.matches(".sr-only"),
    );
  const labels = [...document.querySelectorAll("button, [role=tab], nav a, label")];
  const cut = labels
    .filter((one) => shown(one) && !mayCut(one) && one.clientWidth > 0)
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.textContent.trim().slice(0, 60));
  const root = document.documentElement;
  return { excess: root.scrollWidth - root.clientWidth, cut };
})()`;

test.each([1280, PHONE.width])(
  "long texts fit every page at %i pixels",
  async (width) => {
    const { height } = width === PHONE.width ? PHONE : DESKTOP;
    const options = { viewport: { width, height } };
    const signedIn = await filled.app.openSignedIn(options);
    const signedOut = await filled.app.open(options);
    for (const { name, path, needsSession } of filled.pages) {
      const page = needsSession ? signedIn : signedOut;
      await showPage(page, path);
      const faults = await readFaults(page);
      expect.soft({ name, ...faults }).toEqual({ name, excess: 0, cut: [] });
    }
  },
  600_000,
);

function readFaults(page: Page): Promise<{ excess: number; cut: string[] }> {
  return page.evaluate(FAULTS);
}
