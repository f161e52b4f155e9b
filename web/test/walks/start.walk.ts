import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uploadFile } from "../../../test/support/upload-file.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

let app: App;
let agentId: string;
beforeAll(async () => {
  app = await startApp();
  const asks = asksOf(app);
  const starters = ["When is high water?", "Where is a free berth?"];
  const agent = { name: "Harbour pilot", description: "Knows the tides.", starters };
  agentId = (await asks.post("/api/v1/agent", agent)).id;
  for (const name of ["tides.md", "berths.md"])
    await uploadFile(app.server, `# ${name}`, name, { token: app.server.token });
});
afterAll(() => app[Symbol.asyncDispose]());

/** What moves without the user's doing, as a share of the window. */
const SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        globalThis.shifts.push([value, ...sources.map(({ node }) => node?.nodeName + "." + node?.className)]);
  }).observe({ type: "layout-shift", buffered: true });
`;
/** What one sees as still. */
const MAX_SHIFT = 0.005;

/** The answers come one after another, in an order in which each would move what came before. */
const LATE = [
  "**/documents?**",
  "**/sharing/shared-with-me**",
  "**/toolsets**",
  "**/agent?**",
];

async function openSlowly(options: Parameters<App["openSignedIn"]>[0]): Promise<Page> {
  const page = await app.openSignedIn(options);
  await page.addInitScript(SHIFTS);
  for (const [at, address] of LATE.entries())
    await page.route(address, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, at * 400));
      await route.continue();
    });
  await page.goto("/");
  return page;
}

for (const [name, options] of [
  ["desktop", {}],
  ["phone", { viewport: PHONE, hasTouch: true, isMobile: true }],
] as const)
  test(`on a ${name} nothing moves on the start page while its parts arrive`, async () => {
    const page = await openSlowly(options);
    await page.getByRole("group", { name: "Starters" }).waitFor();
    await page.evaluate("globalThis.shifts = []"); // from here on only parts arrive
    await page.getByText("Last documents").waitFor();
    await page.getByRole("button", { name: "Harbour pilot" }).waitFor();
    await page.getByRole("button", { name: /^Tools/ }).waitFor();
    await look(page, `start-${name}`);
    const shifts = (await page.evaluate("globalThis.shifts")) as [number, ...string[]][];
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MAX_SHIFT);
    expect(app.problems).toEqual([]);
    await page.context().close();
  });

test("with an agent the page keeps its edge and its order: head, composer, starters", async () => {
  const page = await app.openSignedIn();
  /** @param at of the heading: itself, or what it stands in with its tile. */
  const measure = async (at: string) => {
    const head = await page.getByRole("heading", { level: 1 }).locator(at).boundingBox();
    const composer = await page.getByRole("textbox", { name: "Message" }).boundingBox();
    const starters = page.getByRole("group", { name: "Starters" });
    const first = await starters.getByRole("button").first().boundingBox();
    return { edge: head?.x ?? 0, composer: composer?.y ?? 0, starters: first?.y ?? 0 };
  };
  await page.goto("/");
  await page.getByRole("button", { name: "Summarise a file" }).waitFor();
  const without = await measure("xpath=.");
  await page.getByRole("button", { name: "Harbour pilot" }).click();
  await page.getByRole("button", { name: "When is high water?" }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Harbour pilot" }).waitFor();
  await look(page, "start-agent");
  const within = await measure("xpath=..");
  expect(within.edge).toBe(without.edge);
  expect(Math.abs(within.composer - without.composer)).toBeLessThanOrEqual(16);
  expect(within.starters).toBeGreaterThan(within.composer);
  await page.getByText("Last documents").waitFor();
  await page.getByRole("button", { name: "When is high water?" }).click();
  const message = page.getByRole("textbox", { name: "Message" });
  expect(await message.inputValue()).toBe("When is high water?");
  await page.goto(`/?agent=${agentId}`);
  await page.getByRole("heading", { level: 1, name: "Harbour pilot" }).waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("the picker shows tiles, and ticks the model, or else the agent", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  const picker = page.getByRole("button", { name: /^Who answers/ });
  const items = page.getByRole("menuitemradio");
  const ticked = page.getByRole("menuitemradio", { checked: true });
  await picker.click();
  await items.filter({ hasText: "gpt-test" }).waitFor();
  expect(await ticked.allInnerTexts()).toEqual([expect.stringContaining("gpt-test")]);
  expect(await page.getByRole("menuitem", { name: "No agent" }).count()).toBe(0);
  const without = items.filter({ hasNot: page.locator("[aria-hidden=true]") });
  expect(await without.count()).toBe(0);
  await look(page, "start-picker");
  await items.filter({ hasText: "Harbour pilot" }).click();
  await picker.click();
  await items.filter({ hasText: "Harbour pilot" }).waitFor();
  expect(await ticked.first().innerText()).toContain("Harbour pilot");
  await page.getByRole("menuitem", { name: "No agent" }).click();
  await expect.poll(() => picker.innerText()).toContain("gpt-test");
  await page.context().close();
});

test("an answer has the name of who writes it from the first moment", async () => {
  const page = await app.openSignedIn();
  const words = Array.from({ length: 40 }, (_, at) => `word${at} `);
  answerWith(app.provider, words, 100);
  const growing = page.locator("article[aria-busy=true]");
  const ask = async (path: string) => {
    await page.goto(path);
    await page.getByRole("textbox", { name: "Message" }).fill("When?");
    await page.keyboard.press("Enter");
    await growing.waitFor();
    return growing.locator("bdi").first().innerText();
  };
  expect(await ask("/")).toBe("gpt-test");
  expect(await ask(`/?agent=${agentId}`)).toBe("Harbour pilot");
  await look(page, "start-growing");
  await page.context().close();
});
