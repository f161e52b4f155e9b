import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { type App, DESKTOP, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** The parts of administration on a phone, and its pages scrolled by keys. */

let app: App;
beforeAll(async () => {
  app = await startApp({ withModel: false });
});
afterAll(() => app[Symbol.asyncDispose]());

test("on a phone one button opens the list of parts, and the way back is the browser's", async () => {
  const page = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
  });
  await showPage(page, "/admin/users");
  const parts = page.getByRole("navigation", { name: "Verwaltung" });
  const opener = page.getByRole("button", { name: "Verwaltung: Benutzer" });
  expect(await parts.isVisible()).toBe(false);
  await opener.tap();
  await parts.getByText("Betrieb").waitFor();
  await look(page, "admin-parts-phone");
  expect(await brokenRules(page)).toEqual([]);
  const width = await parts.evaluate(
    ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
  );
  expect(width).toBe(0); // nothing is beside what is seen
  await parts.getByRole("link", { name: "Protokoll", exact: true }).tap();
  await page.waitForURL(/\/admin\/audit$/);
  const focused = page.locator("button:focus");
  await focused.getByText("Protokoll").waitFor();
  expect(await parts.isVisible()).toBe(false);
  await page.goBack();
  await opener.waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("the words of a title stay whole on a phone", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, locale: "de-DE" });
  for (const path of ["/automations", "/automations/schedules", "/text"]) {
    await showPage(page, path);
    const lines = await page.evaluate<number>(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector("h1"));
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    })()`);
    expect.soft([path, lines]).toEqual([path, 1]);
  }
  await page.context().close();
});

test("an empty list shows what will be there, and one way to begin", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/text/kept");
  const empty = page.locator("main div.text-center");
  await empty.getByRole("link", { name: "Tools", exact: true }).waitFor();
  await showPage(page, "/admin/feedback");
  await page.getByRole("heading", { name: "No ratings yet" }).waitFor();
  await showPage(page, "/admin/new-role");
  const roles = page.getByRole("link", { name: "Roles", exact: true });
  expect(await roles.getAttribute("aria-current")).toBe("page");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a part has one heading, its own, with what is done there beside it", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/admin/users");
  const main = page.getByRole("main");
  const title = main.getByRole("heading", { level: 1, name: "Users", exact: true });
  await title.waitFor();
  expect(
    await main.getByRole("heading", { name: /^(Administration|Accounts)$/ }).count(),
  ).toBe(0);
  const create = main.getByRole("button", { name: "Create user" });
  const [head, button] = [await title.boundingBox(), await create.boundingBox()];
  expect(Math.abs((head?.y ?? 0) - (button?.y ?? 100))).toBeLessThan(12);
  await main.getByRole("link", { name: "Administration", exact: true }).click();
  await main.getByRole("heading", { level: 1, name: "Overview", exact: true }).waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("keys scroll a page of administration, also right after its link was followed", async () => {
  const page = await app.openSignedIn({ viewport: { ...DESKTOP, height: 500 } });
  await showPage(page, "/admin/roles");
  const heading = page.getByRole("heading", { level: 1 });
  const top = async () => (await heading.boundingBox())?.y ?? 0;
  const start = await top();
  const pressed = async (key: string) => {
    await page.keyboard.press(key);
    return top();
  };
  await expect.poll(() => pressed("PageDown")).toBeLessThan(start - 300);
  const low = await top();
  await expect.poll(() => pressed("ArrowUp")).toBeGreaterThan(low);
  await expect.poll(() => pressed("Home")).toBe(start);
  const parts = page.getByRole("navigation", { name: "Administration" });
  await parts.getByRole("link", { name: "System health", exact: true }).click();
  await page.getByRole("heading", { name: "Parts", exact: true }).waitFor();
  await expect.poll(() => pressed("ArrowDown")).toBeLessThan(start);
  // not while somebody writes
  await showPage(page, "/admin/users");
  await page.getByLabel("Search by name or email").focus();
  expect(await scrolledBy(page, "End")).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

/** By how much a key scrolls the page, once it would be drawn. */
async function scrolledBy(page: Page, key: string): Promise<number> {
  await page.keyboard.press(key);
  return page.evaluate<number>(`new Promise((done) => requestAnimationFrame(() =>
    done(document.querySelector("main h1").closest(".overflow-y-auto").scrollTop)))`);
}
