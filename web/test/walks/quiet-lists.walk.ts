import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";
import { look } from "../support/look.ts";
import { coloursOf, opacityOf } from "../support/style-of.ts";

/** Lists are quiet: what is right has no colour, and what chooses shows when it is wanted. */

/** `ok` and `danger` of the light theme. */
const GREEN = "rgb(47, 107, 47)";
const RED = "rgb(161, 42, 31)";

let app: App;
beforeAll(async () => {
  app = await startApp();
  const asks = asksOf(app);
  for (const name of ["Reader", "Writer"]) await asks.post("/api/v1/agent", { name });
  const ruth = { name: "Ruth", email: "ruth@test.example", roles: ["user"] };
  await asks.post("/api/v1/users", ruth);
  for (const [content, name] of [
    ["# Handbook\n\nEverybody has 31 days of holidays.", "handbook.md"],
    ["%PDF-1.7 garbage", "broken.pdf"],
  ] as const)
    await asks.upload("/api/v1/documents", new File([content], name));
  answerWith(app.provider, ["An answer."]);
  const sent = { content: "A question", stream: false };
  const { conversationId } = await asks.post<{ conversationId: string }>(
    "/api/v1/conversation",
    sent,
  );
  await asks.patch(`/api/v1/conversation/${conversationId}`, { title: "Harbour" });
});
afterAll(() => app[Symbol.asyncDispose]());

test("a document that is ready says so without colour, one that failed stands out", async () => {
  const page = await app.openSignedIn();
  await page.goto("/documents");
  const rows = page.getByRole("main").getByRole("listitem");
  const ready = rows.filter({ hasText: "handbook.md" });
  const failed = rows.filter({ hasText: "broken.pdf" });
  await ready.getByText("ready", { exact: true }).waitFor();
  await failed.getByText("failed", { exact: true }).waitFor();
  await look(page, "quiet-documents");
  expect(await coloursOf(ready)).not.toContain(GREEN);
  expect(await coloursOf(failed)).toContain(RED);
  await page.goto("/admin/system");
  await page.getByText("Database", { exact: true }).first().waitFor();
  expect(await coloursOf(page.getByRole("main"))).not.toContain(GREEN);
  await page.context().close();
});

test("the box of an agent shows on hover, on focus, and while one is chosen", async () => {
  const page = await app.openSignedIn();
  await page.goto("/agents");
  const box = (name: string) =>
    page.getByRole("checkbox", { name: `Choose ${name}`, exact: true });
  await box("Reader").waitFor();
  await page.mouse.move(1, 1);
  await expect.poll(() => opacityOf(box("Reader"))).toBe(0);
  await page.getByRole("link", { name: "Reader", exact: true }).hover();
  await expect.poll(() => opacityOf(box("Reader"))).toBe(1);
  expect(await opacityOf(box("Writer"))).toBe(0);
  await page.mouse.move(1, 1);
  await box("Writer").focus();
  await expect.poll(() => opacityOf(box("Writer"))).toBe(1);
  await page.keyboard.press("Space");
  await expect.poll(() => opacityOf(box("Reader"))).toBe(1);
  await look(page, "quiet-agents");
  await page.keyboard.press("Escape");
  await expect.poll(() => opacityOf(box("Reader"))).toBe(0);
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("on a touch screen the boxes of agents always show", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await phone.goto("/agents");
  const box = phone.getByRole("checkbox", { name: "Choose Reader", exact: true });
  await box.waitFor();
  expect(await opacityOf(box)).toBe(1);
  await phone.context().close();
});

test.each([
  ["a wide screen", { viewport: { width: 1440, height: 900 } }],
  ["a phone", { viewport: PHONE, hasTouch: true, isMobile: true }],
])("in the history, boxes stand at the one left edge of the page, on %s", async (_, as) => {
  const page = await app.openSignedIn(as);
  await page.goto("/history");
  const box = page.getByRole("checkbox", { name: "Choose Harbour", exact: true });
  const all = page.getByRole("checkbox", { name: "Choose all", exact: true });
  const title = page.getByRole("heading", { name: "History", level: 1 });
  const day = page.getByRole("heading", { name: "Today" }).last();
  await box.waitFor();
  const leftOf = async (shown: Locator) => (await shown.boundingBox())?.x ?? 0;
  const edge = await leftOf(title);
  for (const shown of [all, day, box])
    expect(Math.abs((await leftOf(shown)) - edge)).toBeLessThan(1);
  const topOf = async () => (await box.boundingBox())?.y ?? 0;
  const top = await topOf();
  await box.check();
  await page.getByRole("toolbar").waitFor();
  expect(Math.abs((await leftOf(box)) - edge)).toBeLessThan(1);
  // what can be done takes the place of the line, or stands at the foot
  expect(Math.abs((await topOf()) - top)).toBeLessThan(2);
  await look(page, `history-edge-${as.viewport.width}`);
  await page.context().close();
});

test.each(["/admin/models/offered", "/admin/users"])(
  "in the head of the table at %s, the box for all stands above the others",
  async (path) => {
    const page = await app.openSignedIn({ viewport: { width: 1440, height: 900 } });
    await page.goto(path);
    const table = page.getByRole("table");
    const all = table.getByRole("checkbox", { name: "Choose all", exact: true });
    await all.waitFor();
    const head = table.getByRole("columnheader", { name: "Name", exact: true });
    const box = table.getByRole("checkbox", { name: /^Choose (?!all$)/ }).last();
    const placeOf = async (shown: Locator) => (await shown.boundingBox()) ?? { x: 0, y: 0 };
    const [ofAll, ofHead, ofBox] = [
      await placeOf(all),
      await placeOf(head),
      await placeOf(box),
    ];
    expect(Math.abs(ofAll.x - ofBox.x)).toBeLessThan(1);
    expect(ofAll.x).toBeLessThan(ofHead.x);
    await look(page, `head-${path.split("/").at(-1)}`);
    await page.context().close();
  },
);

const ofToday = (page: Page) =>
  page.getByRole("main").getByRole("region", { name: "Today" });
const ofTemplates = (page: Page) => page.getByRole("list", { name: "Templates" });
test.each([
  ["/history", ofToday],
  ["/templates", ofTemplates],
])("rows at %s have a name and one line below it", async (path, listOf) => {
  for (const viewport of [{ width: 1440, height: 900 }, PHONE]) {
    const page = await app.openSignedIn({ viewport });
    await page.goto(path);
    const row = listOf(page).getByRole("listitem").first();
    await row.waitFor();
    await expect
      .poll(async () => (await row.boundingBox())?.height ?? Infinity)
      .toBeLessThan(62);
    await look(page, `rows-${path.slice(1)}-${viewport.width}`);
    await page.context().close();
  }
});
