import { afterAll, beforeAll, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { combineNoise, expectBar, SAMPLES } from "./support/bar.ts";
import { measureNoise, type Noise } from "./support/noise.ts";
import { beginProcessorTime } from "./support/processor-time.ts";
import { throttle } from "./support/throttle.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Notes when the composer can be used: what is measured is the page, not the test that waits. */
const WATCH = `globalThis.composerUsable = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    const composer = document.querySelector("textarea");
    if (!composer || composer.disabled) return;
    observer.disconnect();
    resolve(performance.now());
  }).observe(document, { childList: true, subtree: true, attributes: true });
})`;
const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName("first-contentful-paint");
    if (paint) resolve(paint.startTime);
  }).observe({ type: "paint", buffered: true });
})`;
/** Without the typefaces, which come beside it: text is shown before they are there. */
const KILOBYTES = `performance.getEntriesByType("resource")
  .filter(({ name }) => !name.includes("/api/") && !name.endsWith(".woff2"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1_000`;

/** A first visit: nothing is cached. */
async function load(rate: number) {
  const page = await app.openSignedIn({ extraHTTPHeaders: { "accept-encoding": "gzip" } });
  await throttle(page, rate);
  await page.addInitScript(`globalThis.requestIdleCallback = () => 0; ${WATCH}`);
  const used = await beginProcessorTime(page);
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const read = async (expression: string) => (await page.evaluate(expression)) as number; // each is
  const composerMs = await read("globalThis.composerUsable");
  const fcpMs = await read(PAINTED);
  const { taskMs } = await used();
  const kb = await read(KILOBYTES);
  await page.context().close();
  return { composerMs, fcpMs, kb, taskMs };
}

test("a first visit", async () => {
  await load(1); // the server compiles what it has not run yet
  const noises: Noise[] = [];
  const usual: Awaited<ReturnType<typeof load>>[] = [];
  const slow: typeof usual = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    noises.push(await measureNoise(app.browser));
    usual.push(await load(1));
    slow.push(await load(4));
  }
  const ms = { unit: "ms", noise: combineNoise(noises) };
  const kb = usual.map((one) => one.kb);
  expectBar({ name: "first load", unit: "kB", figures: kb, limit: 200 });
  const work = usual.map(({ taskMs }) => taskMs);
  expectBar({ name: "its processor time", unit: "ms", figures: work, limit: 1_000 });
  const paints = usual.map(({ fcpMs }) => fcpMs);
  expectBar({ ...ms, name: "first contentful paint", figures: paints, limit: 500 });
  const composers = (loads: typeof usual) => loads.map(({ composerMs }) => composerMs);
  expectBar({ ...ms, name: "composer usable", figures: composers(usual), limit: 1_000 });
  expectBar({ ...ms, name: "composer usable, 4×", figures: composers(slow), limit: 1_500 });
});
