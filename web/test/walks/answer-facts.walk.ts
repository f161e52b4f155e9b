import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

/** What an answer costs and how much of the context it fills, and the direction of its parts. */

const ARABIC = "هذه فقرة بالعربية عن الإجازات.";
const ANSWER = `${ARABIC}\n\nThis one is in English.\n\n| Word | كلمة |\n|---|---|\n| leave | إجازة |\n`;

let app: App;
let address: string;
beforeAll(async () => {
  app = await startApp();
  app.provider.answerTurns({
    text: [ANSWER],
    usage: { inputTokens: 600, outputTokens: 50 },
  });
  const sent = await asksOf(app).post<{ conversationId: string }>("/api/v1/conversation", {
    content: "What is leave?",
    stream: false,
  });
  address = `/c/${sent.conversationId}`;
});
afterAll(() => app[Symbol.asyncDispose]());

/** Lets the model of the answer have a price, and read so many tokens at once. */
async function withFacts(page: Page, contextWindow: number): Promise<void> {
  await page.route("**/selections/completion?*", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { items: object[] };
    const pricing = { inputPerMillion: 10, outputPerMillion: 30, currency: "EUR" };
    const items = body.items.map((item) => ({ ...item, contextWindow, pricing }));
    await route.fulfill({ response: answer, json: { ...body, items } });
  });
}

test("an answer says what it costs, and the composer how much of the context is used", async () => {
  const page = await app.openSignedIn();
  await withFacts(page, 2_000);
  await page.goto(address);
  const main = page.getByRole("main");
  await main.getByText("650 tokens · about €0.0075").waitFor();
  await main
    .getByText("About 33% of what the model can read at once is used.", { exact: true })
    .waitFor();
  expect(await main.getByRole("meter", { name: "Used context of the model" }).count()).toBe(
    1,
  );
  expect(await brokenRules(page)).toEqual([]);
  await look(page, "context-meter-1400");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("on a phone, in German, it says that older messages may be summed up", async () => {
  const page = await app.openSignedIn({
    viewport: PHONE,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await withFacts(page, 1_000);
  await page.goto(address);
  await page.getByRole("main").getByText("werden womöglich zusammengefasst").waitFor();
  await look(page, "context-meter-390-de");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a model without a price costs nothing that is said, and an empty context is not worth a bar", async () => {
  const page = await app.openSignedIn();
  await page.goto(address);
  const main = page.getByRole("main");
  await main.getByText("650 tokens", { exact: true }).waitFor();
  await main.getByRole("textbox", { name: "Message" }).waitFor();
  expect(await main.getByRole("meter").count()).toBe(0);
  await page.context().close();
});

test("each block and each cell has the direction of its own words", async () => {
  const page = await app.openSignedIn();
  await page.goto(address);
  const answer = page.getByRole("article", { name: "Answer" });
  const isRightToLeft = (text: string) =>
    answer.getByText(text, { exact: true }).evaluate((item) => item.matches(":dir(rtl)"));
  await answer.getByText(ARABIC).waitFor();
  expect(await isRightToLeft(ARABIC)).toBe(true);
  expect(await isRightToLeft("This one is in English.")).toBe(false);
  expect(await isRightToLeft("leave")).toBe(false);
  expect(await isRightToLeft("إجازة")).toBe(true);
  await look(page, "directions");
  await page.context().close();
});
