import type { Page } from "playwright-core";
import { type App, answerWith } from "../../support/app.ts";
import { longAnswer } from "./long-answer.ts";

/** A little less than five: the timer of the provider adds the rest. */
const TOKEN_DELAY_MS = 4;

/** The provider answers with so many characters at about 200 tokens a second. */
export function answerSlowly(app: App, characters?: number): string[] {
  const tokens = longAnswer(characters);
  answerWith(app.provider, tokens, TOKEN_DELAY_MS);
  return tokens;
}

/**
 * The newest row of the thread, where the answer to the last question is. By selectors: a search
 * by role visits every element of the page, and its time would count as the page's.
 */
const newest = (page: Page) => page.locator("[role=log] > div > div").last();

/** Asks, and resolves once the answer has begun. */
export async function ask(page: Page, question: string): Promise<void> {
  await page.locator("textarea").fill(question);
  await page.keyboard.press("Enter");
  await page.locator("article", { hasText: question }).waitFor();
  await newest(page).locator("article", { hasText: "Holidays" }).waitFor();
}

/** Resolves when the answer is whole. */
export async function untilAnswered(page: Page): Promise<void> {
  await newest(page).locator("article[aria-busy=false]").waitFor();
  await page.locator("button[aria-label=Send]").waitFor();
}
