import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";

const TEXTS = {
  "tea.md":
    "# Tea\n\nGreen tea is brewed at seventy degrees.\n\nBlack tea takes boiling water.",
  "rice.md": "# Rice\n\nRice is washed three times and rests for twenty minutes in a pot.",
};

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
  for (const [name, text] of Object.entries(TEXTS)) await upload(name, text);
  await vi.waitFor(async () => expect(await countProcessed()).toBe(2), 90_000);
});
afterAll(() => app[Symbol.asyncDispose]());

async function upload(name: string, text: string): Promise<void> {
  const form = new FormData();
  form.set("file", new File([text], name, { type: "text/markdown" }));
  const answer = await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function countProcessed(): Promise<number> {
  const answer = await app.server.request("/api/v1/documents?status=PROCESSED");
  return ((await answer.json()) as { total: number }).total;
}

test("ways of searching are compared by one's own questions, which stay as a draft", async () => {
  await page.goto("/documents/try");
  await page.getByRole("link", { name: "Measure the search" }).click();
  const questions = page.getByRole("textbox", { name: "Questions" });
  await questions.fill("How hot is water for green tea?");
  await page.getByRole("button", { name: "Measure", exact: true }).click();
  await page
    .getByText("Line 1 needs a question, a bar and the name of a document.")
    .waitFor();
  await questions.fill(
    "How hot is water for green tea? | tea.md\nHow long does rice rest? | rice.md\nWho? | none.md",
  );
  await page.reload();
  await page.getByRole("checkbox", { name: /if similar/ }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Measure", exact: true }).focus();
  await page.keyboard.press("Enter");
  const row = page.getByRole("row").filter({ hasText: "By meaning and words" });
  await row.getByText("67%").first().waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBe(3);
  await page.getByText(/By meaning and words: 1 question without an answer/).click();
  await page.getByText("Who?", { exact: true }).last().waitFor();
  expect(app.problems).toEqual([]);
});

test("on a phone a document is cut in another way, and its index stays", async () => {
  const listed = await app.server.request("/api/v1/documents");
  const { items } = (await listed.json()) as { items: { id: string; fileName: string }[] };
  const id = items.find(({ fileName }) => fileName === "tea.md")?.id;
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  await phone.goto(`/documents/d/${id}`);
  await phone.getByRole("link", { name: "Try other chunks" }).tap();
  await phone.getByText(/^At headings.* chunks/).waitFor();
  await phone.getByLabel("Way to cut").selectOption("fixed_size");
  await phone.getByLabel("Tokens a chunk").fill("16");
  await phone.getByLabel("Tokens of overlap").fill("0");
  await phone.getByRole("button", { name: "Cut", exact: true }).tap();
  await phone.getByText(/^Every so many tokens · 2 chunks/).waitFor();
  const excess = await phone.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(excess).toBe(0);
  expect(app.problems).toEqual([]);
});
