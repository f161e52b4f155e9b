import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";
import { type FakeSpeech, fakeSpeech } from "../support/fake-speech.ts";
import { enterOn, hasFocus, tabTo } from "../support/tab-to.ts";

let app: App;
let page: Page;
let speech: FakeSpeech;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
  speech = await fakeSpeech(page);
});
afterAll(() => app[Symbol.asyncDispose]());

const message = () => page.getByRole("textbox", { name: "Message" });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const calls = async () => (await speech.recognitions()).map((one) => one.calls.join(" "));
const written = (text: string) => expect.poll(() => message().inputValue()).toBe(text);
const queued = (...texts: string[]) => expect.poll(() => speech.queue()).toEqual(texts);

test("a message is dictated by mouse, after what was typed, and then sent by Enter", async () => {
  answerWith(app.provider, ["Heard"]);
  await page.goto("/");
  await message().fill("Dear all,");
  await button("Dictate").click();
  await speech.hear(" the harbour ");
  await written("Dear all, the harbour");
  await speech.hear("is closed");
  await written("Dear all, the harbour is closed");
  await button("Stop dictating").click();
  await button("Dictate").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Answer" }).getByText("Heard").waitFor();
  await expect.poll(() => speech.recognitions()).toMatchObject([{ lang: "en" }]);
});

test("by keyboard, Enter ends the dictation and does not send what was understood", async () => {
  await page.goto("/");
  await enterOn(page, button("Dictate"));
  await speech.hear("unfinished");
  await written("unfinished");
  await expect.poll(() => hasFocus(button("Stop dictating"))).toBe(true);
  await page.keyboard.press("Enter");
  await button("Dictate").waitFor();
  await expect.poll(calls).toEqual(["start stop"]);
  await expect.poll(() => hasFocus(message())).toBe(true);
  await written("unfinished");
  await message().fill("");
});

test.each([
  ["not-allowed", "does not let this page use the microphone"],
  ["audio-capture", "finds no microphone"],
  ["no-speech", "Nothing was heard"],
  ["network", "cannot reach the service"],
  ["something-new", "stopped listening"],
])(
  "a dictation that fails with %s says why, and can be tried again",
  async (reason, text) => {
    await page.goto("/");
    await button("Dictate").click();
    await speech.failListening(reason);
    await page.getByRole("status").getByText(text).waitFor();
    await button("Dictate").click();
    await speech.hear("now");
    await written("now");
    await message().fill("");
  },
);

test("what is understood after the page is left is written nowhere", async () => {
  await page.goto("/");
  await button("Dictate").click();
  await page.getByRole("link", { name: "Agents", exact: true }).first().click();
  await page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
  await expect.poll(calls).toEqual(["start abort"]);
  await page.goto("/");
  await written("");
});

/** @returns the address of a conversation with two answers. */
async function converse(): Promise<string> {
  answerWith(app.provider, ["First sentence. Second one.\n\n```js\nlet code;\n```"]);
  await page.goto("/");
  for (const count of [1, 2]) {
    await message().fill("Say something");
    await page.keyboard.press("Enter");
    await expect.poll(() => button("Read aloud").count()).toBe(count);
  }
  await button("Send").waitFor();
  return page.url();
}

const SENTENCES = ["First sentence.", "Second one."];

test("an answer is read sentence by sentence, by mouse and by keyboard, until its end", async () => {
  await converse();
  await button("Read aloud").first().click();
  await queued(...SENTENCES);
  await speech.finish();
  await queued("Second one.");
  await button("Stop reading").waitFor();
  await speech.finish();
  await button("Stop reading").waitFor({ state: "detached" });
  await enterOn(page, button("Read aloud").last());
  await queued(...SENTENCES);
  await expect.poll(() => hasFocus(button("Stop reading"))).toBe(true);
  await page.keyboard.press("Enter");
  await queued();
  await expect.poll(() => button("Read aloud").count()).toBe(2);
});

test("reading another answer ends the first, and its late events do not end the second", async () => {
  await converse();
  await button("Read aloud").first().click();
  await queued(...SENTENCES);
  await button("Read aloud").last().click();
  await queued(...SENTENCES);
  const late = page.getByRole("article", { name: "Answer" });
  await late.last().getByRole("button", { name: "Stop reading" }).waitFor();
  await tabTo(page, message());
  // the way to end it stays in sight without pointer and focus
  const opacity = () =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('[aria-label="Stop reading"]').parentElement).opacity`,
    );
  await expect.poll(opacity).toBe("1");
  await expect.poll(() => button("Stop reading").count()).toBe(1);
  await speech.failSpeaking("synthesis-failed");
  await page.getByRole("status").getByText("cannot read this aloud").waitFor();
  await queued();
  await expect.poll(() => button("Stop reading").count()).toBe(0);
});

test("reading ends when the conversation is left, and when the page is", async () => {
  const address = await converse();
  await button("Read aloud").last().click();
  await queued(...SENTENCES);
  await page.getByRole("link", { name: "Agents", exact: true }).first().click();
  await page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
  await queued();
  await page.goto(address);
  await button("Read aloud").last().click();
  await queued(...SENTENCES);
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))");
  await queued();
});

test("without speech in the browser nothing of it is offered", async () => {
  const silent = await app.openSignedIn();
  await silent.addInitScript(
    "delete globalThis.webkitSpeechRecognition; delete globalThis.SpeechRecognition;" +
      "delete globalThis.speechSynthesis; delete Window.prototype.speechSynthesis;",
  );
  await silent.goto(await converse());
  await silent.getByRole("button", { name: "Copy", exact: true }).first().waitFor();
  for (const name of ["Dictate", "Read aloud"])
    expect(await silent.getByRole("button", { name, exact: true }).count()).toBe(0);
  await silent.context().close();
  expect(app.problems).toEqual([]);
});

test("in German the browser listens for German, and says in German why it cannot", async () => {
  const german = await app.openSignedIn({ locale: "de-DE" });
  const fake = await fakeSpeech(german);
  await german.goto("/");
  await german.getByRole("button", { name: "Diktieren", exact: true }).click();
  await expect.poll(() => fake.recognitions()).toMatchObject([{ lang: "de" }]);
  await fake.failListening("not-allowed");
  await german.getByRole("status").getByText("das Mikrofon nicht benutzen").waitFor();
  await german.context().close();
});
