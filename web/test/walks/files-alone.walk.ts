import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let app: App;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, ["A very small harbour."]);
});
afterAll(() => app[Symbol.asyncDispose]());

test("a picture without a word is sent by Enter, and the model gets it", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/");
  const send = page.getByRole("button", { name: "Send" });
  expect(await send.isDisabled()).toBe(true);
  const file = { name: "harbour.png", mimeType: "image/png", buffer: PNG };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "Remove harbour.png" }).waitFor();
  const isDrawn = (place: string) =>
    page.evaluate(
      `[...document.querySelectorAll("${place} img")].some((one) => one.naturalWidth > 0)`,
    );
  await expect.poll(() => isDrawn("form")).toBe(true);
  await expect.poll(() => send.isEnabled()).toBe(true);
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/c\//);
  await page.getByText("A very small harbour.").first().waitFor();
  await expect.poll(() => isDrawn("article")).toBe(true);
  const sent = page.getByRole("article", { name: "You" });
  await sent.getByRole("button", { name: /^Enlarge: .*harbour.png/ }).click();
  await page.getByRole("dialog").getByRole("img", { name: "harbour.png" }).waitFor();
  await page.keyboard.press("Escape");
  await look(page, "files-alone");
  const asked = JSON.stringify(app.provider.requests.map(({ messages }) => messages));
  expect(asked).toContain(PNG.toString("base64").slice(0, 40));
  expect(app.problems).toEqual([]);
});

test("a file given to a conversation is no document, until its owner makes it one", async () => {
  const page = await app.openSignedIn();
  await showPage(page, "/documents");
  await page.getByText("No documents yet").waitFor();
  await look(page, "documents-without-attachments");
  await page.getByRole("link", { name: "Files given to conversations" }).click();
  await page.getByText("are deleted with them").waitFor();
  await look(page, "attachments");
  await page.getByRole("link", { name: "harbour.png" }).click();
  await page.getByText("This file belongs to a conversation").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await look(page, "attachment");
  await page.getByRole("button", { name: "Add to my documents" }).click();
  await page.getByText("The file is one of your documents now.").waitFor();
  await showPage(page, "/documents");
  await page.getByRole("link", { name: "harbour.png" }).waitFor();
  expect(app.problems).toEqual([]);
});
