import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";

/** A thread of long answers is no more work for the page than one of short ones. */

const TURNS = 4;
const LINES = Array.from({ length: 150 }, (_, at) => `Line ${at} of the answer.\n\n`);

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
