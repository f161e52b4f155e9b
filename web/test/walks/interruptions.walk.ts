import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isTitle } from "../../../test/support/scripted-provider.ts";
import { ADMIN } from "../../../test/support/server.ts";
import { answerWith, type App, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { type Cuttable, startCuttable } from "../support/cuttable.ts";

let app: App;
let way: Cuttable;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  way = await startCuttable(() => app.server.url);
  page = await app.openSignedIn({ baseURL: way.url });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await way[Symbol.asyncDispose]();
});

const WORDS = Array.from({ length: 400 }, (_, at) => `word${at} `);
const answer = () => page.getByRole("article", { name: "Answer" }).last();
const begin = async (delayMs: number) => {
  answerWith(app.provider, WORDS, delayMs);
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).fill("Count");
  await page.keyboard.press("Enter");
  await answer().getByText("word5 ").waitFor();
};
const end = () => page.getByRole("button", { name: "Send" }).waitFor();
const shown = async () => (await answer().locator(".markdown").textContent())?.trim();
const stored = async () => {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const response = await app.server.request(`/api/v1/conversation/${id}`);
  const { messages } = (await response.json()) as { messages: { content: string }[] };
  return messages.at(-1)?.content.trim();
};

test("an answer whose connection is cut three times is shown whole", async () => {
  await begin(15);
  for (const word of ["word20 ", "word90 ", "word160 "]) {
    await answer().getByText(word).waitFor();
    way.cut();
  }
  await end();
  expect(await shown()).toBe(WORDS.join("").trim());
  expect(await shown()).toBe(await stored());
});

test("an answer that fails says what happened and what stays, and is asked for again", async () => {
  app.provider.answer((_, asked) =>
    isTitle(asked)
      ? { text: ["A title"] }
      : { text: ["One ", "two ", "three"], fault: "cut", faultAfter: 2 },
  );
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).fill("Count");
  await page.keyboard.press("Enter");
  const card = answer().getByRole("alert");
  await card.getByText("What was written is kept.").waitFor();
  await answer().locator(".markdown").getByText("One two").waitFor();
  await look(page, "failed-answer");
  answerWith(app.provider, ["One two three"]);
  await card.getByRole("button", { name: "Try again" }).click();
  await answer().getByText("One two three").waitFor();
  await card.waitFor({ state: "detached" });
});

test("a page that is reloaded in the middle of an answer shows all of it", async () => {
  await begin(15);
  await page.reload();
  await answer().getByText("word0 ").waitFor();
  await end();
  expect(await shown()).toBe(WORDS.join("").trim());
});

test("after a restart of the server the page shows what is stored, and keeps the draft", async () => {
  await begin(15);
  await page.getByRole("textbox", { name: "Message" }).fill("Next question");
  await app.server.restart();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await expect.poll(shown).toBe(await stored());
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe(
    "Next question",
  );
});

test("a message that is sent while the server is away arrives once it is back, and once only", async () => {
  answerWith(app.provider, ["It arrived"]);
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).fill("Are you there?");
  await page.context().setOffline(true);
  await page.keyboard.press("Enter");
  await page.getByText("Sending").waitFor();
  await page.context().setOffline(false);
  await answer().getByText("It arrived").waitFor();
  expect(await page.getByRole("article", { name: "You" }).count()).toBe(1);
});

test("a server that does not answer is said above the page until it does", async () => {
  answerWith(app.provider, ["I am back"]);
  await page.goto("/");
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("Are you there again?");
  await page.route("**/*", (route) => route.abort("connectionrefused"));
  await page.keyboard.press("Enter");
  const bar = page.getByText("The server does not answer.");
  await bar.waitFor();
  await page.unroute("**/*");
  await bar.waitFor({ state: "hidden" });
  await answer().getByText("I am back").waitFor();
});

test("a tab that asks for nothing says that the server does not answer, too", async () => {
  const asking = await app.openSignedIn();
  const context = asking.context();
  await asking.goto("/");
  await asking.getByRole("textbox", { name: "Message" }).waitFor();
  const idle = await context.newPage();
  await idle.goto("/documents");
  await idle.getByText("No documents yet").waitFor();
  await context.route("**/*", (route) => route.abort("connectionrefused"));
  await asking.getByRole("textbox", { name: "Message" }).fill("Are you away?");
  await asking.keyboard.press("Enter");
  const bar = idle.getByText("The server does not answer.");
  await bar.waitFor();
  await context.unrouteAll({ behavior: "wait" });
  await bar.waitFor({ state: "hidden" });
  await context.close();
});

test("a part of the page that could not be fetched is fetched once the server answers", async () => {
  answerWith(app.provider, ["I am whole"]);
  let isAway = false;
  const refused: string[] = [];
  await page.route("**/*", (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path.includes("/thread-")) isAway = true;
    if (!isAway) return route.continue();
    refused.push(path);
    return route.abort("connectionrefused");
  });
  await page.goto("/");
  await page.getByText("The server does not answer.").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("textbox", { name: "Message" }).fill("Are you whole?");
  await page.keyboard.press("Enter");
  await answer().getByText("I am whole").waitFor();
  expect(refused).toContainEqual(expect.stringContaining("/thread-"));
});

/** A page on which a message is written, that asks for nothing more by itself. */
async function withQuestion(question: string): Promise<Page> {
  const returning = await app.openSignedIn();
  await returning.addInitScript("globalThis.requestIdleCallback = () => 0");
  let open = 0;
  const isOwn = (request: Request) => new URL(request.url()).pathname !== "/api/v1/events";
  returning.on("request", (request) => void (open += Number(isOwn(request))));
  returning.on("requestfinished", (request) => void (open -= Number(isOwn(request))));
  returning.on("requestfailed", (request) => void (open -= Number(isOwn(request))));
  await returning.goto("/");
  await returning.getByRole("textbox", { name: "Message" }).fill(question);
  await expect.poll(() => open).toBe(0);
  return returning;
}

test("a message that is sent after the session has ended arrives once its writer has signed in", async () => {
  answerWith(app.provider, ["Welcome back"]);
  const returning = await withQuestion("Am I still there?");
  await returning.context().clearCookies();
  await returning.keyboard.press("Enter");
  const dialog = returning.getByRole("dialog", { name: "Your session has ended" });
  const password = dialog.getByLabel("Password");
  await password.waitFor();
  await expect.poll(() => password.evaluate((field) => field.matches(":focus"))).toBe(true);
  await returning.keyboard.type(ADMIN.password);
  await returning.keyboard.press("Enter");
  await returning
    .getByRole("article", { name: "Answer" })
    .getByText("Welcome back")
    .waitFor();
  expect(await returning.getByRole("article", { name: "You" }).count()).toBe(1);
  await returning.context().close();
});

test("the dialog of an ended session stays when Enter is pressed before its form is there", async () => {
  answerWith(app.provider, ["Still here"]);
  const returning = await withQuestion("Is it open?");
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>();
  await returning.route("**/sign-in-form-*", async (route) => {
    await mayCome;
    await route.continue();
  });
  await returning.context().clearCookies();
  await returning.keyboard.press("Enter");
  const dialog = returning.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await returning.keyboard.press("Enter");
  letCome();
  const password = dialog.getByLabel("Password");
  await password.waitFor();
  await expect.poll(() => password.evaluate((field) => field.matches(":focus"))).toBe(true);
  await returning.keyboard.type(ADMIN.password);
  await returning.keyboard.press("Enter");
  await returning
    .getByRole("article", { name: "Answer" })
    .getByText("Still here")
    .waitFor();
  await returning.context().close();
});
