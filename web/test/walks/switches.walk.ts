import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { styleOf } from "../support/style-of.ts";

/** What the model may use is switched beside the message. */

let town: ToolServer;
let app: App;
let page: Page;
beforeAll(async () => {
  town = await startToolServer({
    look: { run: () => text("seen") },
    dig: { run: () => text("dug") },
  });
  app = await startApp({
    env: { MCP_SERVERS: JSON.stringify([{ name: "town", url: town.url }]) },
  });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await town[Symbol.asyncDispose]();
});

const documents = () =>
  page.locator("form").getByRole("button", { name: "Documents", exact: true });
const tools = () => page.locator("form").getByRole("button", { name: /^Tools/ });
const web = (of: Page) =>
  of.locator("form").getByRole("button", { name: "Web", exact: true });
const pressed = (isOn: boolean) =>
  expect.poll(() => documents().getAttribute("aria-pressed")).toBe(String(isOn));

/** The names in the body of the next message. */
async function namedIn(send: () => Promise<void>): Promise<unknown> {
  const asked = page.waitForRequest(
    (request) =>
      request.method() === "POST" && request.url().endsWith("/api/v1/conversation"),
  );
  await send();
  return ((await asked).postDataJSON() as { tools?: string[] }).tools;
}

/** Sends it, once the answer before has ended: while one is written nothing is sent. */
async function say(words: string): Promise<void> {
  await page.locator("form").getByRole("button", { name: "Send" }).waitFor();
  await page.getByLabel("Message", { exact: true }).fill(words);
  await page.keyboard.press("Enter");
}

test("documents and tools of a server are switched on by mouse and by keyboard, and stay on", async () => {
  await page.goto("/");
  await pressed(false);
  expect(await namedIn(() => say("hello"))).toBeUndefined();
  await page.waitForURL(/\/c\//);

  await documents().click();
  await pressed(true);
  await tools().focus();
  await page.keyboard.press("Enter");
  const server = page.getByRole("menuitemcheckbox", { name: /town/ });
  await server.waitFor();
  await server.click();
  await expect.poll(() => server.getAttribute("aria-checked")).toBe("true");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Tools 1 on" }).waitFor();
  expect(await namedIn(() => say("again"))).toEqual(["toolset:documents", "look", "dig"]);

  await page.goto("/");
  await pressed(true);
  await page.getByRole("button", { name: "Tools 1 on" }).click();
  await page.getByRole("menuitemcheckbox", { name: /town/ }).click();
  await page.keyboard.press("Escape");
  await documents().click();
  expect(await namedIn(() => say("once more"))).toBeUndefined();
  expect(app.problems).toEqual([]);
});

test("a switch that is on looks so below the pointer", async () => {
  await page.goto("/");
  await pressed(false);
  const colour = () => styleOf(documents(), "backgroundColor");
  // colours change by a transition
  const settled = () =>
    expect
      .poll(() => documents().evaluate((button) => button.getAnimations().length))
      .toBe(0);
  await documents().hover();
  await settled();
  const off = await colour();
  await documents().click();
  await pressed(true);
  await expect.poll(colour).not.toBe(off);
  await settled();
  const below = await colour();
  await page.mouse.move(0, 0);
  await settled();
  expect(await documents().evaluate((button) => button.matches(":hover"))).toBe(false);
  expect(await colour()).toBe(below);
  await documents().click();
  await pressed(false);
});

test("an administrator reads that nothing searches the web, and others are not offered it", async () => {
  await page.goto("/");
  const notice = page.getByText("No search engine is set up");
  await web(page).click();
  await notice.waitFor();
  await look(page, "web-notice-desktop");
  const mend = page.getByRole("link", { name: "Add a search engine" });
  expect(await mend.getAttribute("href")).toBe("/admin/web-search");
  await web(page).click();
  await notice.waitFor({ state: "detached" });
  const person = { email: "una@test.example", password: "a long enough password" };
  const made = await app.server.request("/api/v1/users", {
    body: { ...person, name: "Una" },
  });
  expect(made.status).toBe(201);
  const other = await app.open();
  await other.context().request.post("/api/v1/auth/session", {
    data: person,
    headers: { "x-parlance": "1", origin: app.server.url },
  });
  await other.goto("/");
  // an agent has the same name
  const form = other.locator("form");
  await form.getByRole("button", { name: "Documents", exact: true }).waitFor();
  expect(await web(other).count()).toBe(0);
  expect(app.problems).toEqual([]);
  await other.context().close();
});

test("what can be switched on is there before the server says so again, until its user signs out", async () => {
  const own = await app.openSignedIn();
  const kept = () => own.evaluate(() => localStorage.getItem("parlance.switches"));
  await own.goto("/");
  await web(own).waitFor();
  await expect.poll(kept).toContain("town");
  const held: (() => void)[] = [];
  let mayGo = false;
  await own.route(/\/api\/v1\/(toolsets|tools)\?/, async (route) => {
    if (!mayGo) await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await own.reload();
  await web(own).waitFor();
  await own.locator("form").getByRole("button", { name: "Tools", exact: true }).click();
  await own.getByRole("menuitemcheckbox", { name: /town/ }).waitFor();
  expect(held).not.toEqual([]);
  mayGo = true;
  for (const go of held) go();
  await own.keyboard.press("Escape");
  await own.getByRole("button", { name: /Administrator$/ }).click();
  await own.getByRole("menuitem", { name: "Sign out" }).click();
  await own.waitForURL(/sign-in/);
  expect(await kept()).toBeNull();
  await own.context().close();
});

test("what can no longer be used is not asked for", async () => {
  await page.evaluate(() =>
    localStorage.setItem(
      "parlance.tools",
      JSON.stringify(["toolset:gone", "toolset:documents"]),
    ),
  );
  await page.goto("/");
  await pressed(true);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("parlance.tools")))
    .toBe('["toolset:documents"]');
});

test("a long text that is pasted becomes a file, a short one stays in the message", async () => {
  await page.goto("/");
  const field = page.getByLabel("Message", { exact: true });
  await field.waitFor();
  const paste = (words: string) =>
    page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(words)});
      const given = { clipboardData, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", given));
    }`);
  await field.focus();
  await paste("short");
  await paste("long ".repeat(2_000));
  await page.getByText("Pasted text.txt").first().waitFor();
  expect(await field.inputValue()).not.toContain("long");
});

test("on a phone the switches fit, and their names are still read", async () => {
  await page.setViewportSize(PHONE);
  await page.goto("/");
  // the switches that are off stand in the menu: the name of who answers has its place
  await page.getByRole("main").getByRole("button", { name: "Tools", exact: true }).click();
  const inMenu = page.getByRole("menuitemcheckbox", { name: /^Documents/ });
  // it is on from before
  await inMenu.click();
  await expect.poll(() => inMenu.getAttribute("aria-checked")).toBe("false");
  expect(await documents().count()).toBe(0);
  await inMenu.click();
  await expect.poll(() => inMenu.getAttribute("aria-checked")).toBe("true");
  await page.keyboard.press("Escape");
  await documents().waitFor();
  expect(await documents().getAttribute("aria-pressed")).toBe("true");
  const beyond = "document.documentElement.scrollWidth - innerWidth";
  expect(await page.evaluate<number>(beyond)).toBeLessThanOrEqual(0);
});

test("what can be switched on is asked for again where that failed once", async () => {
  let hasFailed = false;
  await page.route(/\/api\/v1\/tools\?/, async (route) => {
    if (hasFailed) return route.continue();
    hasFailed = true;
    return route.abort();
  });
  await page.goto("/");
  await tools().click();
  await page.getByRole("menuitemcheckbox", { name: /town/ }).waitFor();
  expect(hasFailed).toBe(true);
});
