import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { permissionWords } from "../../src/texts/permission-words.ts";
import { type App, DESKTOP, PHONE, startApp } from "../support/app.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";
import { actionsOf } from "../support/actions-of.ts";

const HOSTILE = `<img src=x onerror=alert(1)> \u202Egnp.exe ${"long name ".repeat(16)}`;

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const create = async (path: string, body: object) => {
  const answer = await app.server.request(path, { body });
  return (await answer.json()) as { id: string };
};
const aUser = (name: string, email: string) =>
  create("/api/v1/users", { name, email, password: "a long enough password" });

test("a user is created with a password that is shown once, found, and given another role", async () => {
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Create user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Jörg Müller");
  await dialog.getByLabel("Email").fill("joerg@test.example");
  await dialog.getByRole("button", { name: "Create user" }).click();
  const password = (await dialog.locator("output").innerText()).trim();
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await app.server.signIn("joerg@test.example", password)).not.toBe("");
  const own = await app.open();
  await own.goto("/sign-in");
  await own.getByLabel("Email").fill("joerg@test.example");
  await own.getByLabel("Password").fill(password);
  await own.keyboard.press("Enter");
  const asked = own.getByRole("heading", { name: "Choose a password of your own" });
  await asked.waitFor();
  // it was just given
  expect(await own.getByLabel("Password that you were given").count()).toBe(0);
  await own.goto("/documents");
  // nothing keeps it: a page that is loaded again asks for it
  await own.getByLabel("Password that you were given").waitFor();
  await own.context().clearCookies();
  await own.goto("/sign-in");
  await own.getByLabel("Email").fill("joerg@test.example");
  await own.getByLabel("Password").fill(password);
  await own.keyboard.press("Enter");
  await asked.waitFor();
  await own.locator("input[name=password]").fill("a password of my own");
  await own.keyboard.press("Enter");
  await own.waitForURL(/\/welcome$/);
  await own.goto("/documents");
  await own.getByRole("heading", { name: "Documents", exact: true }).waitFor();
  await own.context().close();

  await page.getByLabel("Search by name or email").fill("muller");
  await page.waitForURL(/q=muller/);
  await page.getByRole("link", { name: "Jörg Müller" }).click();
  await page.getByText("last used").waitFor();
  await page.getByLabel(/^Reader/).check();
  await page.getByLabel(/^User/).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("Signed in nowhere.").waitFor();

  await page.getByRole("link", { name: "Access" }).click();
  await page.getByText("by the role reader").first().waitFor();
  await page.getByLabel("Show").selectOption({ label: "What is permitted" });
  await page.getByText("Read own preferences").waitFor();
  expect(await page.getByText("Delete conversations").count()).toBe(0);
  expect(app.problems).toEqual([]);
});

test("accounts are disabled and enabled together, by mouse and keys, but not one's own", async () => {
  for (const name of ["Ute One", "Ute Two", "Ute Three"])
    await aUser(name, `${name.toLowerCase().replace(" ", "-")}@test.example`);
  await page.goto("/admin/users");
  expect(await page.getByLabel("Choose Administrator").isDisabled()).toBe(true);
  await page.goto("/admin/users?q=ute");
  await page.getByLabel("Choose Ute One").check();
  await page.getByLabel("Choose Ute Two").click({ modifiers: ["Shift"] });
  const bar = page.getByRole("toolbar");
  await bar.getByText("3 chosen").waitFor(); // Three stands between them
  await look(page, "users-chosen");
  await bar.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText("3 accounts are disabled.").waitFor();
  await page.getByLabel("Choose Ute One").focus();
  await page.keyboard.press("Control+a");
  await bar.getByRole("button", { name: "Enable" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("3 accounts are enabled.").waitFor();
  await page.setViewportSize(PHONE);
  await page.getByLabel("Choose Ute Two").check();
  const row = page.getByRole("row").filter({ hasText: "Ute Two" });
  const [name, role] = [
    row.getByText("Ute Two", { exact: true }),
    row.getByText("User", { exact: true }),
  ];
  await expect
    .poll(async () => {
      const [above, below] = [await name.boundingBox(), await role.boundingBox()];
      return above && below && above.width > 0 && below.y > above.y;
    })
    .toBe(true);
  // what can be done stands in one line
  const { height = 0 } = (await bar.boundingBox()) ?? {};
  expect(height).toBeLessThan(64);
  await look(page, "users-phone");
  await page.setViewportSize(DESKTOP);
  expect(app.problems).toEqual([]);
});

test("a group says through what somebody is in it; who is removed comes back by undo", async () => {
  await aUser("Anna Krüger", "anna@test.example");
  const office = await create("/api/v1/groups", { name: "Harbour office" });
  await page.goto(`/admin/groups/${office.id}`);
  await page.getByLabel("Add somebody by name or email").fill("kruger");
  await page.getByRole("button", { name: /Anna Krüger/ }).click();
  const members = page.getByRole("list", { name: "Members" });
  await members.getByText("added here").waitFor();

  await page.goto("/admin/groups");
  await page.getByRole("button", { name: "Create group" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Everybody");
  await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
  await page.getByRole("heading", { name: "Everybody" }).waitFor();
  await page.getByLabel("Add a group by name").fill("harb");
  await page.getByRole("button", { name: /Harbour office/ }).click();
  await members.getByText("through Harbour office").waitFor();
  expect(await page.getByRole("button", { name: "Remove: Anna Krüger" }).count()).toBe(0);

  await page.getByRole("link", { name: "Harbour office" }).click();
  await page.getByRole("heading", { name: "Is in" }).waitFor();
  await page.getByRole("button", { name: "Remove: Anna Krüger" }).click();
  await page.getByText("Nobody is in this group yet.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await members.getByText("added here").waitFor();
  expect(app.problems).toEqual([]);
});

test("a role of a group counts for its members, and their page says where it comes from", async () => {
  const { id } = await aUser("Rosa Reader", "rosa@test.example");
  const group = await create("/api/v1/groups", { name: "Auditors" });
  await app.server.request(`/api/v1/groups/${group.id}/members/${id}`, { method: "PUT" });
  await page.goto(`/admin/groups/${group.id}`);
  await page.getByText("The group has no roles.").waitFor();
  await page.getByRole("button", { name: "Change roles" }).focus();
  await page.keyboard.press("Enter");
  const box = page.getByRole("dialog").getByLabel(/^Reader/);
  await box.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  const roles = page.getByRole("list", { name: "Roles", exact: true });
  await roles.getByText("reader").waitFor();
  await page.goto(`/admin/users/${id}/access`);
  const gained = page.getByRole("list", { name: "Roles of groups" });
  await gained.getByRole("link", { name: "Auditors" }).waitFor();
  await page.getByText("reader, user").or(page.getByText("user, reader")).waitFor();
  await gained.getByRole("link", { name: "Auditors" }).click();
  await roles.getByText("reader").waitFor();
  expect(app.problems).toEqual([]);
});

test("a role is copied, changed and kept as a draft; what it forbids overrules", async () => {
  await page.goto("/admin/roles");
  await actionsOf(page, "user").click();
  await page.getByRole("menuitem", { name: "Copy" }).click();
  await page.getByLabel("Delete conversations").selectOption({ label: "Forbid" });
  await page.getByLabel("Use models").selectOption({ label: "Allow" });
  const name = `Add a condition: ${permissionWords("en", "model:use")}`;
  await page.getByRole("button", { name }).click();
  await page.getByLabel("Only if").fill('{"model": "openai/gpt-5"}');
  await page.reload();
  const forbidden = page.getByLabel("Delete conversations", { exact: true });
  await expect.poll(() => forbidden.inputValue()).toBe("forbid");
  const condition = page.getByLabel("Only if");
  await expect.poll(() => condition.inputValue()).toContain("openai/gpt-5");
  await page.getByRole("textbox", { name: "Name" }).fill("careful");
  await page.getByRole("button", { name: "Create role" }).click();
  const row = page.getByRole("row").filter({ hasText: "careful" });
  await row.getByRole("link").click();
  await page.getByRole("heading", { name: "careful" }).waitFor();

  const user = await aUser("Ruth", "ruth@test.example");
  await app.server.request(`/api/v1/users/${user.id}`, {
    method: "PATCH",
    body: { roles: ["user", "careful"] },
  });
  await page.goto(`/admin/users/${user.id}/access`);
  await page.getByText("forbidden by the role careful").waitFor();
  expect(app.problems).toEqual([]);
});

test("roles stand side by side, all permissions or only where they differ", async () => {
  await showPage(page, "/admin/roles");
  const table = page.getByRole("region", { name: "Side by side" }).getByRole("table");
  const row = (name: string) => table.getByRole("row").filter({ hasText: name });
  const own = row("Read own preferences");
  const heads = await table.getByRole("columnheader").allInnerTexts();
  const verdict = async (role: string, of = row("Read and export the audit log")) =>
    (await of.getByRole("cell").allInnerTexts())[heads.indexOf(role) - 1]?.trim();
  expect(await verdict("Administrator")).toBe("Permitted");
  expect(await verdict("User")).toBe("Not permitted");
  expect(await verdict("User", own)).toBe("Permitted");
  const all = await table.getByRole("row").count();
  await page.getByLabel("Only where they differ").check();
  await expect.poll(() => table.getByRole("row").count()).toBeLessThan(all);
  await row("Read and export the audit log").waitFor();
});

test("by keyboard alone an account is deleted, its data given to an heir", async () => {
  const { id } = await aUser("Leaver", "leaver@test.example");
  await aUser("Heir", "heir@test.example");
  await page.goto(`/admin/users/${id}/account`);
  await page.getByRole("button", { name: "Delete user" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Who receives them").focus();
  await page.keyboard.type("heir");
  await dialog.getByRole("button", { name: /^Heir/ }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await dialog.getByText("Chosen: Heir").waitFor();
  await dialog.getByRole("button", { name: "Delete user" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Leaver is deleted.").waitFor();
  expect((await app.server.request(`/api/v1/users/${id}`)).status).toBe(404);
  expect(app.problems).toEqual([]);
});

test("hostile names stay text and inside their place, on a phone by touch too", async () => {
  const { id } = await aUser(HOSTILE, "hostile@test.example");
  const group = await create("/api/v1/groups", { name: HOSTILE, description: HOSTILE });
  await app.server.request(`/api/v1/groups/${group.id}/members/${id}`, { method: "PUT" });
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  for (const path of [
    "/admin/users?q=hostile",
    `/admin/users/${id}/account`,
    `/admin/users/${id}/access`,
    "/admin/groups",
    `/admin/groups/${group.id}`,
  ]) {
    await phone.goto(path);
    await phone.getByText("<img src=x").first().waitFor();
    const excess = await phone.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect.soft({ path, excess }).toEqual({ path, excess: 0 });
  }
  await phone.goto(`/admin/users/${id}/account`);
  await phone.getByRole("button", { name: "Disable account" }).tap();
  await phone
    .getByText("Nobody can sign in")
    .or(phone.getByText("is disabled"))
    .first()
    .waitFor();
  await phone.getByRole("button", { name: "Enable account" }).waitFor();
  expect(app.problems).toEqual([]);
});
