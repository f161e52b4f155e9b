import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { median } from "../../../bench/measure.ts";
import { answerWith, type App, startApp } from "../support/app.ts";
import { ask, untilAnswered } from "./support/answering.ts";
import { expectBar, SAMPLES } from "./support/bar.ts";
import { cutIntoTokens, longAnswer } from "./support/long-answer.ts";
import { beginProcessorTime } from "./support/processor-time.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const SIZE = 20_000;
const TOKEN_DELAY_MS = 4;
/** So many answers stand above the one that is measured last. */
const EARLIER = Number(process.env["BARS_EARLIER"] ?? 39);

/** So many lines of about the same length, which are 20 kB together. */
function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join("\n");
}

const SENTENCE = "Everybody has thirty days of holidays, and one more after five years. ";
const PARAGRAPH = `${SENTENCE.repeat(4).trim()}\n\n`;
const BEGIN = "Holidays\n\n";

const TEXTS = {
  "plain text": BEGIN + PARAGRAPH.repeat(Math.ceil(SIZE / PARAGRAPH.length)),
  "one list": BEGIN + lines(500, (at) => `- Entry ${at} of everybody's holidays`),
  "one table":
    `${BEGIN}| Name | Days |\n| --- | ---: |\n` +
    lines(500, (at) => `| Entry number ${at} of all | ${at % 31} days |`),
  "one block of code":
    `${BEGIN}\`\`\`ts\n` + lines(1_000, (at) => `const n${at} = ${at};`) + "\n```\n",
};

/** The processor time of the page's main thread for one answer. */
async function timeOf(page: Page, text: string): Promise<number> {
  answerWith(app.provider, cutIntoTokens(text), TOKEN_DELAY_MS);
  const used = await beginProcessorTime(page);
  await ask(page, `How many holidays? ${Math.random().toString(36).slice(2, 8)}`);
  await untilAnswered(page);
  return (await used()).taskMs;
}

async function openPage(): Promise<Page> {
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  return page;
}

/** As the first answer of a conversation. */
async function timeOfFirst(text: string): Promise<number> {
  const page = await openPage();
  const ms = await timeOf(page, text);
  await page.context().close();
  return ms;
}

test("an answer costs what it is long, whatever it is made of", async () => {
  await timeOfFirst(TEXTS["one block of code"]); // fetches what an answer needs
  const times = new Map<string, number[]>();
  for (let at = 0; at < SAMPLES; at += 1)
    for (const [name, text] of Object.entries(TEXTS))
      times.set(name, [...(times.get(name) ?? []), await timeOfFirst(text)]);
  const plain = times.get("plain text") ?? [];
  console.log(`plain text: ${plain.map(Math.round).join(", ")} ms of processor time`);
  for (const [name, ms] of times) {
    const figures = ms.map((one) => one / median(plain));
    expectBar({ name, unit: "× plain text", figures, limit: 1.2 });
  }
}, 1_200_000);

test(`an answer below ${EARLIER} others costs what the first one did`, async () => {
  const page = await openPage();
  const text = longAnswer(SIZE).join("");
  answerWith(app.provider, longAnswer(SIZE, 200));
  await ask(page, "Is it warm?");
  await untilAnswered(page);
  await page.goto("/");
  const first: number[] = [];
  for (let at = 0; at < SAMPLES; at += 1) first.push(await timeOfFirst(text));
  for (let at = 0; at < EARLIER; at += 1) {
    answerWith(app.provider, longAnswer(SIZE, 200));
    await ask(page, `Question number ${at} of them, please`);
    await untilAnswered(page);
  }
  const last: number[] = [];
  for (let at = 0; at < SAMPLES; at += 1) last.push(await timeOf(page, text));
  console.log(`the first: ${first.map(Math.round).join(", ")} ms of processor time`);
  const figures = last.map((one) => one / median(first));
  expectBar({ name: `the ${EARLIER + 1}th`, unit: "× the first", figures, limit: 1.2 });
}, 1_200_000);
