import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { asksOf, type Asks } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";
import { styleOf } from "../support/style-of.ts";

/** Nothing that a model says is lost, nothing that it thinks is shown as its answer. */

const FIRST = "Let me look into the handbook first.";
const SECOND = "They have 31 days of leave a year.[1]";
const THOUGHT = "The handbook says 31.";
const ASKED = "How many days of leave a year?";

let app: App;
let asks: Asks;
let agentId: string;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  asks = asksOf(app);
  const text = "# Leave\n\nFull-time staff have 31 days of leave a year.";
  const { id } = await asks.upload("/api/v1/documents", new File([text], "handbook.md"));
  const isRead = async () => {
    const { status } = await asks.get<{ status: string }>(`/api/v1/documents/${id}`);
    expect(status).toBe("PROCESSED");
  };
  await vi.waitFor(isRead, { timeout: 120_000, interval: 200 });
  ({ id: agentId } = await asks.post<{ id: string }>("/api/v1/agent", {
    name: "Reader",
    tools: ["toolset:documents"],
  }));
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Says something, searches the documents, then answers. */
function searchFirst(): void {
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["Leave"] };
    if (messages.some(({ role }) => role === "tool")) return { text: [SECOND] };
    const call = { name: "search_documents", arguments: { query: "days of leave" } };
    return { text: FIRST.match(/.{1,6}/g) ?? [], toolCalls: [call] };
  });
}

async function ask(shown: Page, path: string): Promise<void> {
  await shown.goto(path);
  await shown.getByLabel("Message", { exact: true }).fill(ASKED);
  await shown.getByRole("button", { name: "Send" }).click();
  await shown.waitForURL(/\/c\/[0-9a-f-]{36}/);
  await answerOn(shown).getByRole("button", { name: "Copy", exact: true }).waitFor();
}

const answerOn = (shown: Page) => shown.getByRole("article", { name: "Answer" }).last();

test("what is said before a tool is called stays: shown, stored, exported, at /v1", async () => {
  searchFirst();
  await ask(page, `/?agent=${agentId}`);
  const expectWhole = async () => {
    await answerOn(page).locator(".markdown").getByText("31 days of leave").waitFor();
    const texts = await answerOn(page).locator(".markdown").allInnerTexts();
    const shown = texts.join("\n");
    expect(shown.indexOf(FIRST)).toBeGreaterThanOrEqual(0);
    expect(shown.indexOf(FIRST)).toBeLessThan(shown.indexOf("31 days"));
  };
  await expectWhole();
  // the least that a call takes is more than nothing
  const call = answerOn(page).locator("summary", { hasText: "Searched the documents" });
  const taken = call.locator("visible=true").getByText(/ s$/);
  // of all that a user may see nobody counts the passages
  const figures = /^1 passage · (?:<0\.1|\d*\.?[1-9]\d*) s$/;
  await expect.poll(() => taken.textContent()).toMatch(figures);
  await page.reload();
  await expectWhole();
  await look(page, "whole-answer");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const both = new RegExp(`${FIRST.replace(".", "\\.")}\\s+They have 31 days`);
  const stored = await asks.get<{ messages: { content: string }[] }>(
    `/api/v1/conversation/${id}`,
  );
  expect(stored.messages.at(-1)?.content).toMatch(both);
  for (const format of ["md", "json"]) {
    const path = `/api/v1/conversation/${id}/export?format=${format}`;
    const exported = await page.evaluate<string>(
      `fetch(${JSON.stringify(path)}).then((answer) => answer.text())`,
    );
    expect(exported.replaceAll("\\n", "\n")).toMatch(both);
  }
  const answered = await asks.post<{ choices: { message: { content: string } }[] }>(
    "/v1/chat/completions",
    { model: `agent:${agentId}`, messages: [{ role: "user", content: ASKED }] },
  );
  expect(answered.choices[0]?.message.content).toMatch(both);
  expect(app.problems).toEqual([]);
});

test("a search says how much it found, of how much, in German and beside the text, too", async () => {
  searchFirst();
  const { items } = await asks.get<{ items: { id: string }[] }>("/api/v1/documents");
  const agent = await asks.post("/api/v1/agent", {
    name: "Handbook",
    type: "cortex",
    retrieval: { docIds: items.map(({ id }) => id), mode: "tool" },
  });
  const sent = { content: ASKED, agentId: agent.id, stream: false };
  const made = await asks.post<{ conversationId: string }>("/api/v1/conversation", sent);
  const viewport = { width: 1440, height: 900 };
  for (const [shown, name, figures] of [
    [page, "Searched the documents", /^1 of 1 passage · <?\d+(?:\.\d)? s$/],
    [
      await app.openSignedIn({ viewport, locale: "de-DE", colorScheme: "dark" }),
      "Dokumente durchsucht",
      /^1 von 1 Abschnitt · <?\d+(?:,\d)? s$/,
    ],
  ] as const) {
    await shown.setViewportSize(viewport);
    await shown.goto(`/c/${made.conversationId}`);
    const call = shown.locator("summary", { hasText: name }).locator("visible=true");
    await expect.poll(() => call.getByText(/ s$/).textContent()).toMatch(figures);
    // the whole name is seen
    const title = call.getByText(name, { exact: true });
    const cut = await title.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut).toBeLessThanOrEqual(0);
    expect(await styleOf(title, "textOverflow")).toBe("clip");
    await look(shown, `tool-figures-${name.slice(0, 3)}`);
  }
});

test("where there is room, what an answer did stands beside it while it grows, too", async () => {
  const text = Array.from({ length: 900 }, (_, at) => `Word ${at}, `);
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["Leave"] };
    if (messages.some(({ role }) => role === "tool")) return { text, delayMs: 100 };
    const call = { name: "search_documents", arguments: { query: "days of leave" } };
    return { text: [FIRST], toolCalls: [call] };
  });
  const wide = await app.openSignedIn({ viewport: { width: 1440, height: 900 } });
  await wide.goto(`/?agent=${agentId}`);
  await wide.getByLabel("Message", { exact: true }).fill(ASKED);
  await wide.getByRole("button", { name: "Send" }).click();
  const growing = wide.locator("article[aria-busy=true]");
  await growing.locator("[data-notes]").getByText("Searched the documents").waitFor();
  await wide.getByRole("button", { name: "Stop the answer", exact: true }).click();
  await wide.getByRole("button", { name: "Send", exact: true }).waitFor();
  await wide.context().close();
});

test.each(["think", "thinking", "reasoning"])(
  "what stands in <%s> is no answer, wherever the stream cuts the tag",
  async (tag) => {
    const whole = `<${tag}>${THOUGHT}</${tag}>\n\nThey have **31** days.`;
    app.provider.answer((_, { messages }) =>
      String(messages[0]?.content).startsWith("Write a title")
        ? { text: ["Leave"] }
        : { text: whole.match(/[\s\S]{1,3}/g) ?? [], delayMs: 5 },
    );
    await ask(page, "/");
    for (const isAfterReload of [false, true]) {
      if (isAfterReload) await page.reload();
      const answer = answerOn(page);
      await answer.getByText("31", { exact: true }).waitFor();
      const text = await answer.locator(".markdown:not(.markdown-small)").innerText();
      expect(text.trim()).toBe("They have 31 days.");
      expect(await answer.innerText()).not.toContain(`<${tag}`);
      await answer.getByText("Reasoning").click();
      await answer.getByText(THOUGHT).waitFor();
    }
    expect(app.problems).toEqual([]);
  },
);

test("an answer is pasted elsewhere with its form and its sources", async () => {
  searchFirst();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ask(page, `/?agent=${agentId}`);
  await answerOn(page).getByRole("button", { name: "Copy", exact: true }).click();
  await answerOn(page).getByRole("button", { name: "Copied" }).waitFor();
  const copied = (type: string) =>
    page.evaluate<string>(
      `navigator.clipboard.read().then(([item]) => item.getType("${type}")).then((blob) => blob.text())`,
    );
  expect(await copied("text/plain")).toMatch(/leave a year\.\[1\]\n\n\[1\] handbook\.md/);
  // what word processors and mail programs paste
  await page.evaluate(`{
    const place = document.createElement("div");
    place.contentEditable = "true";
    place.id = "paste";
    document.body.append(place);
    place.focus();
  }`);
  await page.keyboard.press("Control+v");
  const pasted = await page.locator("#paste").innerText();
  expect(pasted).toContain(FIRST);
  expect(pasted).toMatch(/leave a year\.\[1\][\s\S]*\[1\] handbook\.md/);
  expect(await copied("text/html")).toMatch(/<p>\[1\] handbook\.md/);
  expect(app.problems).toEqual([]);
});

test("an answer is copied whole also before it is read again from the server", async () => {
  searchFirst();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = Promise.withResolvers<void>();
  let reads = 0;
  const messages = /\/api\/v1\/conversation\/[0-9a-f-]{36}\/messages/;
  await page.route(messages, async (route) => {
    reads += 1;
    if (reads > 1) await copied.promise;
    await route.continue().catch(() => {});
  });
  try {
    await ask(page, `/?agent=${agentId}`);
    await answerOn(page).getByRole("button", { name: "Copy", exact: true }).click();
    await answerOn(page).getByRole("button", { name: "Copied" }).waitFor();
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(text).toContain(FIRST);
    expect(text).toMatch(/leave a year\.\[1\]\n\n\[1\] handbook\.md/);
  } finally {
    copied.resolve();
    await page.unroute(messages);
  }
  expect(app.problems).toEqual([]);
});

test("a long text that is pasted is sent as a file, which the model reads", async () => {
  const long = `The code word is heron. ${"Nothing else is here. ".repeat(600)}`;
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Code"] }
      : {
          text: [JSON.stringify(messages).includes("heron") ? "It is heron." : "Unknown."],
        },
  );
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  const field = page.getByLabel("Message", { exact: true });
  await field.fill("What is the code word? ");
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(long)})`);
  await field.focus();
  await page.keyboard.press("Control+v");
  await page.getByText("Pasted text.txt").first().waitFor();
  expect(await field.inputValue()).toBe("What is the code word? ");
  await look(page, "pasted");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/c\/[0-9a-f-]{36}/);
  await answerOn(page).getByText("It is heron.").waitFor();
  await page.getByRole("article", { name: "You" }).getByText("Pasted text.txt").waitFor();
  expect(app.problems).toEqual([]);
});

test("files of a message are removed by keys, and the focus stays", async () => {
  await page.goto("/");
  const field = page.getByLabel("Message", { exact: true });
  await field.fill("Look at these");
  await page
    .locator("form input[type=file]")
    .first()
    .setInputFiles(
      ["one.md", "two.md"].map((name) => ({
        name,
        mimeType: "text/markdown",
        buffer: Buffer.from(`# ${name}`),
      })),
    );
  const removes = page.getByRole("button", { name: /^Remove / });
  await expect.poll(() => removes.count()).toBe(2);
  await field.focus();
  await page.keyboard.press("Shift+Tab");
  for (const left of [1, 0]) {
    await page.keyboard.press("Enter");
    await expect.poll(() => removes.count()).toBe(left);
    const focused = left === 0 ? field : removes.first();
    expect(await focused.evaluate((one) => one.matches(":focus"))).toBe(true);
  }
  expect(await field.inputValue()).toBe("Look at these");
  expect(app.problems).toEqual([]);
});

test("J and K go from message to message, which have the focus and its mark", async () => {
  searchFirst();
  await ask(page, `/?agent=${agentId}`);
  await page.getByLabel("Message", { exact: true }).fill(`And ${ASKED}`);
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.getByRole("article").count()).toBe(4);
  await page.getByRole("log").focus();
  const focused = () =>
    page.evaluate<{ index: string; outline: string }>(`(() => {
      const { activeElement: one } = document;
      return {
        index: one.closest("[data-index]")?.dataset.index ?? "",
        outline: getComputedStyle(one).outlineStyle,
      };
    })()`);
  const seen = new Set<string>();
  for (const key of ["k", "k", "k", "k", "j"]) {
    const before = (await focused()).index;
    await page.keyboard.press(key);
    await vi.waitFor(async () => {
      const { index, outline } = await focused();
      expect(index).toMatch(/^\d$/);
      expect(outline).not.toBe("none");
      if (before !== "0" || key === "j") expect(index).not.toBe(before);
    });
    seen.add((await focused()).index);
  }
  expect(seen.size).toBeGreaterThan(1);
});

test.each([
  ["light", undefined],
  ["dark", PHONE],
] as const)(
  "what scrolls below the bars is not seen through them (%s)",
  async (colorScheme, size) => {
    const shown = await app.openSignedIn({ colorScheme, ...(size && { viewport: size }) });
    await shown.goto(page.url());
    await answerOn(shown).waitFor();
    const grounds = await shown.evaluate<string[]>(`
    [...document.querySelectorAll("main header, main .scrolled-hairline")].map((bar) =>
      getComputedStyle(bar).backgroundColor)`);
    expect(grounds.length).toBeGreaterThan(0);
    for (const ground of grounds)
      expect(ground).not.toMatch(/rgba\(.*, 0?\.?\d*\)|transparent/);
    const gutter = await shown.evaluate<string>(
      "getComputedStyle(document.querySelector('[role=log]')).scrollbarGutter",
    );
    expect(gutter).toContain("stable");
    await shown.context().close();
  },
);
