import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";

/** A request that fails once for a moment is sent again, and one that is refused is not. */

let app: App;
let page: Page;
let agentId: string;
beforeAll(async () => {
  app = await startApp();
  const agent = { name: "Harbour pilot", description: "Knows the tides" };
  ({ id: agentId } = await asksOf(app).post("/api/v1/agent", agent));
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const asked = {
  agent: /\/api\/v1\/agent\/[0-9a-f-]{36}$/,
  times: /\/api\/automations\/schedules\/preview$/,
  matches: /\/api\/automations\/preview$/,
};

/** Answers the first requests that fit with this status. @returns how many came in all. */
async function fail(address: RegExp, status: number, times: number): Promise<() => number> {
  let count = 0;
  await page.unrouteAll();
  await page.route(address, (route) => {
    count += 1;
    if (count > times) return route.continue();
    const json = { code: "unavailable", error: "It is not there now." };
    return route.fulfill({ status, json });
  });
  return () => count;
}

const WAYS: Record<keyof typeof asked, () => Promise<void>> = {
  async agent() {
    await page.goto(`/?agent=${agentId}`);
    await page.getByRole("heading", { name: "Harbour pilot" }).waitFor();
  },
  async times() {
    await page.goto("/automations/schedules/new");
    await page.getByLabel("When").fill("0 9 * * 1");
    await expect.poll(() => page.getByRole("main").locator("time").count()).toBe(5);
  },
  async matches() {
    await page.goto("/automations/new");
    await page.getByLabel("Type of the media").fill("pdf");
    await page.getByText("You have sent no media yet", { exact: false }).waitFor();
  },
};

test.each(["agent", "times", "matches"] as const)(
  "%s: what one failed request should have brought comes all the same",
  async (name) => {
    const count = await fail(asked[name], 503, 1);
    await WAYS[name]();
    expect(count()).toBeGreaterThan(1);
    expect(await page.getByRole("alert").count()).toBe(0);
  },
);

test("what is refused is asked for once", async () => {
  const count = await fail(asked.times, 400, 100);
  await page.goto("/automations/schedules/new");
  await page.getByLabel("When").fill("0 9 * * 1");
  await page.getByRole("alert").waitFor();
  expect(count()).toBe(1);
});
