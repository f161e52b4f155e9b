import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App } from "../support/app.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { plainWords } from "../support/fill/words.ts";
import { showPage } from "../support/show-page.ts";

let filled: FilledApp;
let app: App;
let page: Page;
beforeAll(async () => {
  filled = await fillApp(plainWords());
  ({ app } = filled);
  page = await app.openSignedIn();
});
afterAll(() => filled?.[Symbol.asyncDispose]());

const LISTS = [
  "/history",
  "/documents",
  "/agents",
  "/templates",
  "/text/kept",
  "/automations",
  "/admin/users",
  "/admin/groups",
  "/admin/models/offered",
  "/admin/tools/list",
];
const main = () => page.getByRole("main");
const lines = () => main().locator(".animate-pulse");
const announced = () => main().getByRole("status").getByText("Loading");

/** Holds what the page asks for, except its events, until it is let go. */
async function hold(): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.unrouteAll();
  await page.route("**/*", async (route) => {
    if (!route.request().url().includes("/events")) await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

/** Does each in turn, and expects the page to say each time that it is loading. */
async function expectLoading(changes: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const change of changes) {
    const letGo = await hold();
    await change();
    await announced().waitFor({ state: "attached" });
    expect(await lines().count()).toBeGreaterThan(1);
    letGo();
    await expect.poll(() => lines().count()).toBe(0);
  }
}

test.each(LISTS)("%s says that it is loading while it is searched", async (path) => {
  await showPage(page, path);
  const search = main().getByRole("searchbox").first();
  // what was held before: entries at first, then nothing
  await expectLoading([
    () => search.fill("nothing has this name"),
    () => search.fill("nor this"),
  ]);
});

test("the audit log says that it is loading while it is narrowed", async () => {
  await showPage(page, "/admin/audit");
  const action = main().getByLabel("What was done");
  await expectLoading([
    () => action.selectOption({ index: 1 }),
    () => action.selectOption({ index: 2 }),
  ]);
});

test("what a list held stays in sight when the answer to a search comes at once", async () => {
  await page.clock.install();
  await showPage(page, "/admin/roles");
  await showPage(page, "/admin/users");
  const rows = main().getByRole("row");
  const before = await rows.count();
  expect(before).toBeGreaterThan(2);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const letGo = await hold();
  const asked = page.waitForRequest(/query=nothing/);
  await main().getByRole("searchbox").fill("nothing has this name");
  await page.clock.runFor(260);
  await asked;
  expect(await lines().count()).toBe(0);
  expect(await rows.count()).toBe(before);
  letGo();
  await page.clock.resume();
  await main().getByText("No user fits").waitFor();
});
