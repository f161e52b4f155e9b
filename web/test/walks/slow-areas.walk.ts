import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const SCRIPTS = "**/assets/*.js";
const area = (page: Page) => page.getByRole("heading", { name: "Documents", exact: true });
const link = (page: Page) => page.getByRole("link", { name: "Documents", exact: true });
const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
/** Outside the page that is still in sight. */
const bar = (page: Page) =>
  page.locator("#app > [role=status]").filter({ hasText: "Loading" });

async function openStart(options?: Parameters<App["open"]>[0]): Promise<Page> {
  const page = await app.openSignedIn(options);
  // nothing but an area is fetched once the page is there
  await page.addInitScript("globalThis.requestIdleCallback = () => 0");
  await page.goto("/");
  await message(page).waitFor();
  return page;
}

/** Holds the scripts that the page asks for, but for those named, until they are let go. */
async function holdScripts(
  page: Page,
  free: readonly string[] = [],
  then = (route: Route) => route.continue(),
): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    if (free.includes(new URL(route.request().url()).pathname)) return route.continue();
    await gate.promise;
    await then(route);
  });
  return gate.resolve;
}

test("a bar says that the next area is loading, until it is there", async () => {
  const page = await openStart();
  const letGo = await holdScripts(page);
  await link(page).click();
  await bar(page).waitFor();
  expect(await message(page).isVisible()).toBe(true);
  expect(await animationOf(page)).toBe("pulse");
  letGo();
  await area(page).waitFor();
  await bar(page).waitFor({ state: "detached" });
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("the bar keeps still for those who want no motion", async () => {
  const page = await openStart({ reducedMotion: "reduce" });
  const letGo = await holdScripts(page);
  await link(page).click();
  await bar(page).waitFor();
  expect(await animationOf(page)).toBe("none");
  letGo();
  await page.context().close();
});

test("an area that is there after a moment shows no bar", async () => {
  const page = await openStart();
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const letGo = await holdScripts(page);
  const asked = page.waitForRequest(SCRIPTS);
  await link(page).click();
  await asked;
  await page.clock.runFor(140);
  expect(await bar(page).count()).toBe(0);
  await page.clock.runFor(140);
  await bar(page).waitFor();
  letGo();
  await page.clock.resume();
  await area(page).waitFor();
  await page.context().close();
});

test("the bar is shown at an address that is opened, too", async () => {
  const page = await app.openSignedIn();
  const letGo = await holdScripts(page, await scriptsOfStart());
  await page.goto("/documents");
  await bar(page).waitFor();
  letGo();
  await area(page).waitFor();
  await bar(page).waitFor({ state: "detached" });
  await page.context().close();
});

test("the bar is gone when the script of an area cannot be fetched", async () => {
  const page = await openStart();
  const letFail = await holdScripts(page, await scriptsOfStart(), (route) =>
    route.fulfill({ status: 404 }),
  );
  await link(page).click();
  await bar(page).waitFor();
  letFail();
  await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
  await bar(page).waitFor({ state: "detached" });
  await page.context().close();
});

test("what is typed before the palette is there stands in it", async () => {
  const page = await openStart();
  const letGo = await holdScripts(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Docu");
  letGo();
  const field = page.getByRole("combobox");
  await field.waitFor();
  await page.keyboard.type("ments");
  await expect.poll(() => field.inputValue()).toBe("Documents");
  expect(await message(page).inputValue()).toBe("");
  await page.context().close();
});

/** The scripts that the document names: all that is needed before an area. */
async function scriptsOfStart(): Promise<string[]> {
  const page = await fetch(app.server.url, { headers: { accept: "text/html" } });
  const document = await page.text();
  return Array.from(document.matchAll(/\/assets\/[^"]+\.js/g), ([path]) => path);
}

function animationOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    "getComputedStyle(document.querySelector('#app > [role=status] > div')).animationName",
  );
}
