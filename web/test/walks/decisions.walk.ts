import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";

let app: App;
let page: Page;
let agentId: string;
beforeAll(async () => {
  app = await startApp();
  const made = await app.server.request("/api/v1/agent", {
    body: { name: "Writer", type: "simple", tools: ["create_canvas"], approval: "always" },
  });
  ({ id: agentId } = (await made.json()) as { id: string });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  app.problems.length = 0;
});

const answer = () => page.getByRole("article", { name: "Answer" }).last();

/** A conversation whose reply waits for a decision about a tool. */
async function openWaiting(): Promise<void> {
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["A letter"] };
    if (messages.at(-1)?.role === "tool") return { text: ["The letter is done."] };
    const values = { title: "Letter", content: "Dear Ada" };
    return { toolCalls: [{ name: "create_canvas", arguments: values }] };
  });
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Write a letter", agentId, stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  await page.goto(`/c/${conversationId}`);
  await page.getByRole("heading", { name: "Allow “Create a canvas”?" }).waitFor();
}

test("by keyboard alone a call is changed and allowed, and the same answer goes on", async () => {
  await openWaiting();
  await page.getByText("Dear Ada").waitFor();
  // nobody judges a reply that is not finished
  expect(await answer().getByRole("button", { name: "Good answer" }).count()).toBe(0);
  await page.getByRole("button", { name: "Change the values" }).focus();
  await page.keyboard.press("Enter");
  const values = page.getByRole("textbox", { name: "With these values" });
  await expect.poll(() => values.evaluate((box) => box.matches(":focus"))).toBe(true);
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("not JSON");
  await page.getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("This is not a JSON object.", { exact: false }).waitFor();
  await values.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('{ "title": "Letter to Ada", "content": "Dear Ada" }');
  await page.getByRole("button", { name: "Allow once" }).focus();
  await page.keyboard.press("Enter");
  await answer().getByText("The letter is done.").waitFor();
  await answer()
    .getByRole("link", { name: /Letter to Ada/ })
    .first()
    .waitFor();
  expect(app.problems).toEqual([]);
});

test("a call that is denied does not run, and the answer goes on without it", async () => {
  await openWaiting();
  await page.getByRole("button", { name: "Deny" }).click();
  await answer().getByText("The letter is done.").waitFor();
  expect(
    await answer()
      .getByRole("link", { name: /Letter/ })
      .count(),
  ).toBe(0);
});

test("what was said before a decision stays where it is, for a page that comes later", async () => {
  const later = Array.from({ length: 60 }, (_, at) => `word${at} `);
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["A letter"] };
    if (messages.at(-1)?.role === "tool")
      return { text: later, delayMs: 20, fault: "stall", faultAfter: 50 };
    const values = { title: "Letter", content: "Dear Ada" };
    const call = { name: "create_canvas", arguments: values };
    return { text: ["I write a letter first."], toolCalls: [call] };
  });
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Write a letter", agentId, stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  await page.goto(`/c/${conversationId}`);
  await page.getByRole("button", { name: "Allow once" }).click();
  // the call stands between what was said before it and after it
  const isInOrder = async (word: string) => {
    await answer().getByText(word).waitFor();
    const words = (await answer().innerText()).replaceAll(/\s+/g, " ");
    const places = ["I write a letter first.", "word0", word].map((one) =>
      words.indexOf(one),
    );
    expect(places.toSorted((one, other) => one - other)).toEqual(places);
    expect(places).not.toContain(-1);
    expect(words.split("I write a letter first.")).toHaveLength(2);
    expect(words.match(/word0 /g)).toHaveLength(1);
  };
  await isInOrder("word3 ");
  await page.reload();
  await isInOrder("word40 ");
  await expect.poll(() => answer().getAttribute("aria-busy")).toBe("true");
  await page.getByRole("button", { name: "Stop the answer" }).click();
  await answer().getByRole("button", { name: "Copy", exact: true }).waitFor();
  await isInOrder("word40 ");
});

test("a conversation is printed whole, without what stands around it", async () => {
  answerWith(app.provider, ["Printed **words**"]);
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Print this", stream: false },
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  const paper = await app.openSignedIn({ colorScheme: "dark" });
  await paper.addInitScript("globalThis.print = () => { globalThis.printed = true; };");
  await paper.goto(`/c/${conversationId}/print`);
  const isPrinted = () => paper.evaluate<boolean>("globalThis.printed === true");
  await expect.poll(isPrinted).toBe(true);
  const back = paper.getByRole("link", { name: "Back to the conversation" });
  expect(await back.getAttribute("href")).toBe(`/c/${conversationId}`);
  await paper.emulateMedia({ media: "print" });
  await back.waitFor({ state: "hidden" });
  await paper.getByText("Print this").waitFor();
  await paper.locator("strong", { hasText: "words" }).waitFor();
  await paper.getByRole("navigation").waitFor({ state: "hidden" });
  const scheme = await paper.evaluate<string>(
    "getComputedStyle(document.body).colorScheme",
  );
  expect(scheme).toBe("light");
  await paper.setViewportSize({ width: 794, height: 1123 }); // A4 at 96 dots per inch
  const width = () =>
    paper.getByText("Print this").evaluate((text) => text.getBoundingClientRect().width);
  await expect.poll(width).toBeGreaterThan(500);
  await paper.context().close();
});

test("a tab that is hidden gives back its stream, and shows the whole answer once it is seen", async () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${at} `);
  answerWith(app.provider, words, 60);
  await page.goto("/");
  const closed = page.waitForEvent("requestfailed", {
    predicate: (request) => new URL(request.url()).pathname === "/api/v1/conversation",
  });
  await page.getByRole("textbox", { name: "Message" }).fill("Count");
  await page.keyboard.press("Enter");
  await answer().getByText("word3").waitFor();
  await setVisibility("hidden");
  await closed;
  await setVisibility("visible");
  await answer().getByText("word399").waitFor();
  const shown = ((await answer().textContent()) ?? "").match(/word\d+/g);
  expect(shown?.slice(0, 400)).toEqual(words.map((word) => word.trim()));
});

function setVisibility(state: "hidden" | "visible"): Promise<void> {
  return page.evaluate(`Object.defineProperty(document, "visibilityState",
    { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));`);
}

test("a tool that is always allowed stands in the settings, until it is to ask again", async () => {
  await openWaiting();
  await page.getByRole("button", { name: "Always allow" }).click();
  await answer().getByText("The letter is done.").waitFor();
  await page.goto("/settings/tools");
  const row = page.getByRole("listitem").filter({ hasText: "create_canvas" });
  await row.getByText(/allowed/).waitFor();
  await row.getByRole("button", { name: /^Ask again/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Every tool asks you first").waitFor();
  expect(app.problems).toEqual([]);
});
