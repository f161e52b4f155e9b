import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../support/app.ts";
import { type FilledApp, fillApp } from "../support/fill/fill-app.ts";
import { plainWords } from "../support/fill/words.ts";

/** Pages of several queries, whichever is answered last: what stands there stays, and was true. */

let filled: FilledApp;
let app: App;
let page: Page;
beforeAll(async () => {
  const configured = [{ name: "of-a-file", url: "http://127.0.0.1:9/mcp" }];
  filled = await fillApp(plainWords(), { MCP_SERVERS: JSON.stringify(configured) });
  ({ app } = filled);
  page = await app.openSignedIn();
});
afterAll(() => filled?.[Symbol.asyncDispose]());

/** Answers as the server does, unless the page was left. */
async function answer(route: Route): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch() });
  } catch {
    // the page asks no more
  }
}

const TWO_FRAMES =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";

/** Opens a page; waits until all its queries are answered but this one. */
async function openWithout(path: string, held: string | undefined) {
  const gate = Promise.withResolvers<void>();
  const asked = new Set<string>();
  let isHeld = false;
  let open = 0;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route("**/*", async (route) => {
    const request = route.request();
    const url = request.url().slice(app.server.url.length);
    const isQuery = request.resourceType() === "fetch" && request.method() === "GET";
    if (!isQuery || /\/events(\?|$)/.test(url)) return route.continue();
    asked.add(url);
    if (url === held) {
      isHeld = true;
      await gate.promise;
    }
    open += 1;
    await answer(route);
    open -= 1;
  });
  await page.goto(path);
  await page.getByRole("button", { name: /^Account/ }).waitFor();
  const settle = async () => {
    let quiet = 0;
    await expect
      .poll(async () => {
        await page.evaluate(TWO_FRAMES);
        quiet = open === 0 ? quiet + 1 : 0;
        return quiet;
      })
      .toBeGreaterThan(3);
  };
  await settle();
  return { asked: [...asked], isHeld: () => isHeld, letGo: gate.resolve, settle };
}

/** Remembers what can be used and read on the page. */
const REMEMBER = `{
  const outline = "[role=status], [aria-busy=true]";
  const isShown = (one) => one.checkVisibility() && !one.closest(outline);
  const parts = "button, a, input, select, textarea, summary, li, tr, section, h2, h3";
  const main = document.querySelector("main");
  globalThis.kept = [...main.querySelectorAll(parts)].filter(isShown);
  globalThis.said = new Set();
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (isShown(texts.currentNode.parentElement))
      globalThis.said.add(texts.currentNode.data.trim());
}`;
/** What of that is gone; "…" stands for what is not known yet. */
const GONE = `[
  ...globalThis.kept.filter((one) => !one.isConnected)
    .map((one) => one.localName + ": " + (one.ariaLabel ?? one.textContent).slice(0, 60)),
  ...[...globalThis.said].filter((one) => !/…|now|ago/.test(one))
    .filter((one) => !document.querySelector("main").textContent.includes(one)),
]`;

/** What every page asks for. */
let ofFrame: ReadonlySet<string> | undefined;

const pathOf = (pattern: RegExp) => {
  const { path } = filled.pages.find((one) => pattern.test(one.path)) ?? {};
  if (path === undefined) throw new Error(`no page is ${pattern}`);
  return path;
};

const ID = "(?!0000)[0-9a-f-]{36}";
test.each([
  /^\/history$/,
  /^\/documents$/,
  new RegExp(`^/documents/${ID}$`),
  new RegExp(`^/documents/d/${ID}$`),
  /^\/agents$/,
  new RegExp(`^/agents\\?folder=${ID}$`),
  /^\/agents\?view=own$/,
  new RegExp(`^/agents/${ID}$`),
  new RegExp(`^/agents/${ID}/versions\\?`),
  /^\/usage$/,
  /^\/automations$/,
  new RegExp(`^/automations/\\d+$`),
  /^\/admin\/models\/offered$/,
  /^\/admin\/models\/providers$/,
  /^\/admin\/tools\/servers$/,
  /^\/admin\/web-search$/,
  /^\/admin\/users$/,
  /^\/admin\/users\/provisioning$/,
  new RegExp(`^/admin/users/${ID}`),
  new RegExp(`^/admin/groups/${ID}$`),
])("%s keeps its rows, sections, buttons, words and open menus", async (pattern) => {
  const path = pathOf(pattern);
  ofFrame ??= new Set((await openWithout("/settings/profile", undefined)).asked);
  const { asked } = await openWithout(path, undefined);
  const own = asked.filter((url) => !ofFrame?.has(url));
  const lost: Record<string, unknown> = {};
  for (const query of own) {
    const { isHeld, letGo, settle } = await openWithout(path, query);
    if (!isHeld()) continue; // asked only sometimes
    const menu = page.locator("main button[aria-haspopup=menu]").locator("visible=true");
    const opened = page.getByRole("menuitem").or(page.getByRole("menuitemradio"));
    const hasMenu = (await menu.count()) > 0;
    if (hasMenu) {
      await menu.last().click();
      await opened.first().waitFor();
    }
    await page.evaluate(REMEMBER);
    letGo();
    await settle();
    await expect.poll(() => page.locator("main .animate-pulse").count()).toBe(0);
    const gone = (await page.evaluate(GONE)) as string[];
    if (hasMenu && !(await opened.first().isVisible())) gone.push("the open menu");
    if (gone.length > 0) lost[query] = gone;
  }
  expect(lost).toEqual({});
  expect(app.problems).toEqual([]);
});
