import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Automations, automationsOf } from "../../../test/support/automations.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";

const runFile = promisify(execFile);

let app: App;
let api: Automations;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, ["Good morning."]);
  api = automationsOf(app.server, app.server.token);
  await api.agent("Morning");
  page = await app.openSignedIn({ timezoneId: "America/New_York" });
});
afterAll(() => app[Symbol.asyncDispose]());

test("the signed example of a new webhook works in a shell, and that of a replaced secret too", async () => {
  await page.goto("/automations/sources");
  await page.getByText("No sources yet").waitFor();
  await page.getByRole("button", { name: "New source" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Orders");
  await dialog.getByRole("button", { name: "Create the source" }).click();
  const example = dialog.locator("pre");
  expect(await send(await example.innerText())).toMatchObject({ ruleId: null });
  const old = await example.innerText();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByText("SECRET='whsec_…'").waitFor();
  await page.getByRole("button", { name: "Replace the secret" }).click();
  await dialog.getByRole("button", { name: "Replace the secret" }).click();
  await dialog.getByText("It is shown this once.").waitFor();
  expect(await send(old)).toMatchObject({ code: "signature_invalid" });
  expect(await send((await example.innerText()).replace("msg_", "again_"))).toHaveProperty(
    "runId",
  );
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByLabel("Tags").fill("shop, orders");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The source is saved.").waitFor();
  await page.goto("/automations/runs");
  await page.getByRole("link", { name: /^again_/ }).waitFor();
  expect(app.problems).toEqual([]);
});

test("a schedule is said in words, shows its next times in the reader's zone, and runs now", async () => {
  await page.goto("/automations/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Good morning");
  await page.getByRole("button", { name: "Every day at 7:00" }).click();
  await page.getByLabel("Time zone").fill("Asia/Tokyo");
  const times = page.getByRole("listitem").filter({ has: page.locator("time") });
  await expect.poll(() => times.count()).toBe(5);
  // 7:00 in Tokyo is 22:00 UTC, the evening before in New York
  await expect.poll(() => times.first().innerText()).toMatch(/1[78]:00$/);
  await page.getByText("At 07:00, every day").waitFor();
  await page.getByLabel("When").fill("30 6 * * 1-5");
  await page.getByText("At 06:30, Monday through Friday").waitFor();
  await page.getByLabel("When").fill("0 0 31 2 *");
  await page.getByText("never occurs").waitFor();
  await page.getByLabel("When").fill("0 7 * * *");
  await page.getByLabel("Input for the agents").fill("Greet everybody.");
  await page.getByRole("button", { name: "Morning", exact: true }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Good morning" }).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "Good morning" });
  await row.getByText("At 07:00, every day · Asia/Tokyo · 0 7 * * *").waitFor();
  await actionsOf(page, "Good morning").click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await page.getByText("Good morning.").waitFor();
  await page.getByText("Greet everybody.").waitFor();
  expect(app.problems).toEqual([]);
});

test("by keys alone a schedule is switched off; on a phone a source is made by touch", async () => {
  await page.goto("/automations/schedules");
  const actions = actionsOf(page, "Good morning");
  await actions.focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: "Switch off" });
  await item.waitFor();
  while ((await item.getAttribute("data-highlighted")) === null)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("no next time").waitFor();

  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
  });
  await phone.goto("/automations/schedules");
  await phone.getByText("Um 07:00, jeden Tag · Asia/Tokyo").waitFor();
  await phone.goto("/automations/sources");
  await phone.getByRole("button", { name: "Neue Quelle" }).tap();
  await phone.getByLabel("Name", { exact: true }).fill("Bestellungen");
  await phone.getByRole("button", { name: "Quelle anlegen" }).tap();
  await phone.getByRole("button", { name: "Fertig" }).tap();
  await phone.getByRole("link", { name: "Bestellungen" }).waitFor();
  expect(app.problems).toEqual([]);
  await phone.context().close();
});

/** Runs the commands of an example as they stand, but for the address, which tests make up. */
async function send(example: string): Promise<unknown> {
  const path = /'[^']*(\/api\/automations\/hooks\/[^']+)'/.exec(example)?.[1] ?? "";
  const script = example.replace(/^URL=.*$/m, `URL='${app.server.url}${path}'`);
  const { stdout } = await runFile("sh", ["-c", script]);
  return JSON.parse(stdout) as unknown;
}
