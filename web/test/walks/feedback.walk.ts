import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";
import { enterOn, hasFocus, tabTo, typeInto } from "../support/tab-to.ts";

let app: App;
let page: Page;
/** Where the answer of the first walk is. */
let address: string;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, ["The answer."]);
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  app.problems.length = 0;
});

const answer = () => page.getByRole("article", { name: "Answer" });
const bad = () => answer().getByRole("button", { name: "Bad answer" });
const form = () => page.getByRole("form", { name: "What is wrong with this answer?" });
const chip = (name: string) => form().getByRole("button", { name, exact: true });
const comment = () => form().getByLabel("Comment (optional)");
const pressed = (name: string) => chip(name).getAttribute("aria-pressed");

test("a bad answer gets reasons and a comment, which are there again and can be changed", async () => {
  await showPage(page, "/");
  await page.getByRole("textbox", { name: "Message" }).fill("How high is the pier?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/c\/[0-9a-f-]{36}/);
  await bad().click();
  await chip("Wrong").click();
  await chip("Too long").click();
  await comment().fill("=2+2 is not the height");
  await look(page, "feedback-form");
  await form().getByRole("button", { name: "Send" }).click();
  await page.getByText("Thank you.").waitFor();
  await form().waitFor({ state: "hidden" });

  address = new URL(page.url()).pathname;
  await showPage(page, address);
  expect(await bad().getAttribute("aria-pressed")).toBe("true");
  await bad().click();
  expect(await comment().inputValue()).toBe("=2+2 is not the height");
  expect([await pressed("Wrong"), await pressed("Unsafe")]).toEqual(["true", "false"]);
  await chip("Wrong").click();
  await chip("Incomplete").click();
  await form().getByRole("button", { name: "Send" }).click();
  await form().waitFor({ state: "hidden" });
  expect(app.problems).toEqual([]);
});

test("the form is there before the server has stored the rating", async () => {
  const slow = await app.openSignedIn();
  await showPage(slow, "/");
  await slow.getByRole("textbox", { name: "Message" }).fill("How deep is the harbour?");
  await slow.keyboard.press("Enter");
  await slow.waitForURL(/\/c\/[0-9a-f-]{36}/);
  const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
  await slow.route("**/message-reaction/**", async (route) => {
    await wait;
    await route.continue();
  });
  const dislike = slow.getByRole("button", { name: "Bad answer" });
  const asked = slow.getByRole("form", { name: "What is wrong with this answer?" });
  const tooLong = asked.getByRole("button", { name: "Too long" });
  await dislike.click();
  await tooLong.click();
  expect(await dislike.getAttribute("aria-pressed")).toBe("true");
  await asked.getByRole("button", { name: "Send" }).click();
  goOn();
  await slow.getByText("Thank you.").waitFor();
  await slow.reload();
  await dislike.click();
  await expect.poll(() => tooLong.getAttribute("aria-pressed")).toBe("true");
  await asked.getByRole("button", { name: "Take the rating back" }).click();
  await expect.poll(() => dislike.getAttribute("aria-pressed")).toBe("false");
  await slow.context().close();
  expect(app.problems).toEqual([]);
});

test("what was written in the form survives a reload", async () => {
  await bad().click();
  await comment().fill("Half a thought");
  await showPage(page, address);
  await bad().click();
  expect(await comment().inputValue()).toBe("Half a thought");
  await form().getByRole("button", { name: "Cancel" }).click();
  await bad().click();
  expect(await comment().inputValue()).toBe("=2+2 is not the height");
  await form().getByRole("button", { name: "Cancel" }).click();
});

test("by keyboard alone a reason is added, and the rating is taken back", async () => {
  await showPage(page, address);
  await enterOn(page, bad());
  await enterOn(page, chip("Unsafe"));
  await typeInto(page, comment(), "Dangerous advice");
  await enterOn(page, form().getByRole("button", { name: "Send" }));
  await form().waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(bad())).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => pressed("Unsafe")).toBe("true");
  await tabTo(page, comment());
  await page.keyboard.press("Escape");
  await form().waitFor({ state: "hidden" });
  expect(await bad().getAttribute("aria-pressed")).toBe("true");
  expect(app.problems).toEqual([]);
});

test("an administrator lists ratings, narrows them and exports what is shown", async () => {
  await showPage(page, "/admin/feedback");
  const entries = page.getByRole("main").getByRole("listitem");
  await page.getByText("Dangerous advice").waitFor();
  await look(page, "feedback-admin");
  expect(await entries.count()).toBe(1);
  await page.getByLabel("Reason").selectOption("Wrong");
  await page.getByText("No rating fits").waitFor();
  await page.getByLabel("Reason").selectOption("Unsafe");
  await page.getByText("Dangerous advice").waitFor();
  expect(new URL(page.url()).search).toContain("reason=unsafe");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("feedback.csv");
  expect(await readFile(await file.path(), "utf8")).toContain("Dangerous advice");
  await page.getByRole("link", { name: "gpt-test", exact: true }).click();
  await page.waitForURL(/model=/);
  await page.getByRole("link", { name: "Open the conversation" }).click();
  await page.waitForURL(`**${address}`);
  expect(app.problems).toEqual([]);
});

test("by keyboard alone an administrator narrows the list, and shows all again", async () => {
  await showPage(page, "/admin/feedback");
  await tabTo(page, page.getByLabel("Rating"));
  await page.keyboard.type("Good");
  await page.getByText("No rating fits").waitFor();
  await enterOn(page, page.getByRole("button", { name: "Show all" }));
  await page.getByText("Dangerous advice").waitFor();
});

test("it fits a phone, in German and in the dark", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, address);
  await phone.getByRole("button", { name: "Schlechte Antwort" }).tap();
  const why = phone.getByRole("form", { name: "Was stimmt an dieser Antwort nicht?" });
  await why.getByRole("button", { name: "Anweisung nicht befolgt" }).tap();
  await look(phone, "feedback-form-phone");
  await why.getByRole("button", { name: "Senden" }).tap();
  await why.waitFor({ state: "hidden" });
  await showPage(phone, "/admin/feedback");
  await phone.getByText("Anweisung nicht befolgt").last().waitFor();
  await look(phone, "feedback-admin-phone");
  const width = "document.documentElement.scrollWidth <= innerWidth";
  expect(await phone.evaluate(width)).toBe(true);
  await phone.context().close();
});

test("a rating that is taken back is gone from the list", async () => {
  await showPage(page, address);
  await bad().click();
  await form().getByRole("button", { name: "Take the rating back" }).click();
  await expect.poll(() => bad().getAttribute("aria-pressed")).toBe("false");
  await showPage(page, "/admin/feedback");
  await page.getByText("No ratings yet").waitFor();
  expect(app.problems).toEqual([]);
});
