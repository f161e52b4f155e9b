import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let model: Server;
let page: Page;
/** A server of embedding models that refuses every request. */
beforeAll(async () => {
  model = createServer((_, response) => response.writeHead(401).end("{}"));
  await new Promise<void>((done) => model.listen(0, "127.0.0.1", done));
  const { port } = model.address() as AddressInfo; // of a TCP server
  app = await startApp({
    env: {
      EMBEDDING_PROVIDER: "openai",
      EMBEDDING_BASE_URL: `http://127.0.0.1:${port}`,
      EMBEDDING_DIMENSIONS: "4",
    },
  });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  model.close();
});
beforeEach(() => {
  app.problems.length = 0;
});

const row = (name: string) => page.getByRole("row").filter({ hasText: name });

test("failed messages are looked at, tried again and deleted", async () => {
  for (const name of ["one.md", "two.md"]) {
    const form = new FormData();
    form.set("file", new Blob([`The text of ${name}`]), name);
    const headers = { authorization: `Bearer ${app.server.token}` };
    await fetch(`${app.server.url}/api/v1/documents`, {
      method: "POST",
      headers,
      body: form,
    });
  }
  await page.goto("/admin/queues");
  await row("embedding_jobs").getByRole("link", { name: "2: look" }).click();
  await page.getByRole("heading", { name: "Make documents searchable" }).waitFor();
  await page.getByText("refused its credential").first().waitFor();
  await page.getByText("Message", { exact: true }).first().click();
  await page.getByText("documentId").first().waitFor();

  await page.getByRole("button", { name: "Delete", exact: true }).first().click();
  await page.getByText("1 message is deleted.").waitFor();
  await page.getByRole("button", { name: "Try all again" }).click();
  await page.getByText("1 message is tried again.").waitFor();
  await page.goto("/admin/queues");
  await row("embedding_jobs").getByRole("link", { name: "1: look" }).click();
  await page.getByRole("button", { name: "Delete all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click();
  await page.getByText("Nothing failed").waitFor();
  expect(app.problems).toEqual([]);
});

test("in German, jobs, queues, failed messages and actions are in words", async () => {
  await app.server.request("/api/v1/groups", { body: { name: "Zahlen" } });
  const form = new FormData();
  form.set("file", new Blob(["Ein Text, den das Modell nicht nimmt"]), "drei.md");
  const headers = { authorization: `Bearer ${app.server.token}` };
  const path = `${app.server.url}/api/v1/documents`;
  await fetch(path, { method: "POST", headers, body: form });
  const german = await app.openSignedIn({ locale: "de-DE" });
  await german.goto("/admin/system");
  await german.getByRole("cell", { name: "Fällige Automatisierungen" }).waitFor();
  await german.goto("/admin/queues");
  const queue = german
    .getByRole("row")
    .filter({ hasText: "Dokumente durchsuchbar machen" });
  await expect
    .poll(async () => {
      await german.reload();
      await queue.waitFor();
      return queue.getByRole("link", { name: "1: ansehen" }).count();
    })
    .toBe(1);
  await queue.getByRole("link", { name: "1: ansehen" }).click();
  await german.getByText("Das Suchmodell weist").first().waitFor();
  await german.goto("/admin/audit?action=group.created");
  await german.getByRole("link", { name: "hat die Gruppe" }).first().waitFor();
  expect(app.problems).toEqual([]);
});

test("the log is narrowed by what was done and exported, by keyboard", async () => {
  await app.server.request("/api/v1/groups", { body: { name: "\u202Etxt.<b>exe" } });
  await page.goto("/admin/audit");
  await page.getByRole("link", { name: "created the group" }).first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/action=group.created/);
  await page.getByText("1 entries").or(page.getByText("entries")).first().waitFor();
  const address = await page
    .getByRole("link", { name: "Export as CSV" })
    .getAttribute("href");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as CSV" }).focus();
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  expect(address).toContain("action=group.created");
  await page.getByRole("button", { name: "Show all" }).click();
  await page.waitForURL(/\/admin\/audit$/);
  expect(app.problems).toEqual([]);
});

test("health, jobs, parsers and the search index are read on a phone", async () => {
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true, isMobile: true });
  const openPart = async (from: string, to: string) => {
    await phone.getByRole("button", { name: `Administration: ${from}` }).tap();
    await phone.getByRole("link", { name: to }).tap();
  };
  await phone.goto("/admin");
  await openPart("Overview", "System health");
  await phone.getByText(/^Version /).waitFor();
  await phone.getByRole("table", { name: "Background jobs" }).waitFor();
  await openPart("System health", "Parsing");
  await phone.getByText("asked first").waitFor();
  await openPart("Parsing", "Search index");
  await phone.getByText("openai").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("a service that does not answer is named where its jobs are missing", async () => {
  await page.route("**/api/v1/health", async (route) => {
    const response = await route.fetch();
    const health = (await response.json()) as object;
    await route.fulfill({ response, json: { ...health, unreachable: ["parser"] } });
  });
  await page.goto("/admin/system");
  await page.getByText("No answer from File reading (parser)").waitFor();
  await page.getByRole("table", { name: "Background jobs" }).waitFor();
  await page.unroute("**/api/v1/health");
  expect(app.problems).toEqual([]);
});

test("a name, a colour and a notice are chosen, and seen before the sign-in", async () => {
  await page.goto("/admin/branding");
  await page.getByLabel("Name", { exact: true }).fill("Acme <b>Assistant</b>");
  await page.getByLabel("A colour of our own").check();
  await page.getByLabel("Colour", { exact: true }).fill("#7a2048");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("navigation").getByText("Acme <b>Assistant</b>").waitFor();
  await page.getByLabel("Text").fill("Maintenance on Sunday");
  await page.getByRole("button", { name: "Show the notice" }).click();
  await page.getByRole("status").getByText("Maintenance on Sunday").waitFor();
  const title = "Branding and notice – Acme <b>Assistant</b>";
  await expect.poll(() => page.title()).toBe(title);

  const stranger = await app.open();
  await stranger.goto("/sign-in");
  await stranger.getByRole("heading", { name: "Acme <b>Assistant</b>" }).waitFor();
  await stranger.getByText("Maintenance on Sunday").waitFor();
  await page.getByRole("button", { name: "Take it away" }).click();
  await page
    .getByRole("status")
    .getByText("Maintenance on Sunday")
    .waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});
