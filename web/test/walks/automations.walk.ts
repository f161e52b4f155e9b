import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Automations, automationsOf } from "../../../test/support/automations.ts";
import { answerWith, type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";

const HOSTILE = `<img src=x onerror=alert(1)>\u202e${"x".repeat(160)}`;

let app: App;
let api: Automations;
let page: Page;
beforeAll(async () => {
  app = await startApp();
  answerWith(app.provider, ["**Done**: two pages."]);
  api = automationsOf(app.server, app.server.token);
  await api.agent("Summary");
  await api.agent("Tasks");
  await api.agent(HOSTILE);
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

test("a rule is written while its matches stand beside it, and is there after a reload of the draft", async () => {
  await api.send("# Minutes", "minutes.md", { origin: "uploads/board" });
  await api.send("a,b", "table.csv", { origin: "uploads/sales" });
  await page.goto("/automations");
  await page.getByText("No rules yet").waitFor();
  await page.getByRole("button", { name: "New rule" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Minutes");
  await page.getByLabel("Type of the media").fill("text/markdown");
  await page.getByText("1 of 2 would go to this rule.").waitFor();
  await page.getByText("The type text/csv does not fit.").waitFor();
  await page.getByRole("textbox", { name: "Origin" }).fill("uploads/*");
  await page.getByText("The origin fits uploads/*.").first().waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Choose at least one agent.").waitFor();

  await page.reload();
  await page.getByText("1 of 2 would go to this rule.").waitFor();
  await page.locator("input[type=file]").setInputFiles({
    name: "plan.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("# Plan"),
  });
  const tried = page.getByRole("list", { name: "Tried files" });
  await tried.getByText(/The origin .upload. does not fit/).waitFor();
  await page.getByLabel("As if it came from").fill("uploads/plans");
  await tried.getByText("This rule gets it.").waitFor();

  await page.getByRole("button", { name: "Summary" }).click();
  await page.getByRole("button", { name: "Tasks" }).click();
  await page.getByRole("checkbox", { name: "Summary" }).check();
  const warning = page.getByText("run only for those with whom they are shared");
  // a rule begins with one's own media
  const mine = page.getByRole("radio", { name: "Only mine" });
  await expect.poll(() => mine.isChecked()).toBe(true);
  const everybodys = page.getByRole("radio", { name: "Everybody's in the organisation" });
  await everybodys.check();
  await warning.waitFor();
  await mine.check();
  await warning.waitFor({ state: "detached" });
  await everybodys.check();
  await warning.waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Minutes" });
  await row.getByText("everybody's media").waitFor();
  await row.getByText(/Summary.*, .*Tasks/).waitFor();
  expect(app.problems).toEqual([]);
});

test("a sent file becomes a run, whose agents follow each other and show what they wrote", async () => {
  await page.goto("/automations/runs");
  await page.getByRole("listitem").getByText("no rule fits").first().waitFor();
  await page.getByRole("button", { name: "Send a file" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File").setInputFiles({
    name: "meeting.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("# Meeting\n\nWe begin on Monday."),
  });
  await dialog.getByLabel("Origin").fill("uploads/board");
  await dialog.getByRole("button", { name: "Send a file" }).click();
  await page.getByRole("heading", { name: "meeting.md" }).waitFor();
  const graph = page.getByRole("group", { name: "How the agents follow each other" });
  await graph.getByRole("button", { name: /Tasks completed/ }).waitFor();
  await graph.getByRole("button", { name: /Tasks/ }).press("Enter");
  await page.getByText("Done: two pages.").waitFor();
  await page.getByText(/after .?Summary/).waitFor();
  await page.getByText("We begin on Monday.").waitFor();
  await page.getByRole("link", { name: /taken by the rule “.?Minutes/ }).waitFor();
  expect(app.problems).toEqual([]);
});

test("a rule shows those who may change it how its runs went", async () => {
  await page.goto("/automations");
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "Minutes", exact: true }).click();
  await main.getByRole("link", { name: "Runs" }).click();
  await page.waitForURL(/\/automations\/\d+\/runs$/);
  const run = page.getByRole("list", { name: "Runs" }).getByRole("listitem").first();
  await run.getByText("Summary").waitFor();
  await run.getByText(/took/).waitFor();
  expect(app.problems).toEqual([]);
});

test("a run is cancelled, what failed is retried in it, and all of it is run again in a new one", async () => {
  app.provider.answer(() => ({
    text: Array.from({ length: 10_000 }, () => "word "),
    delayMs: 20,
  }));
  const { body } = await api.send("# Endless", "endless.md", { origin: "uploads/x" });
  await page.goto(`/automations/runs/${body.runId}`);
  await page.getByText("in progress").first().waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("cancelled").first().waitFor();
  answerWith(app.provider, ["At last."]);
  await page.getByRole("button", { name: "Retry what failed" }).click();
  await page.getByRole("button", { name: "Run all again" }).waitFor();
  expect((await api.run(body.runId)).status).toBe("completed");
  await page.getByRole("button", { name: "Run all again" }).click();
  await page.getByText("Runs again what an earlier run did").waitFor();
  await page.getByText("completed").first().waitFor();
  await actionsOf(page, "endless.md").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The run is deleted.").waitFor();
  await page.getByRole("button", { name: "Send a file" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("by keys alone a rule is found, switched off, and deleted", async () => {
  await api.rule({ name: HOSTILE, agents: [await api.agent("Other")], type: "audio" });
  await page.goto("/automations?q=onerror");
  const choose = async (name: string) => {
    await actionsOf(page, /^Actions for <img/).focus();
    await page.keyboard.press("Enter");
    const item = page.getByRole("menuitem", { name });
    await item.waitFor();
    while ((await item.getAttribute("data-highlighted")) === null)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  await choose("Switch off");
  await page.getByText("switched off", { exact: true }).waitFor();
  await choose("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("No rule fits").waitFor();
  expect(app.problems).toEqual([]);
});

test("on a phone a rule is written by touch", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
  });
  await phone.goto("/automations");
  await phone.getByRole("button", { name: "Neue Regel" }).tap();
  await phone.getByLabel("Name", { exact: true }).fill("Rechnungen");
  await phone.getByLabel("Typ der Medien").fill("pdf");
  await phone.getByRole("button", { name: "Summary" }).tap();
  await phone.getByRole("button", { name: "Speichern" }).tap();
  await phone.getByRole("link", { name: "Rechnungen" }).waitFor();
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
