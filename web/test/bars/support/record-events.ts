import type { Page } from "playwright-core";

const BEGIN = `
  globalThis.longestEvent = { name: "", duration: 0 };
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (duration > globalThis.longestEvent.duration) globalThis.longestEvent = { name, duration };
  }).observe({ type: "event", durationThreshold: 16 });`;
const END = `new Promise((resolve) =>
  requestAnimationFrame(() => setTimeout(() => resolve(globalThis.longestEvent.duration), 100)))`;

/** Records how long the page takes from an event to the next frame (PerformanceEventTiming). */
export async function recordEvents(page: Page): Promise<{ worstMs(): Promise<number> }> {
  await page.evaluate(BEGIN);
  return {
    worstMs: async () => (await page.evaluate(END)) as number, // milliseconds
  };
}
