import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.problems.length = 0;
  await page.goto("/");
});

const composer = () => page.getByRole("textbox", { name: "Message" });
const answers = () => page.getByRole("article", { name: "Answer" });
const say = async (text: string) => {
  await composer().fill(text);
  await page.keyboard.press("Enter");
};
const lastAnswer = async (text: string) => {
  await answers().last().getByText(text).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
};

test("an answer streams as formatted text, and its conversation stands in the rail", async () => {
  answerWith(app.provider, [
    "# Title\n\n",
    "Some **bold**",
    " text\n\n```ts\nconst a = 1;\n```\n",
  ]);
  await say("Format it");
  await lastAnswer("bold");
  expect(await answers().last().locator("h3").textContent()).toBe("Title");
  await answers().last().locator(".code-keyword").first().waitFor();
  await page
    .getByRole("navigation")
    .getByRole("link", { name: "A title" })
    .first()
    .waitFor();
  expect(app.problems).toEqual([]);
});

test("an answer that is stopped keeps what it said", async () => {
  answerWith(
    app.provider,
    Array.from({ length: 500 }, (_, at) => `word${at} `),
    20,
  );
  await say("Count");
  await answers().last().getByText("word3").waitFor();
  const writing = page.getByRole("navigation").getByLabel("An answer is being written");
  await writing.waitFor();
  await page.getByRole("button", { name: "Stop the answer" }).click();
  await answers().last().getByText("Stopped").waitFor();
  expect(await answers().last().textContent()).toContain("word3");
  await writing.waitFor({ state: "detached" });
});

test("what the model thinks is shown while it thinks, and can be read later", async () => {
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["A title"] }
      : { reasoning: ["First the ", "**costs**."], text: ["It pays."], delayMs: 20 },
  );
  await say("Think");
  await lastAnswer("It pays.");
  const thought = answers().last().locator("details").getByText("costs");
  await answers().last().getByText("Reasoning").waitFor();
  await thought.waitFor({ state: "hidden" });
  await answers().last().getByText("Reasoning").click();
  expect(await thought.evaluate(({ tagName }) => tagName)).toBe("STRONG");
  await page.reload();
  await answers().last().getByText("Reasoning").click();
  await thought.waitFor();
  expect(app.problems).toEqual([]);
});

test("an answer without text, and one that a filter ended, say so", async () => {
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["A title"] };
    const isFiltered = String(messages.at(-1)?.content) === "Filtered";
    return isFiltered ? { text: ["It"], finish: "content_filter" } : { text: [] };
  });
  await say("Filtered");
  await answers().last().getByText("The provider's filter ended this answer.").waitFor();
  await say("Nothing");
  await answers().last().getByText("The reply ended without any text.").waitFor();
});

test("a conversation is shared, pinned and exported from its page", async () => {
  answerWith(app.provider, ["for the export"]);
  await say("Keep this");
  await lastAnswer("for the export");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("dialog").getByText("Only you.").waitFor();
  await page.keyboard.press("Escape");
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose("Pin");
  const pinned = page.getByRole("navigation").getByRole("region", { name: "Pinned" });
  await pinned.getByRole("link", { name: "A title" }).waitFor();
  const download = page.waitForEvent("download");
  await choose("Export as Markdown");
  expect((await download).suggestedFilename()).toMatch(/\.md$/);
  await choose("Unpin");
  await pinned.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("regenerating and editing make versions beside the old ones, which can be switched", async () => {
  answerWith(app.provider, ["first answer"]);
  await say("Question one");
  await lastAnswer("first answer");
  answerWith(app.provider, ["second answer"]);
  await page.getByRole("button", { name: "Answer again" }).click();
  await lastAnswer("second answer");
  await answers().last().getByText("2/2").waitFor();
  await answers().last().getByRole("button", { name: "Previous version" }).click();
  await lastAnswer("first answer");

  answerWith(app.provider, ["third answer"]);
  await page.getByRole("article", { name: "You" }).hover();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit" }).fill("Question two");
  await page.getByRole("button", { name: "Save and send" }).click();
  await lastAnswer("third answer");
  await page.getByText("Question two").waitFor();
  await page.getByRole("article", { name: "You" }).getByText("2/2").waitFor();
});

test("a draft and its file survive a reload, and are gone once sent", async () => {
  await composer().fill("Unsent words");
  await page.locator('input[type="file"]').setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Notes to remember"),
  });
  await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
  await page.reload();
  await expect.poll(() => composer().inputValue()).toBe("Unsent words");
  await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
  answerWith(app.provider, ["read it"]);
  await page.locator('button[type="submit"]:not([disabled])').click();
  await lastAnswer("read it");
  await page.getByText("notes.txt").waitFor();
  await page.goto("/");
  expect(await composer().inputValue()).toBe("");
});

test("what happens elsewhere appears by itself", async () => {
  answerWith(app.provider, ["Said elsewhere"]);
  const listens = page.waitForResponse((answer) => answer.url().includes("/api/v1/events"));
  await page.goto("/");
  await listens;
  await composer().waitFor();
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "From another device", stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  const link = page.getByRole("navigation").locator(`a[href="/c/${conversationId}"]`);
  await link.click();
  await lastAnswer("Said elsewhere");
  await app.server.request(`/api/v1/conversation/${conversationId}`, {
    method: "PATCH",
    body: { title: "Renamed elsewhere" },
  });
  await page.getByRole("heading", { name: "Renamed elsewhere" }).waitFor();
});

test("what happened while no changes could be received appears afterwards", async () => {
  const own = await app.openSignedIn();
  const gate = Promise.withResolvers<void>();
  let attempts = 0;
  await own.route("**/api/v1/events*", async (route) => {
    if (attempts++ > 0) return route.continue();
    await gate.promise;
    return route.fulfill({ status: 503 });
  });
  await own.goto("/");
  await own.getByRole("navigation").locator('a[href^="/c/"]').first().waitFor();
  await expect.poll(() => attempts).toBe(1);
  answerWith(app.provider, ["Said meanwhile"]);
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "From another device", stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  gate.resolve();
  await own.getByRole("navigation").locator(`a[href="/c/${conversationId}"]`).waitFor();
  await own.context().close();
});

test("the whole conversation works by keyboard", async () => {
  answerWith(app.provider, ["By keys alone"]);
  await page.keyboard.press("Control+Shift+o");
  await composer().press("End");
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  await lastAnswer("By keys alone");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("new conv");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/");
  await composer().fill("");
  await page.keyboard.type("/");
  await page
    .getByRole("listbox", { name: "Templates" })
    .getByRole("option")
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => composer().inputValue()).toBe("");
});
