import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** What is seen before all of a page is there, and what lists say at a glance. */

const ANSWER = `A formula: $\\frac{a}{b}$ and

$$
\\sum_{i=1}^{n} i
$$

\`\`\`python
print("one")
\`\`\`
`;

let app: App;
let conversation: string;
beforeAll(async () => {
  app = await startApp({
    env: { OPENAI_MODELS: "gpt-4o-mini,gpt-test" },
  });
  const asks = asksOf(app);
  answerWith(app.provider, [ANSWER]);
  const agent = await asks.post("/api/v1/agent", {
    name: "Harbour pilot",
    tools: ["toolset:code"],
  });
  const sent = { content: "Show it", agentId: agent.id, stream: false };
  const made = await asks.post<{ conversationId: string }>("/api/v1/conversation", sent);
  conversation = `/c/${made.conversationId}`;
});
afterAll(() => app[Symbol.asyncDispose]());

/** Whatever moves, as a share of the window, from the first paint on. */
const SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        globalThis.shifts.push([value, ...sources.map(({ node }) => node?.nodeName)]);
  }).observe({ type: "layout-shift", buffered: true });
`;
/** A page that moves as a whole is a quarter of it. */
const MAX_SHIFT = 0.05;

test("no page moves as a whole when the app begins to draw", async () => {
  const page = await app.openSignedIn();
  await page.addInitScript(SHIFTS);
  for (const path of ["/", "/history", "/admin/users", "/welcome", conversation]) {
    await showPage(page, path);
    const shifts = (await page.evaluate("globalThis.shifts")) as [number, ...string[]][];
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    expect(sum, `${path}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_SHIFT);
  }
  await page.context().close();
});

/** Holds a part of the app until it is let go. */
async function hold(page: Page, part: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(part, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

test("the source of a formula is not seen while its code is loading", async () => {
  const page = await app.openSignedIn();
  const letGo = await hold(page, /assets\/typeset-.*\.js/);
  await page.goto(conversation);
  const answer = page.getByRole("article", { name: "Answer" });
  await answer.locator("[data-formula-loading]").first().waitFor({ state: "attached" });
  expect(await answer.getByText("frac").locator("visible=true").count()).toBe(0);
  expect(await answer.getByText("sum_").locator("visible=true").count()).toBe(0);
  letGo();
  await expect.poll(() => answer.locator("math").count()).toBe(2);
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("the source of a formula is read where its code cannot be loaded", async () => {
  const page = await app.openSignedIn();
  await page.route(/assets\/typeset-.*\.js/, (route) => route.fulfill({ status: 404 }));
  await page.goto(conversation);
  const answer = page.getByRole("article", { name: "Answer" });
  await answer.getByText("\\frac{a}{b}").locator("visible=true").waitFor();
  await page.context().close();
  app.problems.length = 0; // a part of the app was missing
});

test("code waits for its colours, but not for long", async () => {
  const page = await app.openSignedIn();
  const letGo = await hold(page, /assets\/code-worker-.*\.js/);
  await page.goto(conversation);
  const code = page.locator("pre code");
  await code.waitFor();
  const coming = () => code.evaluate((one) => one.classList.contains("code-coming"));
  expect(await coming()).toBe(true);
  // what has no colours is read all the same
  const opacity = () =>
    page.evaluate("getComputedStyle(document.querySelector('pre code')).opacity");
  await expect.poll(opacity).toBe("1");
  letGo();
  await code.locator(".code-string, .code-function, .code-constant").first().waitFor();
  expect(await coming()).toBe(false);
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("what is typed before the search in a conversation is there stands in it", async () => {
  const page = await app.openSignedIn();
  await showPage(page, conversation);
  const letGo = await hold(page, /assets\/find-bar-.*\.js/);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("form");
  letGo();
  const field = page.getByRole("searchbox", { name: "Search in the conversation" });
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe("form");
  await page.keyboard.type("ula");
  await page.getByText("1 of 1").waitFor();
  expect(await field.inputValue()).toBe("formula");
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("models have the names that people know, and say what they can do", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/");
  const model = page.getByRole("menuitemradio", { name: /^GPT-4o mini/ });
  const factsOfModel = async () => {
    await page.getByRole("button", { name: "Who answers: GPT-4o mini" }).click();
    await page.getByRole("group", { name: "OpenAI" }).locator(model).waitFor();
    const facts = await model.innerText();
    await page.keyboard.press("Escape");
    return facts;
  };
  // neither its provider nor a person said whether it sees images
  expect(await factsOfModel()).not.toContain("sees images");
  await showPage(page, "/admin/models/offered");
  const row = page.getByRole("row").filter({ hasText: "GPT-4o mini" });
  await row.getByText("Images: not known", { exact: true }).waitFor();
  await row.getByRole("button", { name: /^Actions/ }).click();
  await page.getByRole("menuitem", { name: "Price and abilities" }).click();
  const dialog = page.getByRole("dialog");
  const reads = dialog.getByLabel("Reads images");
  await expect.poll(() => reads.inputValue()).toBe("unknown");
  await reads.selectOption("Yes");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByRole("img", { name: "Reads images", exact: true }).waitFor();
  await row.getByRole("img", { name: "Uses tools" }).waitFor();
  await look(page, "models-named");
  await showPage(page, "/admin/models/providers");
  const provider = page.getByRole("listitem").filter({ hasText: "OpenAI" });
  // neither its kind nor its short name repeat its name
  expect((await provider.innerText()).match(/openai/gi)).toHaveLength(1);
  await provider.getByText(new URL(app.provider.url).host).waitFor();
  await showPage(page, "/");
  expect(await factsOfModel()).toContain("sees images");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("rows say whose they are: conversations, agents and users", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/history");
  const today = page.getByRole("region", { name: "Today" });
  await today.getByRole("listitem").getByText("Harbour pilot").waitFor();
  await showPage(page, "/agents");
  const card = page.getByRole("listitem").filter({ hasText: "Harbour pilot" });
  await card.getByRole("img", { name: "Runs code" }).waitFor();
  expect(await card.getByRole("img", { name: "Searches the web" }).count()).toBe(0);
  await look(page, "agents-abilities");
  await page.context().close();
});

test("on a phone a row of a table begins with its name, without a label", async () => {
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  await showPage(phone, "/admin/models/offered");
  const row = phone.getByRole("row").filter({ hasText: "GPT-4o mini" });
  const name = await row.getByText("GPT-4o mini", { exact: true }).boundingBox();
  const menu = await row.getByRole("button").boundingBox();
  expect(name?.x).toBeLessThan(PHONE.width / 4);
  // beside each other
  expect(menu?.x).toBeGreaterThan(PHONE.width / 2);
  expect(Math.abs((menu?.y ?? 0) - (name?.y ?? 0))).toBeLessThan(40);
  for (const label of ["Name", "Abilities", "State"])
    expect(await row.getByText(label, { exact: true }).count()).toBe(0);
  const state = await row.getByText("Default", { exact: true }).boundingBox();
  // below the name, where it begins
  expect(state?.y).toBeGreaterThan(name?.y ?? Infinity);
  expect((await row.boundingBox())?.height).toBeLessThan(100);
  await look(phone, "models-phone");
  await phone.context().close();
});

test("an empty list shows what will be there; a search that finds nothing does not", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/documents?of=chats");
  await page.getByText("No files given to conversations").waitFor();
  await look(page, "attachments-empty");
  await showPage(page, "/documents?of=chats&q=nothing");
  await page.getByText("No document fits").waitFor();
  await page.context().close();
});

test("the end of a notice is a day and a time as the language writes them", async () => {
  const page = await app.openSignedIn({
    locale: "de-DE",
    timezoneId: "Europe/Berlin",
  });
  await showPage(page, "/admin/branding");
  await page.getByLabel("Text").fill("Wartung");
  const day = page.getByLabel("Bis", { exact: true });
  const time = page.getByLabel("Bis: Uhrzeit");
  await day.fill("31.12.2099");
  await time.fill("9:30");
  await look(page, "branding-until");
  await page.getByRole("button", { name: "Hinweis zeigen" }).click();
  const until = async () => {
    const answer = await app.server.request("/api/v1/app");
    const { branding } = (await answer.json()) as {
      branding: { notice: { until: string | null } | null };
    };
    return branding.notice?.until;
  };
  await expect.poll(until).toBe("2099-12-31T08:30:00.000Z");
  await page.reload();
  await expect.poll(() => day.inputValue()).toBe("31.12.2099");
  expect(await time.inputValue()).toBe("09:30");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a browser has nothing to remark about the forms with passwords", async () => {
  const signedOut = await app.open();
  const signedIn = await app.openSignedIn();
  const remarks: string[] = [];
  for (const page of [signedOut, signedIn])
    page.on("console", (message) => {
      if (message.text().startsWith("[DOM]")) remarks.push(message.text());
    });
  // as before the first administrator has signed in
  await signedOut.route("**/api/v1/app", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), setup: true } });
  });
  await signedOut.goto("/sign-in");
  await signedOut.getByLabel("Password that the start printed").waitFor();
  await look(signedOut, "sign-in-setup");
  await signedOut.getByRole("button", { name: /already/ }).click();
  await signedOut.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  await showPage(signedIn, "/settings/security");
  await signedIn.getByLabel(/^New password/).waitFor();
  expect(remarks).toEqual([]);
  await signedOut.context().close();
  await signedIn.context().close();
});
