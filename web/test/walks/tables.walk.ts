import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildXlsx } from "../../../src/services/parser/tables/testing/build-xlsx.ts";
import { uploadFile } from "../../../test/support/upload-file.ts";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let conversationId: string;
const SQL = `SELECT sum("Amount") AS total FROM "Orders 2025" WHERE "Region" = 'North'`;

beforeAll(async () => {
  app = await startApp();
  const rows = Array.from({ length: 100_000 }, (_, at) => [
    `A${at}`,
    at % 2 === 0 ? "North" : "South",
    at / 4,
  ]);
  const sheet = buildXlsx({ Orders: [["Order", "Region", "Amount"], ...rows] });
  const { body } = await uploadFile(app.server, new Uint8Array(sheet), "Orders 2025.xlsx");
  app.provider.answerTurns(
    { toolCalls: [{ name: "query_table", arguments: { sql: SQL } }] },
    { text: ["North made 624,987,500.00 [1]."] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "What did North make?", files: [body.id], stream: false },
  });
  ({ conversationId } = (await sent.json()) as { conversationId: string });
}, 180_000);
afterAll(() => app[Symbol.asyncDispose]());

async function openRows(page: Page, cite: RegExp) {
  await page.goto(`/c/${conversationId}`);
  await page.getByRole("button", { name: cite }).locator("visible=true").first().click();
  return page.getByRole("dialog", { name: "Orders 2025.xlsx" });
}

test("a sum over 100,000 rows opens as a table, with the rows behind it as CSV", async () => {
  const page = await app.openSignedIn();
  const panel = await openRows(page, /Orders 2025\.xlsx/);
  await panel.getByRole("cell", { name: "624987500.00" }).waitFor();
  await panel.getByText("The first 200 of 50,000").waitFor();
  expect(await panel.getByRole("row").count()).toBe(2 + 201);
  await panel.getByText("The query").click();
  await panel.getByText(SQL).waitFor();
  const saving = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Save as CSV" }).last().click();
  const saved = await readFile(await (await saving).path(), "utf8");
  expect(saved.split("\r\n").slice(0, 3)).toEqual([
    "\uFEFFOrder,Region,Amount",
    "A0,North,0.00",
    "A2,North,0.50",
  ]);
  const savingAll = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Save all 50,000 rows as CSV" }).click();
  const all = await readFile(await (await savingAll).path(), "utf8");
  expect(all.trimEnd().split("\r\n").at(-1)).toBe("A99998,North,24999.50");
  expect(app.problems).toEqual([]);
});

test("the same on a phone, in German and dark", async () => {
  const page = await app.openSignedIn({
    viewport: PHONE,
    locale: "de-DE",
    colorScheme: "dark",
    hasTouch: true,
  });
  const panel = await openRows(page, /Orders 2025\.xlsx/);
  await panel.getByText("Die ersten 200 von 50.000").waitFor();
  await panel.getByRole("heading", { name: "Aus diesen Zeilen berechnet" }).waitFor();
  const isTooWide = await page.evaluate<boolean>(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );
  expect(isTooWide).toBe(false);
  expect(app.problems).toEqual([]);
});
