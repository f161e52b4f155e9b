import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerWith, type App, DESKTOP, PHONE, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";

/** Citations that touch, and ranges of them, lead to each of their sources. */

const FILES = {
  "handbook.md": "# Leave\n\nFull-time staff have 31 days of leave a year.",
  "rules.md": "# Rules\n\nLeave that is left over lapses after a year, in March.",
  "travel.md": "# Travel\n\nDays of travel are no days of leave. A year has 12 months.",
};
const ANSWER =
  "They have 31 days [1][2][3], and some a share [1, 2].\n\n" +
  "| Question | Answer |\n|---|---|\n| Days | 31 [1][2] |\n| Until | March [1]–[3] |\n| Paid | € 883,000 [2] |\n\n" +
  "- Trains come first [2-3]\n\n" +
  "| Place | Cost | Until |\n|---|---:|:-:|\n| Basel | € 412,000 [1][2] | March [3] |\n" +
  "| Bern | € 31,400 | March |\n| Both | **€ 443,400 [3]** | – |\n";
/** The numbers, in the order of the text. */
const NUMBERS = [1, 2, 3, 1, 2, 1, 2, 1, 2, 3, 2, 2, 3, 1, 2, 3, 3];
/** The least size of what takes a click, and of what takes a finger between others. */
const MIN_POINTED = 24;
const MIN_TOUCHED = 44;
/** Between a number and the word that it belongs to. */
const MAX_GAP = 2.5;

let app: App;
let address: string;
beforeAll(async () => {
  app = await startApp();
  const asks = asksOf(app);
  const docIds: string[] = [];
  for (const [name, text] of Object.entries(FILES))
    docIds.push((await asks.upload("/api/v1/documents", new File([text], name))).id);
  await vi.waitFor(
    async () => {
      const { items } = await asks.get<{ items: { status: string }[] }>(
        "/api/v1/documents",
      );
      expect(items.map(({ status }) => status)).toEqual(items.map(() => "PROCESSED"));
    },
    { timeout: 120_000, interval: 200 },
  );
  answerWith(app.provider, ANSWER.match(/[\s\S]{1,7}/g) ?? []);
  const agent = await asks.post("/api/v1/agent", {
    name: "Reader",
    type: "cortex",
    retrieval: { docIds },
  });
  const sent = await asks.post<{ conversationId: string }>("/api/v1/conversation", {
    content: "How many days of leave a year?",
    agentId: agent.id,
    stream: false,
  });
  address = `/c/${sent.conversationId}`;
});
afterAll(() => app[Symbol.asyncDispose]());

interface Area {
  index: number;
  /** Of what is seen of it. */
  seen: { left: number; width: number };
  width: number;
  height: number;
  /** From the text before it. */
  gap: number;
  /** Whether it stands on the line of the text before it. */
  isOnLine: boolean;
}

/** Of each number in the answer: what it is, and the area that takes a click. */
async function areasOf(page: Page) {
  return page.evaluate<Area[]>(`
    [...document.querySelectorAll("main article [data-cite]")].map((mark) => {
      const area = getComputedStyle(mark, "::after");
      const { left, width, bottom } = mark.getBoundingClientRect();
      const before = mark.parentElement.previousSibling;
      const range = document.createRange();
      const text = before?.nodeType === Node.TEXT_NODE && mark === mark.parentElement.firstChild;
      if (text) range.selectNodeContents(before);
      const lines = text ? [...range.getClientRects()] : [];
      const line = lines.at(-1);
      return {
        index: Number(mark.dataset.cite),
        seen: { left, width },
        width: parseFloat(area.width),
        height: parseFloat(area.height),
        gap: line ? left - line.right : 0,
        isOnLine: !line || (bottom > line.top && bottom < line.bottom + 4),
      };
    })
  `);
}

/** A number is small, stands close to its word, and never begins a line. */
function expectClose(areas: readonly Area[], maxWidth: number): void {
  for (const { seen, gap, isOnLine } of areas) {
    expect(seen.width).toBeLessThanOrEqual(maxWidth);
    expect(gap).toBeLessThanOrEqual(MAX_GAP);
    expect(isOnLine).toBe(true);
  }
  const [first, second, third] = areas;
  const gapOf = (one?: Area, next?: Area) =>
    (next?.seen.left ?? 0) - (one?.seen.left ?? 0) - (one?.seen.width ?? 0);
  expect(gapOf(first, second)).toBeLessThanOrEqual(2 * MAX_GAP);
  expect(gapOf(second, third)).toBeLessThanOrEqual(2 * MAX_GAP);
}

test("each number opens its source, in text, tables and lists, and has an area of its own", async () => {
  const page = await app.openSignedIn();
  await page.goto(address);
  const numbers = page.getByRole("article", { name: "Answer" }).locator("[data-cite]");
  await expect.poll(() => numbers.count()).toBe(NUMBERS.length);
  const areas = await areasOf(page);
  expect(areas.map(({ index }) => index)).toEqual(NUMBERS);
  for (const { width, height } of areas) {
    expect(width).toBeGreaterThanOrEqual(MIN_POINTED);
    expect(height).toBeGreaterThanOrEqual(MIN_POINTED);
  }
  expectClose(areas, 20);
  await look(page, "adjacent-citations-1400");
  for (const at of [0, 1, 2, 7, 8, 9, 11]) {
    const number = numbers.nth(at);
    const label = (await number.getAttribute("aria-label")) ?? "";
    const file = Object.keys(FILES).find((name) => label.includes(name)) ?? "none";
    await number.click();
    const panel = page.getByRole("dialog", { name: file });
    await panel.waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  }
  expect(app.problems).toEqual([]);
  await page.context().close();
});

/** How many ends the figures of a table have, and whether its numbers stay in their cells. */
function figuresOf(table: Locator) {
  return table.evaluate((element) => {
    const ends = [...element.querySelectorAll("td:nth-child(2)")].map((cell) => {
      const text = cell.ownerDocument.createTreeWalker(cell, 4).nextNode(); // 4: only texts
      const range = cell.ownerDocument.createRange();
      if (text) range.selectNodeContents(text);
      return Math.round(range.getBoundingClientRect().right);
    });
    const isInside = [...element.querySelectorAll("[data-cite]")].every((mark) => {
      const cell = mark.closest("td");
      return (
        cell && mark.getBoundingClientRect().right <= cell.getBoundingClientRect().right
      );
    });
    return { ends: new Set(ends).size, isInside };
  });
}

test("figures stand below each other, with and without a source", async () => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await app.openSignedIn({ viewport });
    await page.goto(address);
    const table = page.getByRole("article", { name: "Answer" }).getByRole("table").last();
    await table.locator("[data-cite]").nth(3).waitFor();
    expect(await figuresOf(table)).toEqual({ ends: 1, isInside: true });
    await table.scrollIntoViewIfNeeded();
    await look(page, `figures-${viewport.width}`);
    await page.context().close();
  }
  expect(app.problems).toEqual([]);
});

test("on a phone each number is large enough for a finger, and takes no other's tap", async () => {
  const page = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.goto(address);
  const numbers = page.getByRole("article", { name: "Answer" }).locator("[data-cite]");
  await expect.poll(() => numbers.count()).toBe(NUMBERS.length);
  const areas = await areasOf(page);
  for (const { width, height } of areas) {
    expect(width).toBeGreaterThanOrEqual(MIN_TOUCHED);
    expect(height).toBeGreaterThanOrEqual(MIN_TOUCHED);
  }
  expectClose(areas, 24);
  await look(page, "adjacent-citations-390");
  // where the areas of two lie over each other, the nearer takes the tap
  for (const at of [0, 1, 2]) {
    const index = areas[at]?.index ?? 0;
    await numbers.nth(at).tap();
    const panel = page.getByRole("dialog");
    await panel.waitFor();
    expect(await panel.getByRole("button", { pressed: true }).innerText()).toBe(`${index}`);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  }
  expect(app.problems).toEqual([]);
  await page.context().close();
});
