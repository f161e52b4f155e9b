import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { asksOf } from "../support/fill/asks.ts";
import { inspectPage } from "../support/inspect-page.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** Administration begins with how the installation is, and what needs somebody first. */

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test("where all is well it says so, and counts what there is", async () => {
  const page = await app.openSignedIn();
  await page.goto("/admin");
  await page.waitForURL(/\/admin\/overview$/);
  const main = page.getByRole("main");
  await main.getByText("Nothing needs your attention").waitFor();
  await main.getByRole("link", { name: /^Users\s*1/ }).waitFor();
  await look(page, "overview-well");
  expect(await brokenRules(page)).toEqual([]);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("what needs attention leads to where it is mended, what cannot wait first", async () => {
  const asks = asksOf(app);
  await asks.post("/api/v1/mcp-servers", { name: "clock", url: "http://127.0.0.1:1/mcp" });
  await asks.post("/api/v1/budgets", {
    name: "Trial",
    subjectType: "user",
    subjectId: "*",
    unit: "tokens",
    amount: 1_000_000,
    period: "month",
    warnAt: 0,
  });
  answerWith(app.provider, ["Hello there."]);
  await asks.post("/api/v1/conversation", { content: "Hello", stream: false });
  const page = await app.openSignedIn();
  await showPage(page, "/admin/overview");
  const needs = page.getByRole("main").getByRole("link", { name: /clock|Trial/ });
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole("heading", { name: "At a glance", exact: true }).waitFor();
        return needs.count();
      },
      { timeout: 60_000 },
    )
    .toBe(2);
  expect(await needs.first().innerText()).toContain("The tool server clock is down");
  expect(await needs.last().innerText()).toContain("The budget “Trial” is nearly used up");
  await look(page, "overview-needs");
  expect(await brokenRules(page)).toEqual([]);
  await needs.first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/admin\/tools\/servers$/);
  await page.getByText("Down", { exact: true }).waitFor();
  await look(page, "tool-servers");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a provider that fails is named as people named it, also behind a hundred others", async () => {
  const asks = asksOf(app);
  await asks.patch("/api/v1/model-providers/openai", { displayName: "Harbour models" });
  app.provider.answer(() => ({ status: 500 }));
  const body = { model: "gpt-test", messages: [{ role: "user", content: "Hello" }] };
  await app.server.request("/v1/chat/completions", { body });
  const page = await app.openSignedIn();
  // the lists that the overview reads, each an item a page
  await page.route(/\/(all\/health|budgets|servers)\?/, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("limit", "1");
    await route.continue({ url: url.href });
  });
  const needs = page.getByRole("main").getByRole("link", { name: /Harbour models fails/ });
  await expect
    .poll(
      async () => {
        await showPage(page, "/admin/overview");
        return needs.count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await page.getByRole("link", { name: /The tool server clock is down/ }).waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("on a dark phone, in German, the overview fits", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/admin/overview");
  await phone.getByText("Der Werkzeugserver clock ist ausgefallen").waitFor();
  await look(phone, "overview-phone-de-dark");
  expect((await inspectPage(phone, app.server.url)).excess).toBe(0);
  expect(await brokenRules(phone)).toEqual([]);
  await phone.getByRole("link", { name: /^Modellanbieter/ }).tap();
  await phone.waitForURL(/\/admin\/models\/providers$/);
  // what is no model stands apart from them
  await phone
    .getByText("Kein Sprachmodell: Es zitiert aus Dokumenten", { exact: false })
    .waitFor();
  await look(phone, "providers-phone-de-dark");
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
