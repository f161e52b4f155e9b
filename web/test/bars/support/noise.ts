import type { Browser } from "playwright-core";
import { beginProcessorTime } from "./processor-time.ts";
import { recordEvents } from "./record-events.ts";

/** What the machine does to a blank page, measured beside the app. */
export interface Noise {
  /** How many times its processor time a fixed piece of work takes. 1 on a machine at rest. */
  slowness: number;
  framesPerSecond: number;
  worstEventMs: number;
}

const WORK = `(() => {
  const startedAt = performance.now();
  let sum = 0;
  for (let at = 0; at < 3e8; at += 1) sum = (sum + at) | 0;
  return performance.now() - startedAt + (sum === 1 ? 1 : 0);
})()`;
const FRAMES = `new Promise((resolve) => {
  const startedAt = performance.now();
  let count = 0;
  const next = (now) => {
    count += 1;
    if (now - startedAt < 1_000) requestAnimationFrame(next);
    else resolve((count * 1_000) / (performance.now() - startedAt));
  };
  requestAnimationFrame(next);
})`;

/** A blank page does the same things, so that a busy machine is not taken for a slow app. */
export async function measureNoise(browser: Browser): Promise<Noise> {
  const page = await browser.newPage();
  await page.setContent("<textarea></textarea>");
  const used = await beginProcessorTime(page);
  const workMs = (await page.evaluate(WORK)) as number; // a number of milliseconds
  const { taskMs } = await used();
  const events = await recordEvents(page);
  await page.locator("textarea").pressSequentially("a blank page", { delay: 40 });
  const worstEventMs = await events.worstMs();
  const framesPerSecond = (await page.evaluate(FRAMES)) as number; // a number of frames
  await page.close();
  return { slowness: Math.max(1, workMs / taskMs), framesPerSecond, worstEventMs };
}
