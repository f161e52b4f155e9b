import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";

let app: App;
beforeAll(async () => {
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
afterAll(() => app[Symbol.asyncDispose]());

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
