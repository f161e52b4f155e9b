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

const WIDE = { ...DESKTOP, width: 1280 };

/**
 * What may be wider than its place: code, strips of links, graphs, fields, and named regions that
 * keys can scroll, such as a table with a column for each role.
 */
const MAY_SCROLL =
  "pre, pre *, nav, .cm-editor, .cm-editor *, .sr-only, input, textarea, select, math, " +
  "[role=group], [role=region][aria-label][tabindex='0']";

/**
 * Labels that are cut though nothing says that they may be, by how much a page is too wide, and the
 * parts of it that scroll sideways or hide some of their text.
 */
const FAULTS = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const lineOf = (element) => element.tagName + "." + element.className + ": " +
    element.textContent.trim().slice(0, 60);
  const isWider = (element) => element.scrollWidth > element.clientWidth + 1;
  const hidesText = (element) => {
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
    if (webkitLineClamp !== "none") return false;
    const isHigher = element.scrollHeight > element.clientHeight + 1;
    if (overflowX !== "visible" && textOverflow !== "ellipsis" && isWider(element)) return true;
    return ["hidden", "clip"].includes(overflowY) && isHigher && element.clientHeight > 0;
  };
  const hidden = [...document.querySelectorAll("body *")]
    .filter((one) => one instanceof HTMLElement && !one.matches("${MAY_SCROLL}"))
    .filter((one) => shown(one) && one.clientWidth > 1 && hidesText(one))
    .map(lineOf);
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
  return { excess: root.scrollWidth - root.clientWidth, cut, hidden };
})()`;

test("long texts fit every page, wide and narrow", async () => {
  const signedIn = await filled.app.openSignedIn({ viewport: WIDE });
  const signedOut = await filled.app.open({ viewport: WIDE });
  for (const { name, path, needsSession } of filled.pages) {
    const page = needsSession ? signedIn : signedOut;
    await page.setViewportSize(WIDE);
    await showPage(page, path);
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport);
      // what follows the width of the window is drawn again
      const faults = async () => ({
        name,
        width: viewport.width,
        ...(await readFaults(page)),
      });
      await expect
        .poll(faults)
        .toEqual({ name, width: viewport.width, excess: 0, cut: [], hidden: [] });
    }
  }
}, 900_000);

interface Faults {
  excess: number;
  cut: string[];
  hidden: string[];
}

function readFaults(page: Page): Promise<Faults> {
  return page.evaluate(FAULTS);
}
