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

/** Asks, and resolves once the answer has begun. */
export async function ask(page: Page, question: string): Promise<void> {
  const answers = page.getByRole("article", { name: "Answer" });
  await page.getByRole("textbox", { name: "Message" }).fill(question);
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "You" }).getByText(question).waitFor();
  await answers.last().locator(".markdown").getByText("Holidays").first().waitFor();
}

/** Resolves when the answer is whole. */
export const untilAnswered = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Send" }).waitFor();
