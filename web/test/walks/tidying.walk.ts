import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { automationsOf } from "../../../test/support/automations.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";
import { tabTo } from "../support/tab-to.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const create = async (path: string, body: object) => {
  const answer = await app.server.request(path, { body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string };
};
const box = (name: string): Locator =>
  page.getByRole("checkbox", { name: `Choose ${name}`, exact: true });
const bar = () => page.getByRole("toolbar");
const act = (name: string) => bar().getByRole("button", { name, exact: true });
const confirm = (name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

test("templates are taken out of the offer together, brought back by undo, and deleted", async () => {
  for (const name of ["Letter A", "Letter B", "Letter C"])
    await create("/api/v1/templates", { name, content: "Dear", scope: "personal" });
  await showPage(page, "/templates?scope=personal");
  await box("Letter A").check();
  await box("Letter C").click({ modifiers: ["Shift"] });
  await bar().getByText("3 chosen").waitFor();
  await look(page, "tidying-templates");
  await act("Stop offering").click();
  await page.getByText("3 templates are not offered any more.").waitFor();
  await expect.poll(() => page.getByText("· not offered").count()).toBe(3);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("3 templates are offered again.").waitFor();
  await expect.poll(() => page.getByText("· not offered").count()).toBe(0);
  await box("Letter A").check();
  await box("Letter B").check();
  await act("Delete").click();
  await page.getByRole("heading", { name: "Delete 2 templates?" }).waitFor();
  await confirm("Delete");
  await page.getByText("2 templates are deleted.").waitFor();
  await expect.poll(() => page.getByRole("link", { name: /^Letter/ }).count()).toBe(1);
  expect(app.problems).toEqual([]);
});

test("what is built in stays when all templates are deleted, and a refusal has its reason", async () => {
  await create("/api/v1/templates", {
    name: "Letter D",
    content: "Dear",
    scope: "personal",
  });
  await showPage(page, "/templates");
  await box("Letter C").focus();
  await page.keyboard.press("Control+a");
  await act("Delete").focus();
  await page.keyboard.press("Enter");
  // only the two of one's own, whatever else is chosen
  await page.getByRole("heading", { name: "Delete 2 templates?" }).waitFor();
  const refusal = { status: 403, json: { code: "permission_denied", error: "No." } };
  let deletions = 0;
  await page.route(/\/api\/v1\/templates\/[0-9a-f-]{36}$/, async (route) => {
    const isFirst = route.request().method() === "DELETE" && (deletions += 1) === 1;
    await (isFirst ? route.fulfill(refusal) : route.fallback());
  });
  await confirm("Delete");
  await page.getByText("1 of 2 was not changed.").waitFor();
  await page.getByRole("list", { name: "What was not changed, and why" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => page.getByRole("link", { name: /^Letter/ }).count()).toBe(0);
  await page.unrouteAll({ behavior: "wait" });
  expect(deletions).toBe(3);
  const built = () => page.getByText("built in").count();
  await expect.poll(built).toBeGreaterThan(2);
  expect(app.problems).toEqual([]);
});

test("canvases are deleted together by keyboard, taken back, and restored from the trash", async () => {
  for (const title of ["Plan A", "Plan B", "Plan C"])
    await create("/api/v1/canvas", { title, content: "# A plan" });
  await showPage(page, "/canvases");
  await tabTo(page, box("Plan C"));
  await page.keyboard.press("Shift+ArrowDown");
  await bar().getByText("2 chosen").waitFor();
  await look(page, "tidying-canvases");
  await act("Delete").focus();
  await page.keyboard.press("Enter");
  await page.getByText("2 canvases are in the trash.").waitFor();
  const plans = () => page.getByRole("link", { name: /^Plan/ }).allInnerTexts();
  await expect.poll(plans).toEqual(["Plan A"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 canvases are back.").waitFor();
  await expect.poll(async () => (await plans()).toSorted()).toHaveLength(3);
  await box("Plan A").focus();
  await page.keyboard.press("Control+a");
  await act("Delete").click();
  await page.getByText("3 canvases are in the trash.").waitFor();
  await page.getByRole("link", { name: "Deleted canvases" }).click();
  await box("Plan A").check();
  await box("Plan B").check();
  await look(page, "tidying-trash");
  await act("Restore").click();
  await page.getByText("2 canvases are back.").last().waitFor();
  await expect.poll(() => box("Plan A").count()).toBe(0);
  await box("Plan C").waitFor();
  expect(app.problems).toEqual([]);
});

test("deleted agents are restored together, on a phone and in German", async () => {
  for (const name of ["Agent A", "Agent B"]) {
    const { id } = await create("/api/v1/agent", { name, instructions: "Help." });
    await app.server.request(`/api/v1/agent/${id}`, { method: "DELETE" });
  }
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/trash/agents");
  await phone.getByRole("checkbox", { name: "Agent A auswählen" }).tap();
  await phone.getByRole("checkbox", { name: "Agent B auswählen" }).tap();
  await look(phone, "tidying-agents-phone");
  await phone
    .getByRole("toolbar")
    .getByRole("button", { name: "Wiederherstellen", exact: true })
    .tap();
  await phone.getByText("2 Agenten sind wieder da.").waitFor();
  await phone.getByText("Der Papierkorb ist leer").waitFor();
  await phone.context().close();
  expect(app.problems).toEqual([]);
});

test("accounts are added to a group together, and deleted with what becomes of their data", async () => {
  for (const name of ["Ute One", "Ute Two"])
    await create("/api/v1/users", {
      name,
      email: `${name.toLowerCase().replace(" ", "-")}@test.example`,
      password: "a long enough password",
    });
  const group = await create("/api/v1/groups", { name: "Harbour office" });
  await showPage(page, "/admin/users?q=ute");
  await box("Ute One").focus();
  await page.keyboard.press("Control+a");
  await act("Add to a group").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Group").fill("harb");
  await dialog.getByRole("button", { name: /Harbour office/ }).click();
  await look(page, "tidying-group");
  await confirm("Add to a group");
  await page.getByText(/2 accounts are in the group/).waitFor();
  const members = await app.server.request(`/api/v1/groups/${group.id}/members`);
  expect(((await members.json()) as { total: number }).total).toBe(2);
  await box("Ute One").check();
  await box("Ute Two").check();
  await act("Delete").click();
  await dialog.getByText("Delete 2 accounts?").waitFor();
  await look(page, "tidying-users");
  await dialog.getByLabel(/^Delete them too/).check();
  await confirm("Delete");
  await page.getByText("2 accounts are deleted.").waitFor();
  await expect.poll(() => box("Ute One").count()).toBe(0);
  expect(app.problems).toEqual([]);
});

test("rules are switched off together, back on by undo, and deleted; runs that ended go, too", async () => {
  const api = automationsOf(app.server, app.server.token);
  const agents = [await api.agent("Summary")];
  for (const name of ["Rule A", "Rule B", "Rule C"])
    await api.rule({ name, type: "text/markdown", agents });
  for (const name of ["one.csv", "two.csv"]) await api.send("a,b", name);
  await showPage(page, "/automations");
  await box("Rule A").focus();
  await page.keyboard.press("Control+a");
  await bar().getByText("3 chosen").waitFor();
  await look(page, "tidying-rules");
  await act("Switch off").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Switched off: 3", { exact: true }).waitFor();
  const off = () => page.getByRole("listitem").getByText("switched off", { exact: true });
  await expect.poll(() => off().count()).toBe(3);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Switched on: 3", { exact: true }).waitFor();
  await expect.poll(() => off().count()).toBe(0);
  await box("Rule A").check();
  await box("Rule B").check();
  await act("Delete").click();
  await page.getByRole("heading", { name: "Delete all 2 that are chosen?" }).waitFor();
  await confirm("Delete");
  await page.getByText("Deleted: 2", { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: /^Rule [ABC]/ }).count()).toBe(1);

  await showPage(page, "/automations/runs");
  await page.getByText("2 runs", { exact: true }).waitFor();
  await box("one.csv").check();
  await box("two.csv").check();
  await look(page, "tidying-runs");
  await act("Delete").click();
  await confirm("Delete");
  await page.getByText("2 runs are deleted.").waitFor();
  await page.getByText("No runs yet").waitFor();
  expect(app.problems).toEqual([]);
});

test("models are disabled together, enabled by undo, and those that an administrator added deleted", async () => {
  await create("/api/v1/model-providers", {
    name: "harbour",
    displayName: "Harbour models",
    kind: "openai",
    config: { apiKey: "key", baseUrl: app.provider.url },
  });
  for (const id of ["blind", "seeing"]) {
    await create("/api/v1/models", { id, name: id, kind: "completion" });
    await create("/api/v1/available-models", {
      modelId: id,
      providerName: "harbour",
      providerModelId: id,
      displayName: `Model ${id}`,
    });
  }
  await showPage(page, "/admin/models/offered");
  await box("Model blind").check();
  await box("Model seeing").check();
  await look(page, "tidying-models");
  await act("Disable").click();
  await page.getByText("2 models are disabled.").waitFor();
  const off = () => page.getByRole("row").getByText("Disabled", { exact: true }).count();
  await expect.poll(off).toBe(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 models are enabled.").waitFor();
  await expect.poll(off).toBe(0);
  await box("Model blind").focus();
  await page.keyboard.press("Control+a");
  await act("Delete").focus();
  await page.keyboard.press("Enter");
  // the built-in one stays
  await page.getByRole("heading", { name: "Delete 2 models?" }).waitFor();
  await confirm("Delete");
  await page.getByText("2 models are deleted.").waitFor();
  await expect.poll(() => box("Model blind").count()).toBe(0);
  await page.getByText("Offline (no language model)").first().waitFor();
  expect(app.problems).toEqual([]);
});
