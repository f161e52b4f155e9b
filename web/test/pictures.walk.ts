import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { type App, PHONE, startApp } from "./support/app.ts";

/**
 * Takes the pictures of docs/web-app.md, for `npm run pictures:web`. They are taken again by hand
 * when the app looks different, so that a change of the look is a change that somebody saw.
 */
const FOLDER = process.env["PICTURES_DIR"] ?? "";
const WIDE = { width: 1280, height: 800 };

const HANDBOOK = [
  "# Handbook",
  "## Leave",
  "Everybody who works full time has 31 days of leave a year. Part-time staff have a share of it.",
  "Leave that is not taken by the end of March of the next year is lost.",
  "## Travel",
  "Book trains first. A flight needs the agreement of the head of the department.",
].join("\n\n");
const ANSWER = [
  "Full-time staff have **31 days of leave** a year.[1]",
  "\n\nLeave that is left over must be taken **by the end of March** of the next year.[1]",
];

let app: App;
beforeAll(async () => {
  if (!FOLDER) return;
  await mkdir(FOLDER, { recursive: true });
  app = await startApp();
  app.provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Days of leave"] }
      : { text: ANSWER },
  );
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function take(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}

test.runIf(FOLDER)("pictures of the app", async () => {
  const page = await app.openSignedIn({ viewport: WIDE });
  await page.goto("/welcome");
  await page.locator("input[type=file]").setInputFiles({
    name: "handbook.md",
    mimeType: "text/markdown",
    buffer: Buffer.from(HANDBOOK),
  });
  await page.getByText("handbook.md is ready").waitFor();
  await take(page, "welcome");
  await page
    .getByRole("textbox", { name: "Question" })
    .fill("How many days of leave do we have?");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.waitForURL(/\/c\//);
  const source = page.getByRole("button", { name: /^Source 1: handbook.md/ }).first();
  await source.waitFor();
  await page.getByRole("link", { name: "Days of leave" }).first().waitFor();
  await take(page, "chat");
  await source.click();
  await page.getByRole("dialog").getByText("Page 1").waitFor();
  await take(page, "source");
  const conversation = page.url();
  for (const [name, path] of [
    ["documents", "/documents"],
    ["history", "/history"],
    ["sessions", "/settings/security"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("list").last().waitFor();
    await take(page, name);
  }
  const phone = await app.openSignedIn({
    viewport: PHONE,
    locale: "de-DE",
    colorScheme: "dark",
    hasTouch: true,
  });
  await phone.goto(conversation);
  await phone.getByText("31 days of leave").first().waitFor();
  await take(phone, "phone");
});
