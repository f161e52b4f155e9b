import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import {
  type FakeMediaProvider,
  startFakeMediaProvider,
} from "../../../test/support/fake-media-provider.ts";
import { actionsOf } from "../support/actions-of.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

let app: App;
let media: FakeMediaProvider;
beforeAll(async () => {
  media = await startFakeMediaProvider();
  app = await startApp();
  answerWith(app.provider, ["An answer."]);
  for (let asked = 0; asked < 3; asked += 1) {
    await app.server.request("/api/v1/conversation", {
      body: { content: "A question", stream: false },
    });
  }
  await vi.waitFor(async () => {
    const answer = await app.server.request("/api/v1/usage?groupBy=model");
    const { items } = (await answer.json()) as { items: { requests: number }[] };
    expect(items[0]?.requests ?? 0).toBeGreaterThanOrEqual(3);
  }, 90_000);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await media[Symbol.asyncDispose]();
});

test("a report shows days and models, and the days of one model alone", async () => {
  const page = await app.openSignedIn();
  await page.goto("/usage");
  await page.getByRole("img", { name: "Tokens on each of the last 30 days" }).waitFor();
  await page.getByRole("link", { name: "openai/gpt-test" }).click();
  await page.getByRole("img", { name: /last 30 days, narrowed/ }).waitFor();
  expect(page.url()).toContain("only=");
  await page.getByLabel("Show", { exact: true }).selectOption("requests");
  await page.getByRole("img", { name: /^Answers on each/ }).waitFor();
  await page.getByText("As a table").click();
  await page.getByRole("table", { name: /^Answers on each/ }).waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByLabel("By").selectOption("user");
  await page.getByRole("columnheader", { name: "Person" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("images and minutes of recordings have columns once there are some, and days of their own", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/usage");
  const heads = page.getByRole("columnheader");
  await heads.filter({ hasText: "Tokens in" }).waitFor();
  expect(await heads.filter({ hasText: "Images" }).count()).toBe(0);
  await makeMedia();
  await showPage(page, "/usage");
  await heads.filter({ hasText: "Images" }).waitFor();
  await heads.filter({ hasText: "Minutes of recordings" }).waitFor();
  const painter = page.getByRole("row").filter({ hasText: "media/painter" });
  expect(await painter.innerText()).toMatch(/\t1\t/);
  const ear = page.getByRole("row").filter({ hasText: "media/ear" });
  // 9 seconds
  expect(await ear.innerText()).toMatch(/\t0\.2\t|\t0\.15\t/);
  await look(page, "usage-media");
  await page.getByLabel("Show", { exact: true }).selectOption("images");
  await page.getByRole("img", { name: /^Images on each/ }).waitFor();

  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/usage");
  await phone.getByText("media/painter").first().scrollIntoViewIfNeeded();
  await look(phone, "usage-media-phone-de-dark");
  expect((await inspectPage(phone, app.server.url)).excess).toBe(0);
  expect(app.problems).toEqual([]);
});

/** Makes a picture, and writes down a recording of nine seconds. */
async function makeMedia(): Promise<void> {
  const post = (path: string, body: object) =>
    app.server.request(`/api/v1${path}`, { body });
  await post("/model-providers", {
    name: "media",
    displayName: "Media",
    kind: "openai-compatible",
    config: { baseUrl: media.url, apiKey: "key" },
  });
  for (const [kind, id] of [
    ["image", "painter"],
    ["transcription", "ear"],
  ] as const) {
    await post("/models", { id, name: id, kind });
    const offer = { modelId: id, providerName: "media", providerModelId: id };
    await post("/available-models", { id: `media/${id}`, ...offer });
  }
  expect((await post("/images", { prompt: "A boat" })).status).toBe(200);
  const form = new FormData();
  form.append("file", new File(["sound"], "talk.mp3", { type: "audio/mpeg" }));
  const written = await fetch(`${app.server.url}/api/v1/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  expect(written.status).toBe(200);
  await vi.waitFor(async () => {
    const answer = await app.server.request("/api/v1/usage?groupBy=model");
    const { items } = (await answer.json()) as {
      items: { images: number; seconds: number }[];
    };
    expect(items.some(({ images }) => images > 0)).toBe(true);
    expect(items.some(({ seconds }) => seconds > 0)).toBe(true);
  }, 90_000);
}

test("a budget is made, shows what is used, warns its readers, and is deleted, by keyboard", async () => {
  const page = await app.openSignedIn();
  await page.goto("/usage/budgets");
  await page.getByRole("button", { name: "Create a budget" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).waitFor();
  await page.keyboard.type("Everybody's <img src=x onerror=alert(1)>");
  await dialog.getByLabel("Tokens", { exact: true }).focus();
  await page.keyboard.type("1000000");
  await page.keyboard.press("Enter");
  await page.getByText("Everybody, a month").waitFor();
  await page.getByText(/^0 of 1,000,000 tokens used/).waitFor();

  await page.goto("/usage");
  await page.getByRole("heading", { name: "Your budgets" }).waitFor();
  await page.getByRole("meter").waitFor();

  await page.goto("/usage/budgets");
  await actionsOf(page, /^Actions for Everybody/).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("No budgets yet").waitFor();
  expect(app.problems).toEqual([]);
});

test("the composer says when a budget of the writer is used up", async () => {
  await app.server.request("/api/v1/budgets", {
    body: {
      name: "Tiny",
      subjectType: "user",
      subjectId: "*",
      unit: "tokens",
      amount: 10,
      period: "day",
    },
  });
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByText("An answer.").first().waitFor();
  // the record of what was used comes a moment after the answer
  const readOwn = async () =>
    (await app.server.request("/api/v1/budgets/mine")).json() as Promise<object>;
  await expect.poll(readOwn).toMatchObject({ budgets: [{ name: "Tiny", exceeded: true }] });
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello again");
  await page.getByText("Your budget “Tiny” is used up").waitFor();
  expect(app.problems).toEqual([]);
});

test("a budget for a person is found by name and made by touch", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await app.server.request("/api/v1/users", {
    body: {
      email: "beth@test.example",
      name: "Beth Miller",
      password: "a long enough password",
    },
  });
  await page.goto("/usage/budgets");
  await page.getByRole("button", { name: "Create a budget" }).tap();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Beth's tokens");
  await dialog.getByLabel("Whom it limits").selectOption("one");
  await dialog.getByLabel("Person or group").fill("Beth");
  await dialog.getByRole("button", { name: /Beth Miller/ }).tap();
  await dialog.getByLabel("Tokens", { exact: true }).fill("5000");
  await dialog.getByRole("button", { name: "Create a budget" }).tap();
  await page.getByText(/Beth Miller., a month/).waitFor();
  expect(app.problems).toEqual([]);
});
