import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { PAGES } from "../pages.ts";
import { answerWith, type App, startApp } from "../support/app.ts";

/** The most requests of the API with which a page opens, besides those of the frame around it. */
const MAX_REQUESTS = 5;
/** The most of the start page with its sections, which come once one can write. */
const MAX_START_REQUESTS = 10;
/** Who one is, and what the app is and looks like. */
const FRAME = 4;
/** What the rail asks on every page. */
const RAIL = [
  "GET /api/v1/conversation/chat-history?limit=30",
  "GET /api/v1/conversation/chat-history?limit=30&pinned=true",
  "GET /api/v1/auth/me/notices?limit=20",
  "GET /api/v1/preferences",
];

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function aConversation(): Promise<string> {
  answerWith(app.provider, ["An answer."]);
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByText("An answer.").first().waitFor();
  await page.waitForURL(/\/c\/[0-9a-f-]{36}$/);
  const { pathname } = new URL(page.url());
  await page.context().close();
  return pathname;
}

test("every page opens with few requests, none of them twice", async () => {
  const conversation = await aConversation();
  const page = await app.openSignedIn();
  // what is asked on idle comes after the page, when the machine pleases
  await page.addInitScript("globalThis.requestIdleCallback = () => 0");
  const asked = requestsOf(page);
  // a page for an address that does not exist asks what all pages ask
  await open(page, "/no-such-page");
  const frame = new Set([...asked, ...RAIL]);
  // what leads to another page asks what that one does, perhaps while the next one opens
  const paths = PAGES.filter(
    ({ path, needsSession }) => needsSession && path !== "/admin",
  ).map(({ path }) => path);
  for (const path of [...paths, conversation]) {
    asked.length = 0;
    await open(page, path);
    const own = asked.filter((request) => !frame.has(request));
    const repeated = asked.filter((request, index) => asked.indexOf(request) < index);
    const isMany = own.length > MAX_REQUESTS ? own : [];
    expect.soft({ path, isMany, repeated }).toEqual({ path, isMany: [], repeated: [] });
  }
});

test("the sections of the start page ask little, and nothing twice", async () => {
  const page = await app.openSignedIn();
  const asked = requestsOf(page);
  const waiting = page.waitForResponse("**/api/v1/conversation/waiting?*");
  await open(page, "/");
  await waiting;
  const own = asked.filter((request) => !RAIL.includes(request));
  const repeated = asked.filter((request, index) => asked.indexOf(request) < index);
  expect(repeated).toEqual([]);
  expect(own.length, own.join("\n")).toBeLessThanOrEqual(MAX_START_REQUESTS + FRAME);
});

/** The requests of the API from now on. */
function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    // the stream of changes is one for all tabs, and opens again when its tab goes
    if (!pathname.startsWith("/api/") || pathname === "/api/v1/events") return;
    const key = `${request.method()} ${pathname}${search}`;
    asked.push(`${key} ${request.postData() ?? ""}`.trim());
  });
  return asked;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("h1, h2, textarea").locator("visible=true").first().waitFor();
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
}
