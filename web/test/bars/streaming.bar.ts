import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { answerSlowly, ask, untilAnswered } from "./support/answering.ts";
import { combineNoise, expectBar, SAMPLES } from "./support/bar.ts";
import { longTasksDuring } from "./support/long-tasks.ts";
import { measureNoise, type Noise } from "./support/noise.ts";
import { beginProcessorTime } from "./support/processor-time.ts";
import { recordEvents } from "./support/record-events.ts";
import { throttle } from "./support/throttle.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function openPage(rate: number): Promise<Page> {
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await throttle(page, rate);
  return page;
}

/** An answer of 20 kB that nobody touches. */
async function watchAnswer(rate: number) {
  const page = await openPage(rate);
  const tokens = answerSlowly(app);
  const used = await beginProcessorTime(page);
  const startedAt = performance.now();
  const tasks = await longTasksDuring(app.browser, page, async () => {
    await ask(page, "How many holidays?");
    await untilAnswered(page);
  });
  const durationMs = performance.now() - startedAt;
  const { scriptMs } = await used();
  await page.context().close();
  return {
    tokensPerSecond: (tokens.length * 1_000) / durationMs,
    longest: tasks[0] ?? 0,
    count: tasks.length,
    script: (scriptMs * 100) / durationMs,
  };
}

test("20 kB at 200 tokens a second", async () => {
  await watchAnswer(1); // fetches what an answer needs, and warms the server up
  for (const [rate, limit] of [
    [1, 75],
    [4, 200],
  ] as const) {
    const samples: Awaited<ReturnType<typeof watchAnswer>>[] = [];
    for (let at = 0; at < SAMPLES; at += 1) samples.push(await watchAnswer(rate));
    const of = (figure: keyof (typeof samples)[0]) =>
      samples.map((sample) => sample[figure]);
    console.log(`tokens a second: ${of("tokensPerSecond").map(Math.round).join(", ")}`);
    const ms = "ms of processor time";
    expectBar({ name: `longest task, ${rate}×`, unit: ms, figures: of("longest"), limit });
    if (rate > 1) continue;
    expectBar({
      name: "long tasks",
      unit: "of over 50 ms",
      figures: of("count"),
      limit: 2,
    });
    expectBar({ name: "script", unit: "% of the time", figures: of("script"), limit: 15 });
  }
}, 900_000);

/** Someone writes, scrolls and opens a menu while an answer grows. */
async function interact(rate: number): Promise<number> {
  const page = await openPage(rate);
  answerSlowly(app, 8_000);
  await ask(page, "How many holidays?");
  const events = await recordEvents(page);
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.pressSequentially("And how many after five years?", { delay: 60 });
  await page.getByRole("log").hover();
  for (let at = 0; at < 5; at += 1) await page.mouse.wheel(0, at % 2 ? 300 : -300);
  await composer.click();
  await composer.pressSequentially(" Please.", { delay: 60 });
  const worst = await events.worstMs();
  const isStillAnswering = await page.getByRole("button", { name: "Stop" }).isVisible();
  await untilAnswered(page);
  await page.context().close();
  expect(isStillAnswering, "the answer grows until the last event").toBe(true);
  return worst;
}

test("the page answers to a hand while an answer grows", async () => {
  for (const [rate, limit] of [
    [1, 100],
    [4, 200],
  ] as const) {
    const noises: Noise[] = [];
    const figures: number[] = [];
    for (let at = 0; at < SAMPLES; at += 1) {
      noises.push(await measureNoise(app.browser));
      figures.push(await interact(rate));
    }
    const noise = combineNoise(noises);
    expectBar({ name: `worst event, ${rate}×`, unit: "ms", figures, limit, noise });
  }
}, 600_000);
