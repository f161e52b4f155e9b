import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type FakeMediaProvider,
  startFakeMediaProvider,
} from "../../../test/support/fake-media-provider.ts";
import { answerWith, type App, startApp } from "../support/app.ts";
import { fakeSound } from "../support/fake-sound.ts";

/** Dictation and reading aloud by models of the server. */

let app: App;
let page: Page;
let models: FakeMediaProvider;
let sound: Awaited<ReturnType<typeof fakeSound>>;
beforeAll(async () => {
  models = await startFakeMediaProvider();
  app = await startApp();
  const post = (path: string, body: object) =>
    app.server.request(`/api/v1${path}`, { body });
  await post("/model-providers", {
    name: "sound",
    displayName: "Sound",
    kind: "openai-compatible",
    config: { baseUrl: models.url, apiKey: "key" },
  });
  for (const [kind, id] of [
    ["speech", "voice"],
    ["transcription", "ear"],
  ] as const) {
    await post("/models", { id, name: id, kind });
    const offer = { modelId: id, providerName: "sound", providerModelId: id };
    await post("/available-models", { id: `sound/${id}`, ...offer });
  }
  page = await app.openSignedIn();
  sound = await fakeSound(page);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const message = () => page.getByRole("textbox", { name: "Message" });
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("what is said is written down by a model, after what was typed", async () => {
  await page.goto("/");
  await message().fill("Dear all,");
  await button("Dictate").click();
  await button("Stop dictating").click();
  await expect.poll(() => message().inputValue()).toBe("Dear all, Hello.");
  await button("Dictate").waitFor();
  expect(models.requests.at(-1)).toMatchObject({
    path: "/v1/audio/transcriptions",
    body: { model: "ear", language: "en" },
    file: { name: "dictation.webm", type: "audio/webm", bytes: Buffer.from("spoken") },
  });
  await message().fill("");
});

test("without the microphone it says why, and can be tried again", async () => {
  await page.evaluate("globalThis.refuses = true");
  await button("Dictate").click();
  await page
    .getByRole("status")
    .getByText("does not let this page use the microphone")
    .waitFor();
  await page.evaluate("globalThis.refuses = false");
  await button("Dictate").click();
  await button("Stop dictating").click();
  await expect.poll(() => message().inputValue()).toBe("Hello.");
  await message().fill("");
});

test("an answer is read by a model, part by part, until it is stopped", async () => {
  answerWith(app.provider, [`First sentence. ${"Another one of them. ".repeat(30)}`]);
  await message().fill("Say something");
  await page.keyboard.press("Enter");
  await button("Read aloud").click();
  await expect.poll(() => sound.played()).toBe(1);
  const spoken = () => models.requests.filter(({ path }) => path.endsWith("/audio/speech"));
  await expect.poll(() => spoken().length).toBe(2);
  expect(spoken()[0]?.body).toMatchObject({ model: "voice" });
  await page.evaluate("newest.dispatchEvent(new Event('ended'))");
  await expect.poll(() => sound.played()).toBe(2);
  await button("Stop reading").click();
  await button("Read aloud").waitFor();
  expect(app.problems).toEqual([]);
});
