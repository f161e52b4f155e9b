import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pdfOfPages } from "../../../test/support/pdf-of-pages.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

/** A citation of a PDF opens the page as it looks, with the cited sentence marked on it. */

const FILLING =
  "\n\nThis handbook is for everybody who works here. It says what we owe each other, and whom to " +
  "ask where it says nothing. It is read once a year, in January, by the whole team.";
const PAGES = [
  `Handbook${FILLING.repeat(6)}`,
  `Leave${FILLING.repeat(4)}\n\nFull-time staff have 31 days of leave a year. Leave that is left over lapses after a year, in March.${FILLING.repeat(3)}`,
  `Travel${FILLING.repeat(2)}`,
];

let app: App;
let address: string;
/** A conversation whose answer has a source in each of two files. */
let twoFiles: string;
beforeAll(async () => {
  app = await startApp();
  const asks = asksOf(app);
  const upload = async (content: string | Uint8Array<ArrayBuffer>, name: string) =>
    (await asks.upload("/api/v1/documents", new File([content], name))).id;
  const handbook = await upload(await pdfOfPages(PAGES), "handbook.pdf");
  const travel = await upload(await pdfOfPages(["Trains are booked early."]), "travel.pdf");
  const trams = await upload("Trams are paid by the office.", "trams.txt");
  await vi.waitFor(
    async () => {
      const { items } = await asks.get<{ items: { status: string }[] }>(
        "/api/v1/documents",
      );
      expect(items.map(({ status }) => status)).toEqual(items.map(() => "PROCESSED"));
    },
    { timeout: 120_000, interval: 200 },
  );
  const ask = async (docIds: string[], content: string, answer: string) => {
    answerWith(app.provider, [answer]);
    const agent = await asks.post("/api/v1/agent", {
      name: "Reader",
      type: "cortex",
      retrieval: { docIds },
    });
    const sent = await asks.post<{ conversationId: string }>("/api/v1/conversation", {
      content,
      agentId: agent.id,
      stream: false,
    });
    return `/c/${sent.conversationId}`;
  };
  address = await ask(
    [handbook],
    "How many days of leave a year have full-time staff?",
    "Full-time staff have 31 days of leave a year [1]. Ask [2].",
  );
  twoFiles = await ask(
    [travel, trams],
    "Who pays trains and trams?",
    "Trains are booked early [1], trams are paid [2].",
  );
});
afterAll(() => app[Symbol.asyncDispose]());

const number = (page: Page, index: number) =>
  page.getByRole("main").locator(`article [data-cite="${index}"]`).first();

/** Whether a mark lies over the picture, within what is seen. */
async function isMarkSeen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const mark = document.querySelector("[data-mark]");
    if (!mark) return false;
    const { top, bottom, width } = mark.getBoundingClientRect();
    const isShown = getComputedStyle(mark).visibility === "visible";
    return isShown && width > 0 && top >= 0 && bottom <= innerHeight;
  })()`);
}

test("beside its sources an answer has room from 1180 pixels on, with who wrote it", async () => {
  const page = await app.openSignedIn({ viewport: { width: 1180, height: 800 } });
  await page.goto(address);
  const notes = page.locator("[data-notes]").first();
  await notes.getByText("handbook.pdf").first().waitFor();
  const answer = page.getByRole("article", { name: "Answer" }).first();
  const boxes = async () => {
    const main = await page.getByRole("main").boundingBox();
    const text = await answer.getByText("Full-time staff").first().boundingBox();
    const note = await notes.boundingBox();
    const field = await page.locator("form textarea").boundingBox();
    if (!main || !text || !note || !field) return undefined;
    return {
      // its tile hangs so far to the left
      isTileSeen: text.x - main.x >= 36,
      isBeside: note.x >= text.x + text.width,
      isOnAxis: Math.abs(text.x - field.x) < 2,
      isWithin: note.x + note.width <= 1180,
    };
  };
  await look(page, "notes-1180");
  await expect
    .poll(boxes)
    .toEqual({ isTileSeen: true, isBeside: true, isOnAxis: true, isWithin: true });
  await page.context().close();
});

test.each(["light", "dark"] as const)(
  "a number opens the marked page, which is turned, enlarged and read as text, in the %s",
  async (colorScheme) => {
    const page = await app.openSignedIn({ colorScheme });
    await page.goto(address);
    await number(page, 1).click();
    const panel = page.getByRole("dialog", { name: "handbook.pdf" });
    await panel.getByRole("img", { name: "Page 2 of handbook.pdf" }).waitFor();
    await panel.locator("[data-mark]").first().waitFor();
    await expect.poll(() => isMarkSeen(page)).toBe(true);
    await look(page, `original-page-${colorScheme}`);
    expect(await brokenRules(page)).toEqual([]);
    await panel.getByRole("button", { name: "Larger" }).click();
    await panel.getByRole("button", { name: "Larger" }).click();
    await expect.poll(() => isMarkSeen(page)).toBe(true);
    await look(page, `original-page-large-${colorScheme}`);
    await panel.getByRole("button", { name: "As wide as the panel" }).click();
    await panel.getByRole("button", { name: "Next page" }).click();
    await panel.getByRole("img", { name: "Page 3 of handbook.pdf" }).waitFor();
    const next = panel.getByRole("button", { name: "Next page" });
    expect(await next.getAttribute("aria-disabled")).toBe("true");
    expect(await panel.locator("[data-mark]").count()).toBe(0);
    await panel.getByRole("button", { name: "Previous page" }).click();
    await panel.locator("[data-mark]").first().waitFor();
    await panel.getByRole("button", { name: "Text", exact: true }).click();
    await panel.getByText("31 days of leave").waitFor();
    await look(page, `original-text-${colorScheme}`);
    await panel.getByRole("button", { name: "Next source" }).click();
    const second = panel.getByRole("button", { name: /^Source 2/ });
    await expect.poll(() => second.getAttribute("aria-pressed")).toBe("true");
    expect(
      await panel
        .getByRole("button", { name: "Next source" })
        .getAttribute("aria-disabled"),
    ).toBe("true");
    expect(app.problems).toEqual([]);
    await page.context().close();
  },
);

const draft = (page: Page) => page.locator("form textarea");

test("one asks about the page that is open: the file and its page stand in the composer", async () => {
  const page = await app.openSignedIn();
  await page.goto(address);
  await number(page, 1).click();
  const panel = page.getByRole("dialog", { name: "handbook.pdf" });
  await panel.getByRole("img", { name: "Page 2 of handbook.pdf" }).waitFor();
  await panel.getByRole("button", { name: "Next page" }).click();
  await panel.getByRole("img", { name: "Page 3 of handbook.pdf" }).waitFor();
  await panel.getByRole("button", { name: "Ask about this page" }).click();
  await expect
    .poll(() => draft(page).inputValue())
    .toBe("About page 3 of “handbook.pdf”: ");
  await expect
    .poll(() => draft(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await page.locator("form").getByText("handbook.pdf").first().waitFor();
  await look(page, "ask-about-page");
  // words that are there stay, and the file is attached once
  await draft(page).fill("And here?");
  await panel.getByRole("button", { name: "Ask about this page" }).click();
  expect(await draft(page).inputValue()).toBe("And here?");
  await expect
    .poll(() => page.locator("form").getByText("handbook.pdf", { exact: true }).count())
    .toBe(1);
  expect(await brokenRules(page)).toEqual([]);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("on a phone, in German, the panel goes away for the question about its page", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true, locale: "de-DE" });
  await page.goto(address);
  await number(page, 1).tap();
  const panel = page.getByRole("dialog", { name: "handbook.pdf" });
  await panel.getByRole("img").first().waitFor();
  await look(page, "ask-phone-de");
  await panel.getByRole("button", { name: "Zu dieser Seite fragen" }).tap();
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => draft(page).inputValue()).toBe("Zu Seite 2 von „handbook.pdf“: ");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("by keyboard a number opens the page, its buttons turn it, and Escape leads back", async () => {
  const page = await app.openSignedIn();
  await page.goto(address);
  await number(page, 1).focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "handbook.pdf" });
  await panel.getByRole("img", { name: "Page 2 of handbook.pdf" }).waitFor();
  await panel.getByRole("button", { name: "Previous page" }).focus();
  await page.keyboard.press("Enter");
  await panel.getByRole("img", { name: "Page 1 of handbook.pdf" }).waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test.each(["desk", "phone"] as const)(
  "by keyboard one goes from the page of one file to the text of another and back, on a %s",
  async (where) => {
    const page = await app.openSignedIn(where === "phone" ? { viewport: PHONE } : {});
    await page.goto(twoFiles);
    await number(page, 1).focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog");
    const focused = () => page.evaluate<string>("document.activeElement.ariaLabel ?? ''");
    const first = panel.getByRole("button", { name: /^Source 1/ });
    const second = panel.getByRole("button", { name: /^Source 2/ });
    const shown = async (source: Locator) => {
      const isFile = (await source.getAttribute("aria-label"))?.includes("travel.pdf");
      if (isFile) await panel.getByRole("img", { name: "of travel.pdf" }).waitFor();
      else await panel.getByText("Trams are paid").waitFor();
    };
    await shown(first);
    await panel.getByRole("button", { name: "Next source" }).focus();
    await page.keyboard.press("Enter");
    await shown(second);
    expect(await focused()).toBe("Next source");
    await panel.getByRole("button", { name: "Previous source" }).focus();
    await page.keyboard.press("Enter");
    await shown(first);
    expect(await focused()).toBe("Previous source");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(app.problems).toEqual([]);
    await page.context().close();
  },
);

test("on a phone, in German, the page lies over the chat, and nothing is wider than the screen", async () => {
  const page = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await page.goto(address);
  await number(page, 1).tap();
  const panel = page.getByRole("dialog", { name: "handbook.pdf" });
  await panel.getByRole("img", { name: "Seite 2 von handbook.pdf" }).waitFor();
  await expect.poll(() => isMarkSeen(page)).toBe(true);
  await look(page, "original-page-390");
  await panel.getByRole("button", { name: "Nächste Seite" }).tap();
  await panel.getByRole("img", { name: "Seite 3 von handbook.pdf" }).waitFor();
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(PHONE.width);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("the page is read while its number is pointed at, before it is opened", async () => {
  const page = await app.openSignedIn();
  await page.goto(address);
  const read = page.waitForResponse(/\/pages\/2$/);
  const drawn = page.waitForResponse(/\/pages\/2\/picture/);
  await number(page, 1).hover();
  await Promise.all([read, drawn]);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await number(page, 1).click();
  await page.getByRole("img", { name: "Page 2 of handbook.pdf" }).waitFor();
  await expect.poll(() => isMarkSeen(page)).toBe(true);
  expect(asked.filter((url) => url.endsWith("/pages/2"))).toEqual([]);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("the page of a document shows how its pages look, and their text", async () => {
  const page = await app.openSignedIn();
  await page.goto("/documents");
  await page.getByRole("link", { name: "handbook.pdf" }).click();
  await page.getByRole("img", { name: "Page 1 of handbook.pdf" }).waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByRole("img", { name: "Page 2 of handbook.pdf" }).waitFor();
  await look(page, "document-original");
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole("link", { name: "Text", exact: true }).click();
  await page.getByText("31 days of leave").waitFor();
  await page.getByRole("link", { name: "All documents" }).click();
  await page.waitForURL("**/documents");
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("where the page cannot be drawn, its text stands instead, with the reason", async () => {
  const page = await app.openSignedIn();
  await page.route("**/pages/*", (route) =>
    route.fulfill({
      status: 422,
      json: { error: "The file is protected.", code: "password_required" },
    }),
  );
  await page.goto(address);
  await number(page, 1).click();
  const panel = page.getByRole("dialog", { name: "handbook.pdf" });
  await panel.getByText("cannot be shown as it looks").waitFor();
  await panel.getByText("31 days of leave").waitFor();
  await look(page, "original-page-not-drawn");
  // how many there are its text says
  await panel.getByText("Page 2 of 3").waitFor();
  expect(await panel.getByRole("button", { name: "Larger" }).count()).toBe(0);
  await panel.getByRole("button", { name: "Next page" }).click();
  await panel.getByText("Page 3 of 3").waitFor();
  await page.context().close();
});
