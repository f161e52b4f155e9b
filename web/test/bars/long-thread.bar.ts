import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { answerSlowly, ask, untilAnswered } from "./support/answering.ts";
import { combineNoise, expectBar, SAMPLES } from "./support/bar.ts";
import { longTasksDuring } from "./support/long-tasks.ts";
import { writeThread } from "./support/long-thread.ts";
import { measureNoise, type Noise } from "./support/noise.ts";
import { scrollUp } from "./support/scroll.ts";

const MESSAGES = Number(process.env["BARS_MESSAGES"] ?? 2_000);
const SCROLL_MS = 8_000;

let app: App;
let conversationId: string;
beforeAll(async () => {
  app = await startApp();
  conversationId = await writeThread(app, MESSAGES);
});
afterAll(() => app[Symbol.asyncDispose]());

const LAST = `Question ${MESSAGES / 2 - 1}`;
/** Resolves with the time at which the last message is there. */
const WATCH = `globalThis.lastShown = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    const messages = [...document.querySelectorAll("article")];
    if (!messages.some(({ textContent }) => textContent.includes("${LAST}"))) return;
    observer.disconnect();
    resolve(performance.now());
  }).observe(document, { childList: true, subtree: true });
})`;

/** @returns the milliseconds from the navigation to the last message. */
async function open(page: Page): Promise<number> {
  await page.goto(`/c/${conversationId}`);
  return (await page.evaluate("globalThis.lastShown")) as number; // a number of milliseconds
}

test(`a thread of ${MESSAGES} messages`, async () => {
  const noises: Noise[] = [];
  const opened: number[] = [];
  const scrolled: Awaited<ReturnType<typeof scrollUp>>[] = [];
  const nodes: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    noises.push(await measureNoise(app.browser));
    const page = await app.openSignedIn();
    await page.addInitScript(WATCH);
    await open(page); // the browser keeps the app; a first visit has its own bar
    opened.push(await open(page));
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    scrolled.push(await scrollUp(page, SCROLL_MS));
    nodes.push(await page.locator("*").count());
    await page.context().close();
  }
  const noise = combineNoise(noises);
  expectBar({ name: "last message", unit: "ms", figures: opened, limit: 600, noise });
  const frames = scrolled.map(({ framesPerSecond }) => framesPerSecond);
  const fast = { unit: "frames/s", limit: 55, atLeast: true };
  expectBar({ ...fast, name: "scrolling", figures: frames, noise });
  const jumps = scrolled.map(({ jumpPx }) => jumpPx);
  console.log(`scrolled: ${scrolled.map(({ distancePx }) => distancePx).join(", ")} px`);
  expectBar({ name: "farthest jump", unit: "px", figures: jumps, limit: 2 });
  expectBar({ name: "elements", unit: "", figures: nodes, limit: 15_000 });
});

test("an answer of 20 kB at its end", async () => {
  const longest: number[] = [];
  const counts: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const page = await app.openSignedIn();
    await page.goto(`/c/${conversationId}`);
    await page.locator("[role=log] article").first().waitFor();
    answerSlowly(app);
    const tasks = await longTasksDuring(app.browser, page, async () => {
      await ask(page, `How many holidays, for the time number ${sample}?`);
      await untilAnswered(page);
    });
    longest.push(tasks[0] ?? 0);
    counts.push(tasks.length);
    await page.context().close();
  }
  const ms = "ms of processor time";
  expectBar({ name: "longest task", unit: ms, figures: longest, limit: 75 });
  expectBar({ name: "long tasks", unit: "of over 50 ms", figures: counts, limit: 2 });
}, 900_000);
