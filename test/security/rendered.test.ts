import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askBelow } from "../support/ask.ts";
import {
  type Activity,
  type Canary,
  CHROMIUM_PATH,
  startBrowser,
  startCanary,
  watchActivity,
} from "../support/browser.ts";
import { held } from "../support/held.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { canvasAttempts, hostileMarkdown } from "./hostile-content.ts";

const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/;

let parlance: TestServer;
let browser: Browser;
let canary: Canary;
let folder: string;

/** Opens a page as a file, as a user opens an exported one. */
async function activityOf(name: string, html: string): Promise<Activity> {
  const path = join(folder, `${name}.html`);
  await writeFile(path, html);
  const url = pathToFileURL(path).href;
  const context = await browser.newContext();
  const activity = watchActivity(context, (address) => address === url);
  await settle(context, url);
  await context.close();
  return activity;
}

/** Loads a page, and waits until everything that it started has ended. */
async function settle(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle", timeout: 120_000 });
}

async function exportPage(
  type: "markdown" | "html" | "code",
  content: string,
): Promise<string> {
  const ask = askBelow(() => parlance, "/api/v1/canvas");
  const made = await ask("POST", "", {
    body: { title: content.slice(0, 300), content, type },
  });
  expect(made.status).toBe(201);
  const page = await ask("GET", `/${made.body.id}/export?fileType=html`);
  expect(page.status).toBe(200);
  return page.text;
}

/** @returns what the content did, with the page's policy and without it. */
async function doneBy(name: string, html: string): Promise<object> {
  expect(html).toMatch(POLICY);
  const files = { "with policy": html, "without policy": html.replace(POLICY, "") };
  const done = await Promise.all(
    Object.entries(files).map(([kind, file]) => activityOf(`${name}, ${kind}`, file)),
  );
  return { name, done, canary: canary.paths.splice(0) };
}

const NOTHING = [
  { dialogs: [], requests: [] },
  { dialogs: [], requests: [] },
];

describe.skipIf(!CHROMIUM_PATH)("shown in Chromium", () => {
  beforeAll(async () => {
    [parlance, browser, canary, folder] = await Promise.all([
      startTestServer(),
      startBrowser(),
      startCanary(),
      mkdtemp(join(tmpdir(), "parlance-shown-")),
    ]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await parlance?.[Symbol.asyncDispose]();
    await canary?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test("without a defence the hostile content runs scripts and sends requests", async () => {
    const activeOf = async (contents: Record<string, string>) => {
      const names = [];
      for (const [name, content] of Object.entries(contents)) {
        const { dialogs, requests } = await activityOf(name, content);
        if (dialogs.length + requests.length > 0) names.push(name);
      }
      return names;
    };
    expect((await activeOf(hostileMarkdown(canary.origin))).length).toBeGreaterThan(20);
    expect((await activeOf(canvasAttempts(canary.origin))).length).toBeGreaterThan(10);
    expect(canary.paths.splice(0).length).toBeGreaterThan(10);
  }, 300_000);

  test("an exported page runs nothing and sends nothing, even without its policy", async () => {
    const texts = Object.entries(hostileMarkdown(canary.origin));
    for (const [name, text] of texts) {
      const html = await exportPage("markdown", text);
      expect(await doneBy(name, html)).toEqual({ name, done: NOTHING, canary: [] });
    }
    held("scripts", texts.length);
    held("rendered-requests", texts.length);
  }, 600_000);

  test("an HTML canvas does not leave its page", async () => {
    const attempts = Object.entries(canvasAttempts(canary.origin));
    for (const [name, content] of attempts) {
      const html = await exportPage("html", content);
      expect(await doneBy(name, html)).toEqual({ name, done: NOTHING, canary: [] });
    }
    held("html-canvas", attempts.length);
  }, 600_000);

  test("an answer of the server is never displayed as a page of its origin", async () => {
    const content = hostileMarkdown(canary.origin)["image with an error handler"] ?? "";
    const ask = askBelow(() => parlance, "");
    const canvas = await ask("POST", "/api/v1/canvas", {
      body: { title: content, content, type: "html" },
    });
    const files = ["html", "txt", "md"].map(
      (type) => `/api/v1/canvas/${canvas.body.id}/export?fileType=${type}`,
    );
    const answers = [
      `/api/v1/canvas/${canvas.body.id}`,
      `/api/v1/${encodeURI(content)}`,
      "/docs",
    ];
    const context = await browser.newContext({
      extraHTTPHeaders: { authorization: `Bearer ${parlance.token}` },
    });
    const activity = watchActivity(context, (url) => url.startsWith(parlance.url));
    const page = await context.newPage();
    for (const path of files)
      await expect(page.goto(parlance.url + path)).rejects.toThrow("Download is starting");
    for (const path of answers) {
      await page.goto(parlance.url + path, { waitUntil: "networkidle", timeout: 120_000 });
      expect(await page.locator("img").count()).toBe(0);
    }
    await context.close();
    expect([activity, canary.paths.splice(0)]).toEqual([{ dialogs: [], requests: [] }, []]);
  }, 300_000);
});
