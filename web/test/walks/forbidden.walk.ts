import { afterAll, beforeAll, expect, test } from "vitest";
import { PARTS } from "../../src/admin/parts.ts";
import { permissionWords } from "../../src/texts/permission-words.ts";
import { type App, startApp } from "../support/app.ts";
import { asksOf } from "../support/fill/asks.ts";

const MEMBER = { email: "bare@test.example", password: "a long enough password" };
/** What else only some may open, with the permission that it needs. */
const PAGES: [string, string][] = [
  ["/usage", "usage:read"],
  ["/usage/budgets", "budget:administer"],
  ["/agents", "agent:read"],
  ["/agents/new", "agent:create"],
  ["/agents/00000000-0000-7000-8000-000000000001", "agent:read"],
  ["/templates", "template:read"],
  ["/templates/new", "template:create"],
  ["/text", "conversion:create"],
  ["/text/kept", "conversion:read"],
  ["/automations", "automation:read"],
  ["/automations/new", "automation:create"],
  ["/automations/runs", "automation:read"],
  ["/automations/sources", "automation:read"],
  ["/automations/schedules", "automation:read"],
  ["/automations/schedules/new", "automation:create"],
  ["/admin/new-role", "role:administer"],
  ["/admin/users/external", "user:administer"],
  ["/admin/models/providers", "model:administer"],
  ["/admin/tools/list", "tool:administer"],
  ...PARTS.map(({ to, permission }): [string, string] => [to, permission]),
];

const ABSENT = "00000000-0000-7000-8000-00000000dead";
/** Pages of one thing that does not exist, with the list that they lead to. */
const ABSENT_PAGES = [
  [`/documents/d/${ABSENT}`, "All documents", "/documents"],
  [`/documents/${ABSENT}`, "All documents", "/documents"],
  [`/canvas/${ABSENT}`, "All canvases", "/canvases"],
  [`/agents/${ABSENT}`, "Agents", "/agents"],
  [`/templates/${ABSENT}`, "Templates", "/templates"],
  [`/text/kept/${ABSENT}`, "Kept texts", "/text/kept"],
  ["/automations/999999", "Rules", "/automations"],
  [`/automations/runs/${ABSENT}`, "Runs", "/automations/runs"],
  [`/c/${ABSENT}`, "New conversation", "/"],
  [`/c/${ABSENT}/print`, "New conversation", "/"],
] as const;

let app: App;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  const asks = asksOf(app);
  const permissions = [{ action: "read", subject: "account" }];
  await asks.post("/api/v1/roles", { name: "bare", permissions });
  await asks.post("/api/v1/users", { ...MEMBER, name: "Bare", roles: ["bare"] });
});
afterAll(() => app[Symbol.asyncDispose]());

test("whoever lacks a permission reads which, and is not asked to fill a form in vain", async () => {
  const page = await app.open();
  await page.context().request.post(`${app.server.url}/api/v1/auth/session`, {
    data: MEMBER,
    headers: { "x-parlance": "1", origin: app.server.url },
  });
  for (const [path, permission] of PAGES) {
    await page.goto(path);
    const words = permissionWords("en", permission);
    const refusal = page.getByRole("alert").filter({ hasText: `“${words}”` });
    await refusal.first().waitFor();
    expect.soft(await refusal.first().innerText()).not.toContain(permission);
    expect.soft([path, await page.locator("main form").count()]).toEqual([path, 0]);
  }
  await page.goto("/admin");
  await page.waitForURL(app.server.url); // there is nothing for them
  expect(app.problems).toEqual([]);
});

test("in German, and from the server, a lacking permission is named by words", async () => {
  const page = await app.open({ locale: "de-DE" });
  await page.context().request.post(`${app.server.url}/api/v1/auth/session`, {
    data: MEMBER,
    headers: { "x-parlance": "1", origin: app.server.url },
  });
  await page.goto("/admin/audit");
  const refusal = page.getByRole("alert").filter({ hasText: "Ihnen fehlt das Recht" });
  await refusal.getByText(`„${permissionWords("de", "audit:administer")}“`).waitFor();
  await page.goto(`/automations/runs/${ABSENT}`);
  await page
    .getByText(`„${permissionWords("de", "automation:read")}“`)
    .first()
    .waitFor();
  expect(app.problems).toEqual([]);
});

test("a link that was cut off says so, in no program's words", async () => {
  const page = await app.openSignedIn();
  for (const [path, name] of ABSENT_PAGES) {
    await page.goto(path.replace(ABSENT, ABSENT.slice(0, 20)));
    const main = page.getByRole("main");
    await main.getByRole("link", { name, exact: true }).waitFor();
    expect.soft(await main.innerText()).not.toMatch(/params|UUID/);
  }
  await page.goto(`/documents/d/${ABSENT.slice(0, 20)}`);
  await page.getByText("There is nothing at this address").waitFor();
  expect(app.problems).toEqual([]);
});

test("what does not exist leads to the list of its kind", async () => {
  const page = await app.openSignedIn();
  for (const [path, name, list] of ABSENT_PAGES) {
    await page.goto(path);
    await page.getByRole("main").getByRole("link", { name, exact: true }).click();
    await page.waitForURL((url) => url.pathname === list);
  }
  expect(app.problems).toEqual([]);
});
