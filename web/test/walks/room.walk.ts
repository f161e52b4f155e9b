import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";
import { opacityOf, styleOf } from "../support/style-of.ts";

/** What has room: a canvas and a source beside the chat, and its text above the composer. */

const HANDBOOK = "# Handbook\n\nEverybody has 31 days of holidays a year.\n";
const ANSWER = [
  "Everybody has 31 days.[1]",
  ...Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of what is good to know.`),
].join("\n\n");
const PLAN = [
  "# Plan *of* the day",
  ...Array.from({ length: 80 }, (_, at) => `Step ${at + 1}`),
].join("\n\n");
const WIDE = { width: 1440, height: 900 };
/** A panel fits beside the chat, the sidebar does not. */
const NARROW = { width: 1100, height: 800 };
const FOLDED_PX = 60;

let app: App;
let chat: string;
let canvas: string;
beforeAll(async () => {
  app = await startApp();
  const asks = asksOf(app);
  const { id } = await asks.upload(
    "/api/v1/documents",
    new File([HANDBOOK], "handbook.md", { type: "text/markdown" }),
  );
  await vi.waitFor(async () => {
    const { status } = await asks.get<{ status: string }>(`/api/v1/documents/${id}`);
    expect(status).toBe("PROCESSED");
  }, 90_000);
  const agent = await asks.post("/api/v1/agent", {
    name: "Reader",
    type: "cortex",
    retrieval: { docIds: [id] },
  });
  answerWith(app.provider, [ANSWER]);
  const content = "How many days of holidays a year?";
  const sent = { content, agentId: agent.id, stream: false };
  const { conversationId } = await asks.post<{ conversationId: string }>(
    "/api/v1/conversation",
    sent,
  );
  chat = `/c/${conversationId}`;
  const made = { title: "Plan of the day", content: PLAN, conversationId };
  canvas = `${chat}/canvas/${(await asks.post("/api/v1/canvas", made)).id}`;
});
afterAll(() => app[Symbol.asyncDispose]());

const menu = (page: Page) => page.getByRole("navigation", { name: "Menu" });
const isFolded = async (page: Page) =>
  ((await menu(page).boundingBox())?.width ?? 0) < FOLDED_PX;

test("beside a canvas the sidebar gives its room, and comes back", async () => {
  const page = await app.openSignedIn({ viewport: WIDE });
  await page.goto(canvas);
  const region = page.getByRole("region", { name: "Plan of the day" }).first();
  await region.getByText("Step 2", { exact: true }).waitFor();
  await expect.poll(() => isFolded(page)).toBe(true);
  await look(page, "room-canvas");
  await region.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => isFolded(page)).toBe(false);
  await page.goBack();
  await expect.poll(() => isFolded(page)).toBe(true);
  await menu(page).getByRole("button", { name: "Unfold the sidebar" }).click();
  await expect.poll(() => isFolded(page)).toBe(false);
  await region.getByRole("button", { name: "Close" }).click();
  await region.waitFor({ state: "detached" });
  expect(await isFolded(page)).toBe(false);
  // what the person folded stays so
  await menu(page).getByRole("button", { name: "Fold the sidebar" }).click();
  await page.goBack();
  await region.waitFor();
  await region.getByRole("button", { name: "Close" }).click();
  await region.waitFor({ state: "detached" });
  expect(await isFolded(page)).toBe(true);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a source beside the chat takes the room of the sidebar where it is narrow", async () => {
  const page = await app.openSignedIn({ viewport: NARROW });
  await page.goto(chat);
  const number = page
    .getByRole("main")
    .getByRole("button", { name: /^Source 1: handbook.md/ });
  await number.first().click();
  const panel = page.getByRole("dialog", { name: "handbook.md" });
  await panel.waitFor();
  await expect.poll(() => isFolded(page)).toBe(true);
  await look(page, "room-source");
  await page.setViewportSize(WIDE);
  await expect.poll(() => isFolded(page)).toBe(false);
  await page.setViewportSize(NARROW);
  await expect.poll(() => isFolded(page)).toBe(true);
  await panel.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => isFolded(page)).toBe(false);
  // with a canvas there is no room for a third: it lies over both
  await page.goto(canvas);
  await number.first().click();
  await panel.waitFor();
  expect(await panel.evaluate((element) => element.tagName)).toBe("DIALOG");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test.each(["light", "dark"] as const)(
  "the title of a canvas stands there once, in the %s",
  async (colorScheme) => {
    const page = await app.openSignedIn({ viewport: WIDE, colorScheme });
    await page.goto(canvas);
    const [head, own] = [2, 3].map((level) =>
      page.getByRole("heading", { name: "Plan of the day", level }),
    );
    await own?.waitFor();
    await expect.poll(() => head && opacityOf(head)).toBe(0);
    await page.getByText("Step 80", { exact: true }).scrollIntoViewIfNeeded();
    await expect.poll(() => head && opacityOf(head)).toBe(1);
    await page.context().close();
    const phone = await app.openSignedIn({ viewport: PHONE, colorScheme });
    await phone.goto(canvas);
    await phone.getByRole("heading", { name: "Plan of the day", level: 3 }).waitFor();
    await phone.getByRole("link", { name: "Canvas", exact: true }).waitFor();
    await look(phone, `room-canvas-phone-${colorScheme}`);
    await phone.context().close();
  },
);

test.each(["light", "dark"] as const)(
  "text fades above the composer, but no ring does, in the %s",
  async (colorScheme) => {
    const page = await app.openSignedIn({ viewport: WIDE, colorScheme });
    await page.goto(chat);
    const thread = page.getByRole("log", { name: "Conversation" });
    await thread.getByText("Line 60 of").waitFor();
    await thread.hover();
    await page.mouse.wheel(0, -700);
    const fade = page.locator("[data-fade]");
    await fade.waitFor();
    const [inside, outside] = [await fade.boundingBox(), await thread.boundingBox()];
    const endOf = (box: typeof inside) => (box?.y ?? 0) + (box?.height ?? 0);
    expect(Math.abs(endOf(inside) - endOf(outside))).toBeLessThan(1);
    expect(await fade.getAttribute("aria-hidden")).toBe("true");
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await styleOf(fade, "pointerEvents")).toBe("none");
    expect(await styleOf(fade, "backgroundImage")).toContain(String(ground));
    await look(page, `room-fade-${colorScheme}`);
    await page.emulateMedia({ forcedColors: "active" });
    await fade.waitFor({ state: "hidden" });
    await page.emulateMedia({ forcedColors: null, contrast: "more" });
    await fade.waitFor({ state: "hidden" });
    await page.emulateMedia({ contrast: null });
    await fade.waitFor();
    await page.getByRole("textbox", { name: "Message" }).blur();
    await page.keyboard.press("k");
    await thread.locator("article:focus").waitFor();
    await fade.waitFor({ state: "hidden" });
    expect(app.problems).toEqual([]);
    await page.context().close();
  },
);
