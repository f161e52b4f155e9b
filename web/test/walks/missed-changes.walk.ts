import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";

/** So long waits a page whose browser is slow to end the one before. */
const LATE_MS = 1_500;

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const addTemplate = (name: string) =>
  app.server.request("/api/v1/templates", { body: { name, content: "Text" } });

test("what changes before the first connection for changes stands is shown", async () => {
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/v1/events**", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await addTemplate("Reply to Yan");
  await page.goto("/templates");
  await page.getByText("Reply to Yan").first().waitFor();
  await addTemplate("Reply to Zoe");
  gate.resolve();
  await page.getByText("Reply to Zoe").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("what changes while the first connection fails is shown", async () => {
  let hasFailed = false;
  await page.unrouteAll();
  await page.route("**/api/v1/events**", async (route) => {
    if (hasFailed) return route.continue();
    hasFailed = true;
    await addTemplate("Reply to Xia");
    await route.abort();
  });
  await page.goto("/templates");
  await page.getByText("Reply to Xia").first().waitFor();
  expect(hasFailed).toBe(true);
});

test("a page that takes over from another reads nothing twice, and misses nothing", async () => {
  await page.unrouteAll();
  await page.goto("/templates");
  await page.getByText("Reply to Xia").first().waitFor();
  const next = await page.context().newPage();
  const asked: string[] = [];
  next.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await next.goto("/templates");
  await next.getByText("Reply to Xia").first().waitFor();
  await next.waitForTimeout(LATE_MS);
  const read = asked.length;
  const connected = next.waitForResponse("**/api/v1/events**");
  await page.close();
  await connected;
  await next.waitForTimeout(LATE_MS);
  expect(asked.slice(read)).toEqual(["/api/v1/events"]);
  await addTemplate("Reply to Wim");
  await next.getByText("Reply to Wim").first().waitFor();
});
