import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Script } from "../../../test/support/scripted-provider.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** How the calls to each provider ended, on the page of providers. */

const PATH = "/admin/models/providers";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ env: { ANTHROPIC_API_KEY: "of nobody who is asked" } });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Each asks the provider once. */
async function asks(count: number, script: Script): Promise<void> {
  app.provider.answer(() => script);
  for (let asked = 0; asked < count; asked += 1)
    await app.server.request("/v1/chat/completions", {
      body: { model: "gpt-test", messages: [{ role: "user", content: "Hello" }] },
    });
}

/** Waits until core has counted so many calls: processes send them every ten seconds. */
async function counted(calls: number): Promise<void> {
  const count = async () => {
    const answer = await app.server.request("/api/v1/model-providers/all/health");
    const { items } = (await answer.json()) as {
      items: { name: string; hours: { calls: number }[] }[];
    };
    const { hours = [] } = items.find(({ name }) => name === "openai") ?? {};
    return hours.reduce((sum, hour) => sum + hour.calls, 0);
  };
  await expect.poll(count).toBe(calls);
}

const card = (of: Page, name: string) => of.getByRole("listitem").filter({ hasText: name });
const hours = (of: Page, name: string) =>
  of.getByRole("slider", { name: `Calls to ${name} in each of the last 24 hours` });

test("a provider that was not called says so, and one that answers how quickly", async () => {
  await showPage(page, PATH);
  await card(page, "Anthropic").getByText("No calls in the last 24 hours").waitFor();
  await asks(3, { text: ["Hello"] });
  await counted(3);
  await showPage(page, PATH);
  const shown = card(page, "OpenAI");
  await shown.getByText("Healthy").waitFor();
  await shown.getByText(/^3 calls · first word after/).waitFor();
  expect(await shown.locator("[data-failed]").count()).toBe(0);
  expect(app.problems).toEqual([]);
});

test("one that fails says why and since when, in the bar of the hour too", async () => {
  // a long wait is not repeated
  await asks(2, { status: 429, headers: { "retry-after": "60" } });
  await counted(5);
  await showPage(page, PATH);
  const shown = card(page, "OpenAI");
  await shown.getByText("The last call failed").waitFor();
  await shown.getByText(/^2 of 5 calls failed/).waitFor();
  await shown.getByText(/^Last failure .*: .*accepts no more requests now/).waitFor();
  expect(await shown.locator("[data-failed]").count()).toBe(1);
  expect(await brokenRules(page)).toEqual([]);
  await look(page, "health");
  expect(app.problems).toEqual([]);
});

test("each hour can be read by pointing and by the arrow keys", async () => {
  const shown = card(page, "OpenAI");
  const bars = hours(page, "OpenAI");
  await bars.focus();
  expect(await bars.getAttribute("aria-valuetext")).toMatch(
    /^\d\d:\d\d to \d\d:00: 5 calls, 2 failed \(2 over the limit\), first word after/,
  );
  await shown.getByText(/to \d\d:00: 5 calls, 2 failed/).waitFor();
  await page.keyboard.press("ArrowLeft");
  expect(await bars.getAttribute("aria-valuetext")).toMatch(/: no calls$/);
  await look(page, "health-hour");
  await page.keyboard.press("Tab");
  await shown.getByText("The last call failed").waitFor();
  const box = await bars.boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 20);
  await shown.getByText(/to \d\d:00: 5 calls, 2 failed/).waitFor();
  await page.mouse.move(0, 0);
  await shown.getByText("The last call failed").waitFor();
});

test("on a dark phone, in German, it is read by touch and fits", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, PATH);
  const shown = card(phone, "OpenAI");
  await shown.getByText("Der letzte Aufruf ist gescheitert").waitFor();
  await shown.getByText(/^Letzter Fehler /).waitFor();
  await look(phone, "health-phone-de-dark");
  const bars = phone.getByRole("slider", { name: /^Aufrufe bei OpenAI/ });
  const box = await bars.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await phone.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 20);
  await shown.getByText(/bis \d\d:00: 5 Aufrufe, davon 2 gescheitert/).waitFor();
  await look(phone, "health-phone-hour-de-dark");
  expect((await inspectPage(phone, app.server.url)).excess).toBe(0);
  expect(await brokenRules(phone)).toEqual([]);
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
