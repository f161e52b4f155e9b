import { rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { combineNoise, expectBar, SAMPLES } from "./support/bar.ts";
import { measureNoise, type Noise } from "./support/noise.ts";
import { seedLists } from "./support/seed-lists.ts";

const SIZES = { users: 10_000, conversations: 100_000, documents: 50_000, rules: 1_000 };
const PAGES: Record<string, string> = {
  users: "/admin/users",
  conversations: "/history",
  documents: "/documents",
  rules: "/automations",
};
/** The last one of each list. */
const SEARCHED = (name: string) => `Seeded ${SIZES[name as keyof typeof SIZES] - 1}`;

let dataDir: string;
let app: App;
beforeAll(async () => {
  dataDir = await seedLists(SIZES);
  app = await startApp({ env: { DATA_DIR: dataDir } });
}, 1_200_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

/** Resolves with the time at which the page itself, and not the sidebar, shows a row. */
const WATCH = `globalThis.rowShown = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    const rows = [...document.querySelectorAll("main li, main tbody tr")];
    if (!rows.some(({ textContent }) => textContent.includes("Seeded"))) return;
    observer.disconnect();
    resolve(performance.now());
  }).observe(document, { childList: true, subtree: true });
})`;

/** @returns the milliseconds from the navigation to the first row. */
async function open(page: Page, address: string): Promise<number> {
  await page.goto(address);
  return (await page.evaluate("globalThis.rowShown")) as number; // a number of milliseconds
}

test.each(Object.entries(PAGES))("the list of all %s", async (name, address) => {
  const noises: Noise[] = [];
  const opened: number[] = [];
  const searched: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    noises.push(await measureNoise(app.browser));
    const page = await app.openSignedIn();
    await page.addInitScript(WATCH);
    await open(page, address); // the browser keeps the app; a first visit has its own bar
    opened.push(await open(page, address));
    const query = new URLSearchParams({ q: SEARCHED(name) });
    searched.push(await open(page, `${address}?${query}`));
    await page.context().close();
  }
  const ms = { unit: "ms", limit: 1_000, noise: combineNoise(noises) };
  expectBar({ ...ms, name: `${name}, opened`, figures: opened });
  expectBar({ ...ms, name: `${name}, searched`, figures: searched });
});
