import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Canary, startCanary } from "../../../test/support/browser.ts";
import { type App, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";

/** Where the parts of an answer stand, and what its code and drawings show. */

const WIDE = { width: 1400, height: 850 };
const MIDDLE = { width: 1100, height: 850 };
const FENCE = "```";

let app: App;
let canary: Canary;
beforeAll(async () => {
  canary = await startCanary();
  app = await startApp();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await canary[Symbol.asyncDispose]();
});
beforeEach(() => {
  app.problems.length = 0;
});

async function ask(content: string, more: object = {}): Promise<string> {
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content, stream: false, ...more },
  });
  return ((await sent.json()) as { conversationId: string }).conversationId;
}

const answerOf = (page: Page) => page.getByRole("article", { name: "Answer" }).last();
/** Where something of the answer begins. */
const topOf = async (page: Page, words: string | RegExp) => {
  const found = answerOf(page).getByText(words).filter({ visible: true }).first();
  return (await found.boundingBox())?.y ?? 0;
};

test("tool calls stand between the texts of their answer, in the margin and without one, also after a reload", async () => {
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["A list"] };
    const done = messages.filter(({ role }) => role === "tool").length;
    const call = { name: "list_documents", arguments: {} };
    if (done === 0) return { text: ["First I look."], toolCalls: [call] };
    if (done === 1) return { text: ["Once more."], toolCalls: [call] };
    return { text: ["Nothing is there."] };
  });
  for (const viewport of [MIDDLE, WIDE]) {
    const page = await app.openSignedIn({ viewport });
    await page.goto("/");
    await page
      .locator("form")
      .getByRole("button", { name: "Documents", exact: true })
      .click();
    await page.getByRole("textbox", { name: "Message" }).fill("What is there?");
    await page.keyboard.press("Enter");
    const inOrder = async () => {
      await answerOf(page).getByText("Nothing is there.").waitFor();
      const calls = answerOf(page)
        .locator("summary")
        .filter({ hasText: "Listed the documents", visible: true });
      await expect.poll(() => calls.count()).toBe(2);
      const [first, second] = await calls.all();
      const tops = [
        await topOf(page, "First I look."),
        (await first?.boundingBox())?.y ?? 0,
        await topOf(page, "Once more."),
        (await second?.boundingBox())?.y ?? 0,
      ];
      expect(tops).toEqual(tops.toSorted((one, other) => one - other));
      if (viewport === MIDDLE)
        expect(tops[3]).toBeLessThan(await topOf(page, "Nothing is there."));
    };
    await inOrder();
    await look(page, `answer-calls-${viewport.width}`);
    await page.reload();
    await inOrder();
    await page.context().close();
  }
  expect(app.problems).toEqual([]);
});

test("a page and a picture in an answer are shown without an origin and a network, and read as code again", async () => {
  const html = `<h1>Hello</h1><script>
fetch("${canary.origin}/fetch").catch(() => document.body.append(" alone"));
new Image().src = "${canary.origin}/image";
let seen = [];
for (const read of [() => parent.document.title, () => localStorage.length, () => document.cookie])
  try { seen.push(String(read())); } catch { seen.push("refused"); }
document.body.append(seen.join(" "));
</script>`;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Point</title>' +
    '<circle cx="5" cy="5" r="3"/></svg>';
  const blocks = [`${FENCE}html\n${html}\n${FENCE}`, `${FENCE}svg\n${svg}\n${FENCE}`];
  app.provider.answer(() => ({ text: [blocks.join("\n\n")] }));
  const page = await app.openSignedIn();
  await page.goto(`/c/${await ask("Show it")}`);
  const shown = answerOf(page).getByRole("figure");
  await shown.first().getByRole("button", { name: "Preview" }).click();
  await page.frameLocator("iframe").getByText("refused refused refused").waitFor();
  await shown.first().getByText("There is no network here").waitFor();
  expect(canary.paths).toEqual([]);
  await look(page, "answer-preview-1400");
  await shown.first().getByRole("button", { name: "Code", exact: true }).click();
  await shown.first().getByText("localStorage.length").waitFor();
  expect(await page.locator("iframe").count()).toBe(0);
  await shown.last().getByRole("button", { name: "Preview" }).focus();
  await page.keyboard.press("Enter");
  await page.frameLocator("iframe").getByRole("img", { name: "Point" }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.context().close();
});

test.each([
  ["light", "rgb(226, 238, 235)"],
  ["dark", "rgb(27, 51, 48)"],
] as const)(
  "in the %s a diagram has the colours of the app",
  async (colorScheme, ground) => {
    const source = "flowchart LR\n  A[Ask] --> B[Answer]";
    app.provider.answer(() => ({ text: [`${FENCE}mermaid\n${source}\n${FENCE}\n`] }));
    const page = await app.openSignedIn({ colorScheme });
    await page.goto(`/c/${await ask("Draw it")}`);
    const box = page.frameLocator("iframe").locator(".node rect").first();
    await box.waitFor();
    const fill = "getComputedStyle(document.querySelector('.node rect')).fill";
    expect(await page.frames().at(-1)?.evaluate<string>(fill)).toBe(ground);
    await look(page, `answer-diagram-${colorScheme}-1400`);
    await page.context().close();
  },
);

test("where motion is to be reduced, nothing moves: no outline, no edge that follows scrolling", async () => {
  const table = `| ${"Wide | ".repeat(20)}\n| ${"--- | ".repeat(20)}\n| ${"a sentence of words | ".repeat(20)}`;
  app.provider.answer(() => ({ text: [table] }));
  const id = await ask("Show a table");
  const page = await app.openSignedIn({ reducedMotion: "reduce" });
  for (const path of [`/c/${id}`, "/documents", "/history", "/settings"]) {
    await page.goto(path);
    await page.getByRole("main").waitFor();
    if (path.startsWith("/c/")) await answerOf(page).getByRole("table").waitFor();
    const moving = await page.evaluate(
      `document.getAnimations().map((one) => one.effect?.target?.className ?? "unknown")`,
    );
    expect([path, moving]).toEqual([path, []]);
  }
  await page.context().close();
});
