import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";
import { ask, untilAnswered } from "./support/answering.ts";
import { expectBar } from "./support/bar.ts";
import { longAnswer } from "./support/long-answer.ts";

/** What someone reads in an hour. */
const ANSWERS = Number(process.env["BARS_ANSWERS"] ?? 40);
/** The first ones load what the app needs. */
const WARM_UPS = 4;

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function readHeld(session: CDPSession) {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name: string) =>
    metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    megabytes: of("JSHeapUsedSize") / 1e6,
    nodes: of("Nodes"),
    listeners: of("JSEventListeners"),
  };
}

async function askTimes(page: Page, times: number, name: string): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await ask(page, `${name} question number ${at}, please`);
    await untilAnswered(page);
  }
}

test(`${ANSWERS} answers of 20 kB leave no more than themselves in memory`, async () => {
  const page = await app.openSignedIn();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  answerWith(app.provider, longAnswer(20_000, 100));
  await page.goto("/");
  await askTimes(page, WARM_UPS, "First");
  const before = await readHeld(session);
  await askTimes(page, ANSWERS, "Next");
  const after = await readHeld(session);
  const bar = (name: string, unit: string, of: keyof typeof after, limit: number) =>
    expectBar({ name, unit, figures: [after[of] - before[of]], limit });
  console.log(`held at first: ${JSON.stringify(before)}`);
  bar("the heap grows by", "MB", "megabytes", 10);
  bar("nodes grow by", "", "nodes", 2_000);
  bar("listeners grow by", "", "listeners", 100);
}, 1_200_000);
