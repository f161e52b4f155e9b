import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";

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
