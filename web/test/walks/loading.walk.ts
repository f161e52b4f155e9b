import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, DESKTOP, PHONE } from "../support/app.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { plainWords } from "../support/fill/words.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

/** Outlines of what loads: in its shape, announced, still for those who want that, and no jump. */

let filled: FilledApp;
let app: App;
let conversation: string;
beforeAll(async () => {
  filled = await fillApp(plainWords());
  ({ app } = filled);
  const text = "The sums:\n\n| a | b |\n|---|--:|\n| one | 1 |\n\n- one\n- two\n";
  app.provider.answer(() => ({ text: [text.repeat(3)] }));
  const { conversationId } = await asksOf(app).post<{ conversationId: string }>(
    "/api/v1/conversation",
    { content: "What are the sums?", stream: false },
  );
  conversation = `/c/${conversationId}`;
});
afterAll(() => filled?.[Symbol.asyncDispose]());

const pathOf = (pattern: RegExp) =>
  filled.pages.find(({ path }) => pattern.test(path))?.path ?? "";
const PAGES: [name: string, path: () => string, shape: string][] = [
  ["history", () => "/history", "rows"],
  ["templates", () => "/templates", "rows"],
  ["documents", () => "/documents", "rows"],
  ["agents", () => "/agents", "cards"],
  ["users", () => "/admin/users", "table"],
  ["groups", () => "/admin/groups", "table"],
  ["offered models", () => "/admin/models/offered", "table"],
  ["providers", () => "/admin/models/providers", "charts"],
  ["rules", () => "/automations", "list"],
  ["what needs you", () => "/needs-you", "rows"],
  ["usage", () => "/usage", "table"],
  ["audit log", () => "/admin/audit", "list"],
  ["an agent", () => pathOf(/^\/agents\/(?!0000)[0-9a-f-]{36}$/), "page"],
  ["a conversation", () => conversation, "thread"],
];

/** Whatever moves, as a share of the window, with what moved. */
const SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        globalThis.shifts.push([value, ...sources.map(({ node, previousRect, currentRect }) =>
          (node?.outerHTML ?? node?.textContent ?? "").slice(0, 90) +
          " from " + previousRect.y + " to " + currentRect.y)]);
  }).observe({ type: "layout-shift", buffered: true });
`;
const TWO_FRAMES =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";
const BETWEEN_MS = 60;
/** Without them there is no page at all. */
const NOT_HELD = /\/(events|auth\/me|app)(\?|$)/;

interface Held {
  letGo: () => void;
  /** How many answers have not come. */
  open: () => number;
}

/** Holds what the page asks of the server; then answers one by one, the last asked first. */
async function hold(page: Page): Promise<Held> {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  let answered = 0;
  await page.route("**/api/**", async (route) => {
    const url = route.request().url();
    if (NOT_HELD.test(url)) return route.continue();
    const at = (asked += 1);
    await gate.promise;
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, asked - at) * BETWEEN_MS),
    );
    await route.fulfill({ response: await route.fetch() });
    answered += 1;
  });
  return { letGo: gate.resolve, open: () => asked - answered };
}

for (const [size, viewport] of [
  ["desktop", DESKTOP],
  ["phone", PHONE],
] as const)
  test.each(PAGES)(
    `%s keeps its place while it loads, on a ${size}`,
    async (name, pathTo, shape) => {
      const page = await app.openSignedIn({ viewport });
      await page.addInitScript(SHIFTS);
      const held = await hold(page);
      await page.goto(pathTo());
      const outline = page.getByRole("main").locator(`[data-shape=${shape}]`).first();
      await outline.waitFor();
      expect(await outline.getAttribute("role")).toBe("status");
      await outline.getByText("Loading").waitFor({ state: "attached" });
      await look(page, `loading-${size}-${name}`);
      await page.evaluate("globalThis.shifts.length = 0");
      held.letGo();
      await outline.waitFor({ state: "detached" });
      await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
      await expect.poll(held.open).toBe(0);
      await page.evaluate(TWO_FRAMES);
      expect(await page.evaluate("globalThis.shifts")).toEqual([]);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.context().close();
    },
  );

test("an outline holds still for those who want no motion", async () => {
  const page = await app.openSignedIn({ reducedMotion: "reduce" });
  const { letGo } = await hold(page);
  await page.goto("/history");
  await page.locator("main [data-shape=rows]").waitFor();
  const moving = await page.evaluate(
    "document.getAnimations().filter(({ playState }) => playState === 'running').length",
  );
  expect(moving).toBe(0);
  letGo();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
});
