import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const result = (shown: Page) => shown.getByRole("region", { name: /^(Result|Ergebnis)$/ });
/** For looking at, where a folder is named. */
const look = async (shown: Page, name: string) => {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await shown.screenshot({ path: `${folder}/text-${name}.png`, animations: "disabled" });
};

test("by keyboard alone a text is corrected, and each change is marked", async () => {
  app.provider.answer(() => ({ text: ["The cat ", "sits on the mat."], delayMs: 20 }));
  await page.goto("/text");
  await page.getByLabel("Text", { exact: true }).focus();
  await page.keyboard.type("The cat sit on teh mat.");
  await page.keyboard.press("Control+Enter");
  await page.locator("ins", { hasText: "the" }).waitFor();
  await page.locator("del", { hasText: "teh" }).waitFor();
  await look(page, "grammar");
  await page.getByLabel("Show changes").uncheck();
  await result(page).getByText("The cat sits on the mat.").waitFor();
  expect(await page.locator("ins").count()).toBe(0);
  expect(app.problems).toEqual([]);
});

test("what is typed survives a reload; a translation asks for its language", async () => {
  app.provider.answer(() => ({ text: ["Die Katze", " sitzt."] }));
  await page.reload();
  await page.getByText("Translate").first().click();
  await page.waitForURL(/tool=translation/);
  await page.getByLabel("Into").fill("German");
  await page.getByLabel("Tone").fill("formal");
  await page.getByRole("button", { name: "Translate" }).click();
  await result(page).getByText("Die Katze sitzt.").waitFor();
  const asked = JSON.stringify(app.provider.requests.at(-1)?.messages);
  expect(asked).toContain("into German");
  expect(asked).toContain("formal");
  expect(asked).toContain("teh mat");
  expect(app.problems).toEqual([]);
});

test("a file and a document are summed up; what is stopped keeps what there is", async () => {
  await page.getByText("Summarise").first().click();
  await page.locator("input[type=file]").setInputFiles({
    name: "minutes.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("We ship on Friday."),
  });
  const area = page.getByLabel("Text", { exact: true });
  await expect.poll(() => area.inputValue()).toBe("We ship on Friday.");
  const form = new FormData();
  form.set("file", new Blob(["# Plan\n\nWe travel in May."]), "plan.md");
  await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  await page.getByRole("button", { name: "From a document" }).click();
  await page.getByRole("dialog").getByLabel("plan.md").click();
  await expect.poll(() => area.inputValue()).toContain("We travel in May.");

  app.provider.answer(() => ({ text: ["They travel"], fault: "stall", faultAfter: 1 }));
  await page.getByLabel("Length").selectOption("short");
  await page.getByRole("button", { name: "Summarise" }).click();
  await result(page).getByText("They travel").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped. What there is so far is kept.").waitFor();
  await page.getByRole("link", { name: "Open it among the kept texts" }).click();
  await result(page).getByText("They travel").waitFor();
  expect(app.problems).toEqual([]);
});

test("kept texts are searched, changed, and deleted together", async () => {
  const hostile = `<img src=x onerror=alert(1)>\u202E${"long ".repeat(40)}`;
  app.provider.answer(() => ({ text: [hostile] }));
  await app.server.request("/api/v1/conversion", {
    body: { type: "grammar", text: hostile },
  });
  await page.getByRole("button", { name: "Edit the result" }).click();
  await page.getByLabel("Result", { exact: true }).last().fill("They travel in May.");
  await page.getByRole("button", { name: "Save" }).click();
  await result(page).getByText("They travel in May.").waitFor();

  await page.getByRole("link", { name: "Kept texts" }).first().click();
  const list = page.getByRole("list", { name: "Kept texts" });
  await list.getByRole("listitem").nth(3).waitFor();
  await look(page, "kept");
  await page.getByLabel("Words of a text or result").fill("in may");
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
  await page.getByLabel("Words of a text or result").fill("");
  await list.getByRole("listitem").nth(3).waitFor();
  await list.getByRole("checkbox").first().check();
  await page.getByRole("checkbox", { name: "Choose all" }).check();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No texts yet").waitFor();
  expect(app.problems).toEqual([]);
});

test("a result whose connection ends early is not shown as complete", async () => {
  const delta = JSON.stringify({ type: "text_delta", delta: "Half of the" });
  await page.route("**/api/v1/conversion", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `event: text_delta\ndata: ${delta}\n\n`,
    }),
  );
  await page.goto("/text");
  await page.getByLabel("Text", { exact: true }).fill("They travel in may.");
  await page.getByRole("button", { name: "Correct" }).click();
  await result(page).getByText("Half of the").waitFor();
  await page.getByRole("alert").getByText("The connection was interrupted").waitFor();
  await page.unroute("**/api/v1/conversion");
  expect(app.problems).toEqual([]);
});

test("on a phone, by touch, in German", async () => {
  app.provider.answer(() => ({ text: ["Sie reisen im Mai."] }));
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await phone.goto("/text");
  await phone.getByText("Zusammenfassen").first().tap();
  await phone.getByLabel("Text", { exact: true }).fill("They travel in May.");
  await phone.getByRole("button", { name: "Zusammenfassen" }).tap();
  await result(phone).getByText("Sie reisen im Mai.").waitFor();
  await look(phone, "phone");
  expect(app.problems).toEqual([]);
});
