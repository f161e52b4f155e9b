import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";

const LINES = Array.from({ length: 150 }, (_, at) => `Line ${at} of the answer.\n\n`);
/** Within it the end counts as reached. */
const END_PX = 60;

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const fromEnd = (page: Page) =>
  page.locator("[role=log]").evaluate((log: ScrollBox) => {
    return log.scrollHeight - log.clientHeight - log.scrollTop;
  });
interface ScrollBox {
  scrollHeight: number;
  clientHeight: number;
  scrollTop: number;
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(question);
  await page.keyboard.press("Enter");
}
/** In the thread alone: for screen readers the same text stands in an element of its own. */
const inThread = (page: Page, text: string) =>
  page.getByRole("log").getByText(text, { exact: true });
const untilAnswered = (page: Page) =>
  page.getByRole("button", { name: "Send", exact: true }).waitFor();

test("the end stays in view while answers come at once, until the user scrolls up", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  for (let at = 0; at < 8; at += 1) {
    answerWith(app.provider, [...LINES, `End of answer ${at}.`]);
    await ask(page, `Quick question ${at}`);
    await inThread(page, `End of answer ${at}.`).waitFor();
    await untilAnswered(page);
    await expect.poll(() => fromEnd(page)).toBeLessThan(END_PX);
  }

  answerWith(app.provider, LINES, 100);
  await ask(page, "A slow question");
  await inThread(page, "A slow question").waitFor();
  await inThread(page, "Line 20 of the answer.").last().waitFor();
  await page.locator("[role=log]").hover();
  await page.mouse.wheel(0, -2_000);
  await page.getByRole("button", { name: "To the newest message" }).waitFor();
  const away = await fromEnd(page);
  await expect.poll(() => fromEnd(page)).toBeGreaterThan(away);
  await page.getByRole("button", { name: "Stop the answer", exact: true }).click();
  await untilAnswered(page);
  expect(await fromEnd(page)).toBeGreaterThan(away);

  answerWith(app.provider, [...LINES, "End of the last answer."]);
  await ask(page, "Asked while reading above");
  await inThread(page, "End of the last answer.").waitFor();
  await expect.poll(() => fromEnd(page)).toBeLessThan(END_PX);
  expect(app.problems).toEqual([]);
});
