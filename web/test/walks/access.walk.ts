import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES } from "../pages.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const ANSWER =
  "# Title\n\nText with `code`, [a link](https://example.org) and $x^2$.\n\n" +
  "```ts\nconst a = 1; // yes\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n";

let app: App;
let conversation: string;
let canvas: string;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, [ANSWER]);
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Show all", stream: false },
  });
  ({ conversationId: conversation } = (await sent.json()) as { conversationId: string });
  const body = { title: "Plan", content: ANSWER, conversationId: conversation };
  const made = await app.server.request("/api/v1/canvas", { body });
  ({ id: canvas } = (await made.json()) as { id: string });
  await app.server.request(`/api/v1/canvas/${canvas}/versions`, {
    body: { baseVersion: 1, content: "Shorter" },
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const looks = [
  { locale: "en-GB", colorScheme: "light" },
  { locale: "de-DE", colorScheme: "dark" },
] as const;

test.each(looks)("no page breaks WCAG 2.2 AA: $locale, $colorScheme", async (look) => {
  const signedIn = await app.openSignedIn(look);
  const signedOut = await app.open(look);
  for (const { name, path, needsSession } of pages()) {
    const page = needsSession ? signedIn : signedOut;
    await show(page, path);
    expect.soft({ name, broken: await brokenRules(page) }).toEqual({ name, broken: [] });
  }
  await signedIn.context().close();
  await signedOut.context().close();
});

test("menus and dialogs break no rule either", async () => {
  const page = await app.openSignedIn();
  await show(page, `/c/${conversation}`);
  for (const open of [
    () => page.getByRole("button", { name: /^Who answers/ }).click(),
    () => page.getByRole("button", { name: "More" }).click(),
    () => page.keyboard.press("Control+k"),
  ]) {
    await open();
    await page.locator('[role="menu"], dialog[open]').first().waitFor();
    expect.soft(await brokenRules(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator('[role="menu"], dialog[open]').first().waitFor({ state: "detached" });
  }
});

test.each([PHONE.width, 320])("nothing scrolls sideways at %i pixels", async (width) => {
  const page = await app.openSignedIn({ viewport: { ...PHONE, width }, locale: "de-DE" });
  const signedOut = await app.open({ viewport: { ...PHONE, width }, locale: "de-DE" });
  for (const { name, path, needsSession } of pages()) {
    const shown = needsSession ? page : signedOut;
    await show(shown, path);
    const excess = await shown.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect.soft({ name, excess }).toEqual({ name, excess: 0 });
  }
});

function pages() {
  const beside = `/c/${conversation}/canvas/${canvas}`;
  const others = [`/c/${conversation}`, beside, `/canvas/${canvas}`].concat(
    ["edit", "versions", "diff"].map((view) => `${beside}?view=${view}`),
  );
  return [...PAGES, ...others.map((path) => ({ name: path, path, needsSession: true }))];
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("h1, h2, textarea").locator("visible=true").first().waitFor();
  const loading = () => page.locator(".animate-pulse").count();
  await expect.poll(loading, { timeout: 60_000 }).toBe(0); // the machine may be busy
}

/** Rules that the page breaks, each with the first element that does. */
async function brokenRules(page: Page): Promise<string[]> {
  // injected by the browser itself: the page's policy lets no foreign script in
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[]; // built by the expression
}
