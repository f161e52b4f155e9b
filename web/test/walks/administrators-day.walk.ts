import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN } from "../../../test/support/server.ts";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { actionsOf } from "../support/actions-of.ts";
import { type App, startApp } from "../support/app.ts";
import { type ListingProvider, startListingProvider } from "../support/listing-provider.ts";

/** The day of an administrator and of a member; also takes the pictures of docs/web-day.md. */
const FOLDER = process.env["PICTURES_DIR"];
const WIDE = { viewport: { width: 1280, height: 800 } };
const HANDBOOK =
  "# Handbook\n\n## Leave\n\nEverybody who works full time has 31 days of leave a year.\n\n" +
  "## Travel\n\nBook trains first. A flight needs the agreement of the head of the department.";

let app: App;
let provider: ListingProvider;
let tools: ToolServer;
let admin: Page;
let member: Page;
let memberPassword = "";
beforeAll(async () => {
  if (FOLDER) await mkdir(FOLDER, { recursive: true });
  tools = await startToolServer({
    timetable: { description: "Finds trains between two towns", run: () => text("10:04") },
  });
  app = await startApp({ withModel: false });
  app.provider.answer((_, { messages }) => {
    const asked = JSON.stringify(messages);
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: ["Days of leave"] };
    if (asked.includes("invoices"))
      return { text: ["**Harbour Supplies**, €1,240.00, due on 15 December 2026."] };
    return { text: ["Full-time staff have **31 days of leave** a year.[1]"] };
  });
  provider = await startListingProvider("town-model", app.provider.url);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function take(page: Page, name: string): Promise<void> {
  if (!FOLDER) return;
  await expect.poll(() => page.locator(".animate-pulse").count()).toBe(0);
  await page.screenshot({ path: join(FOLDER, `day-${name}.png`), animations: "disabled" });
}

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole("button", { name, exact: typeof name === "string" })
    .first()
    .click();

async function shareWith(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Add people or groups").fill(name);
  await dialog.getByRole("button", { name: new RegExp(name) }).click();
  await dialog.getByRole("listitem").filter({ hasText: name }).first().waitFor();
}

test("an administrator connects a model and a tool server", async () => {
  admin = await app.open(WIDE);
  await admin.goto("/sign-in");
  await admin.getByLabel("Email").fill(ADMIN.email);
  await admin.getByLabel("Password").fill(ADMIN.password);
  await press(admin, "Sign in");
  await admin.getByRole("navigation", { name: "Menu" }).waitFor();

  await admin.goto("/admin/models/providers");
  await press(admin, "Connect a provider");
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption("openai-compatible");
  await dialog.getByLabel(/^Base URL/).fill(provider.url);
  await dialog.getByLabel(/^API key/).fill("key");
  await dialog.getByRole("button", { name: "Test the connection" }).click();
  await dialog.getByRole("button", { name: "Use this model" }).waitFor();
  await take(admin, "provider");
  await dialog.getByRole("button", { name: "Use this model" }).click();
  await admin.getByText("Connected.").waitFor();

  await admin.goto("/admin/tools/servers");
  await press(admin, "Add server");
  await dialog.getByLabel("Name", { exact: true }).fill("trains");
  await dialog.getByLabel("Address").fill(tools.url);
  await dialog.getByRole("button", { name: "Add server" }).click();
  await admin.getByText("Ready", { exact: true }).waitFor();
  await take(admin, "tools");
  expect(app.problems).toEqual([]);
});

test("adds a member to a new group with a role", async () => {
  await admin.goto("/admin/users");
  await press(admin, "Create user");
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Beth Miller");
  await dialog.getByLabel("Email").fill("beth@test.example");
  await dialog.getByRole("button", { name: "Create user" }).click();
  memberPassword = (await dialog.locator("output").innerText()).trim();
  await dialog.getByRole("button", { name: "Done" }).click();

  await admin.goto("/admin/groups");
  await press(admin, "Create group");
  await dialog.getByLabel("Name", { exact: true }).fill("Harbour office");
  await dialog.getByRole("button", { name: "Create group" }).click();
  await admin.getByRole("heading", { name: "Harbour office" }).waitFor();
  await admin.getByLabel("Add somebody by name or email").fill("beth");
  await admin.getByRole("button", { name: /Beth Miller/ }).click();
  await admin.getByRole("list", { name: "Members" }).getByText("added here").waitFor();
  await press(admin, "Change roles");
  await dialog.getByLabel(/^Reader/).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await admin.getByRole("list", { name: "Roles" }).getByText("reader").waitFor();
  await take(admin, "group");
  expect(app.problems).toEqual([]);
});

test("uploads a folder of documents and shares it with the group", async () => {
  await admin.goto("/documents");
  await press(admin, "New folder");
  await admin.getByLabel("Name of the folder").fill("Staff");
  await press(admin, "Create");
  await admin.getByRole("link", { name: "Staff" }).click();
  await admin.getByRole("heading", { name: "Staff" }).waitFor();
  await admin.locator("input[type=file]").setInputFiles([
    { name: "handbook.md", mimeType: "text/markdown", buffer: Buffer.from(HANDBOOK) },
    {
      name: "opening-hours.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# Hours\n\n9–17"),
    },
  ]);
  for (const name of ["handbook.md", "opening-hours.md"]) {
    const row = admin.getByRole("listitem").filter({ hasText: name }).last();
    await row.getByText("ready").waitFor();
  }
  await press(admin, "Share the folder");
  await shareWith(admin, "Harbour office");
  await take(admin, "folder");
  await admin.keyboard.press("Escape");
  expect(app.problems).toEqual([]);
});

test("makes agents for the group, a rule for incoming PDFs and a budget", async () => {
  await admin.goto("/agents/new");
  await admin.getByLabel("Name", { exact: true }).fill("Leave and travel");
  await admin
    .getByLabel("Description", { exact: true })
    .fill("Answers from the staff handbook.");
  await admin.getByLabel("Type").selectOption("cortex");
  await press(admin, "Add documents");
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel(/^handbook.md/).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await press(admin, "Create");
  await admin.waitForURL(/\/agents\/[0-9a-f-]{36}$/);
  await admin.getByRole("heading", { name: "Leave and travel" }).waitFor();
  await take(admin, "agent");
  await admin.goto("/agents/new");
  await admin.getByLabel("Name", { exact: true }).fill("Invoices");
  await admin
    .getByLabel("Instructions", { exact: true })
    .fill("Say who sent the invoices.");
  await press(admin, "Create");
  await admin.waitForURL(/\/agents\/[0-9a-f-]{36}$/);
  await admin.goto("/agents");
  for (const name of ["Leave and travel", "Invoices"]) {
    await actionsOf(admin, name).click();
    await admin.getByRole("menuitem", { name: "Share" }).click();
    await shareWith(admin, "Harbour office");
    await admin.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }

  await admin.goto("/automations/new");
  await admin.getByLabel("Name", { exact: true }).fill("Incoming invoices");
  await admin.getByLabel("Type of the media").fill("application/pdf");
  await press(admin, "Invoices");
  await admin.getByRole("radio", { name: "Everybody's in the organisation" }).check();
  await admin.getByText("You have sent no media yet.").waitFor();
  await take(admin, "rule");
  await press(admin, "Save");
  await admin.getByRole("link", { name: "Incoming invoices" }).waitFor();

  await admin.goto("/usage/budgets");
  await press(admin, "Create a budget");
  await dialog.getByLabel("Name", { exact: true }).fill("Harbour office");
  await dialog.getByLabel("Whom it limits").selectOption("one");
  await dialog.getByLabel("Person or group").fill("Harbour");
  await dialog.getByRole("button", { name: /Harbour office/ }).click();
  await dialog.getByLabel("Tokens", { exact: true }).fill("2000000");
  await dialog.getByRole("button", { name: "Create a budget" }).click();
  await admin.getByText(/Each member of .Harbour office., a month/).waitFor();
  await take(admin, "budget");
  expect(app.problems).toEqual([]);
});

test("a member finds the folder and the agent, and gets an answer with its source", async () => {
  member = await app.open(WIDE);
  await member.goto("/sign-in");
  await member.getByLabel("Email").fill("beth@test.example");
  await member.getByLabel("Password").fill(memberPassword);
  await press(member, "Sign in");
  await member.getByLabel("New password").waitFor();
  expect(await member.getByLabel("Password that you were given").count()).toBe(0);
  await member.getByLabel("New password").fill("a password of her own");
  await press(member, "Set the password");
  await member.getByRole("navigation", { name: "Menu" }).waitFor();
  await member.goto("/shared?kind=folder");
  await member.getByRole("link", { name: "Staff" }).first().click();
  await member.getByRole("link", { name: "handbook.md" }).waitFor();
  await take(member, "shared-folder");

  await member.goto("/agents?view=shared");
  await member.getByRole("link", { name: "Leave and travel" }).first().click();
  await member.getByRole("link", { name: "Start a conversation" }).click();
  await member
    .getByRole("textbox", { name: "Message" })
    .fill("How many days of leave do we have?");
  await press(member, "Send");
  const source = member.getByRole("button", { name: /^Source 1: handbook.md/ }).first();
  await source.waitFor();
  // the card beside it says where, and what is quoted
  const card = member.locator('button[aria-label^="Source 1: handbook.md, "]').first();
  const quoteId = await card.getAttribute("aria-describedby");
  expect(await card.locator(`[id="${quoteId}"]`).textContent()).toContain("31 days");
  await member.getByRole("link", { name: "Days of leave" }).first().waitFor();
  await take(member, "answer");
  await source.click();
  await member.getByRole("dialog").getByText("Download the file").waitFor();
  await member.keyboard.press("Escape");
  expect(app.problems).toEqual([]);
});

test("a member sends an invoice, which the rule gives to its agent, and sees their budget", async () => {
  await member.goto("/automations/runs");
  await press(member, "Send a file");
  const dialog = member.getByRole("dialog");
  await dialog.getByLabel("File").setInputFiles({
    name: "invoice-118.pdf",
    mimeType: "application/pdf",
    buffer: await aPdf(
      "Invoice 118 of Harbour Supplies: 1,240.00 euros, due on 15 December 2026.",
    ),
  });
  await dialog.getByRole("button", { name: "Send a file" }).click();
  await member.getByRole("heading", { name: "invoice-118.pdf" }).waitFor();
  await member
    .getByRole("button", { name: /Invoices completed/ })
    .first()
    .waitFor();
  await member.getByText("Harbour Supplies").first().waitFor();
  await take(member, "run");

  await member.goto("/usage");
  await member.getByRole("heading", { name: "Your budgets" }).waitFor();
  await member.getByRole("meter").waitFor();
  await take(member, "own-budget");
  expect(app.problems).toEqual([]);
});

async function aPdf(line: string): Promise<Buffer> {
  const document = new PDFDocument({ size: "A4" });
  document.fontSize(14).text(line);
  document.end();
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>));
}
