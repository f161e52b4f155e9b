import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";

/** A thread of long answers is no more work for the page than one of short ones. */

const TURNS = 4;
const LINES = Array.from({ length: 150 }, (_, at) => `Line ${at} of the answer.\n\n`);
/** Of the rows, which begin at 0: the last answer is the last row. */
const LAST = TURNS * 2 - 1;

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, LINES);
  let sent: { conversationId: string; messageId: string } | undefined;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const answer = await app.server.request("/api/v1/conversation", {
      body: {
        content: `Question ${turn}`,
        stream: false,
        ...(sent && {
          conversationId: sent.conversationId,
          parentMessageId: sent.messageId,
        }),
      },
    });
    sent = (await answer.json()) as { conversationId: string; messageId: string };
  }
  page = await app.openSignedIn();
  await page.goto(`/c/${sent?.conversationId}`);
  await page.getByText(`Question ${TURNS - 1}`, { exact: true }).waitFor({
    state: "attached",
  });
});
afterAll(() => app[Symbol.asyncDispose]());

/** The numbers of the rows that are mounted. */
const mounted = () =>
  page
    .locator("[role=log] [data-index]")
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("data-index"))));

const row = (index: number) => page.locator(`[data-index="${index}"]`);

/** Turns the wheel over the thread until something holds. */
async function scrollUntil(byPx: number, holds: () => Promise<boolean>): Promise<void> {
  await page.locator("[role=log]").hover();
  await expect
    .poll(async () => {
      if (await holds()) return true;
      await page.mouse.wheel(0, byPx);
      return false;
    })
    .toBe(true);
}

const isSeen = (index: number) =>
  row(index).evaluateAll((rows) =>
    rows.some((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return bottom > 100 && top < 600;
    }),
  );

test("long answers out of sight are not mounted, but before one comes to them", async () => {
  await expect.poll(mounted).toEqual([LAST - 1, LAST]);
  await scrollUntil(-300, async () => (await mounted()).includes(LAST - 2));
  expect(await isSeen(LAST - 1)).toBe(false);
  await scrollUntil(-300, () => isSeen(LAST - 2));
  await scrollUntil(2_000, async () => !(await mounted()).includes(LAST - 2));
  expect(await mounted()).toEqual([LAST - 1, LAST]);
  expect(app.problems).toEqual([]);
});

test("what is selected stays, however long the answer below it is", async () => {
  await scrollUntil(-300, () => isSeen(LAST - 2));
  await row(LAST - 2)
    .getByText("Line 149 of the answer.")
    .click({ clickCount: 3 });
  const selected = async () => String(await page.evaluate("String(getSelection())"));
  await expect.poll(selected).toContain("Line 149 of the answer.");
  const toEnd = page.getByRole("button", { name: "To the newest message" });
  const isAtEnd = async () => !(await toEnd.isVisible());
  await scrollUntil(2_000, isAtEnd);
  expect(await mounted()).toContain(LAST - 2);
  expect(await selected()).toContain("Line 149 of the answer.");
  await page.getByRole("textbox", { name: "Message" }).click();
  await scrollUntil(-20, async () => !(await mounted()).includes(LAST - 2));
});

/**
 * The elements around the rows that a style asks by `:has` what is in them. A browser visits all
 * of it for that whenever an element is added, which a growing answer does many times a second.
 */
const AROUND_ROWS = `(() => {
  const compound = /(?:\\\\.|[\\w.#-]|\\[[^\\]]*\\]|:(?:where|not)\\([^()]*\\))+$/;
  const row = document.querySelector("[role=log] [data-index]");
  const around = [];
  for (let one = row; one; one = one.parentElement) around.push(one);
  const asking = new Set();
  const read = (rules) => {
    for (const rule of rules) {
      const parts = (rule.selectorText ?? "").split(":has(").slice(0, -1);
      for (const part of parts) {
        const before = part.replace(/(?::(?:not|is|where)\\()+$/, "");
        const subject = compound.exec(before)?.[0] ?? "*";
        if (around.some((one) => one.matches(subject))) asking.add(rule.selectorText);
      }
      if (rule.cssRules) read(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) read(sheet.cssRules);
  return [...asking];
})()`;

test("no style asks the elements around the messages what is in them", async () => {
  expect(await page.evaluate(AROUND_ROWS)).toEqual([]);
});
