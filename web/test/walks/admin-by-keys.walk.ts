import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newPerson } from "../../../test/support/ask.ts";
import {
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "../../../test/support/fake-langflow/start-fake-langflow.ts";
import { flowAsks } from "../../../test/support/flow-server.ts";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { actionsOf } from "../support/actions-of.ts";
import { type App, DESKTOP, startApp } from "../support/app.ts";
import { type ListingProvider, startListingProvider } from "../support/listing-provider.ts";
import { chooseItem, enterOn, hasFocus, tabTo, typeInto } from "../support/tab-to.ts";

/** Every page of administration by keys alone: each is reached by Tab, and one thing done on it. */
let app: App;
let page: Page;
/** A server of embedding models that refuses every request. */
let vectors: Server;
let provider: ListingProvider;
let tools: ToolServer;
let langflow: Awaited<ReturnType<typeof startFakeLangflow>>;
beforeAll(async () => {
  vectors = createServer((_, response) => response.writeHead(401).end("{}"));
  await new Promise<void>((done) => vectors.listen(0, "127.0.0.1", done));
  const { port } = vectors.address() as AddressInfo; // of a TCP server
  langflow = await startFakeLangflow();
  tools = await startToolServer({
    look: { description: "Reads a page", run: () => text("seen") },
  });
  app = await startApp({
    withModel: false,
    env: {
      EMBEDDING_PROVIDER: "openai",
      EMBEDDING_BASE_URL: `http://127.0.0.1:${port}`,
      EMBEDDING_DIMENSIONS: "4",
      FLOWENGINE_BASE_URL: langflow.url,
      FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
    },
  });
  provider = await startListingProvider("town-model", app.provider.url);
  await newPerson(app.server, "Beth");
  page = await app.openSignedIn();
  await page.goto("/");
}, 300_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await langflow[Symbol.asyncDispose]();
  vectors.close();
});
beforeEach(() => {
  app.problems.length = 0;
});

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string | RegExp) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });
const link = (name: string | RegExp) => page.getByRole("link", { name, exact: true });
const press = (key: string) => page.keyboard.press(key);

/** Opens a part of administration by its links. */
async function open(part: string): Promise<void> {
  await enterOn(page, page.getByRole("button", { name: /^Account: / }));
  await chooseItem(page, "Administration");
  const parts = page.getByRole("navigation", { name: "Administration" });
  await enterOn(page, parts.getByRole("link", { name: part, exact: true }));
}

test("users: one is created and found, and gets another role", async () => {
  await open("Users");
  await enterOn(page, button("Create user"));
  await typeInto(page, page.getByRole("dialog").getByLabel("Name"), "Cleo Carpenter");
  await typeInto(page, page.getByRole("dialog").getByLabel("Email"), "cleo@test.example");
  await press("Enter");
  await page.getByRole("dialog").locator("output").waitFor();
  await enterOn(page, inDialog("Done"));
  await typeInto(page, page.getByLabel("Search by name or email"), "carpenter");
  await page.waitForURL(/q=carpenter/);
  await enterOn(page, link("Cleo Carpenter"));
  await tabTo(page, page.getByLabel(/^Reader/));
  await press("Space");
  await enterOn(page, button("Save"));
  await page.getByText("Saved.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("groups: one is created, and somebody becomes a member", async () => {
  await open("Groups");
  await enterOn(page, button("Create group"));
  await typeInto(
    page,
    page.getByRole("dialog").getByLabel("Name", { exact: true }),
    "Harbour",
  );
  await press("Enter");
  await page.getByRole("heading", { name: "Harbour" }).waitFor();
  await typeInto(page, page.getByLabel("Add somebody by name or email"), "cleo");
  await enterOn(page, button(/Cleo Carpenter/));
  await page.getByRole("list", { name: "Members" }).getByText("added here").waitFor();
  expect(app.problems).toEqual([]);
});

test("roles: one is created with a permission", async () => {
  await open("Roles");
  await enterOn(page, button("Create role"));
  await typeInto(page, page.getByLabel("Name", { exact: true }), "auditor");
  const permission = page.getByLabel(/^Read and export the audit log/);
  await tabTo(page, permission);
  await page.keyboard.type("Allow");
  expect(await permission.inputValue()).toBe("allow");
  await enterOn(page, button("Create role"));
  await page.getByText("The role auditor exists now.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("models: a provider is tested and connected", async () => {
  await open("Models");
  await enterOn(page, page.getByRole("main").getByRole("link", { name: "Providers" }));
  await enterOn(page, button("Connect a provider"));
  const dialog = page.getByRole("dialog");
  const kind = dialog.getByLabel("Provider");
  await tabTo(page, kind);
  for (let step = 0; step < 20; step += 1) {
    if ((await kind.inputValue()) === "openai-compatible") break;
    await press("ArrowDown");
  }
  await typeInto(page, dialog.getByLabel(/^Base URL/), provider.url);
  await typeInto(page, dialog.getByLabel(/^API key/), "key");
  await enterOn(page, inDialog("Test the connection"));
  await enterOn(page, inDialog("Use this model"));
  await page.getByText("Connected.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("tool servers: one is added and disabled", async () => {
  await open("Tool servers");
  await enterOn(page, button("Add server"));
  const dialog = page.getByRole("dialog");
  await typeInto(page, dialog.getByLabel("Name", { exact: true }), "town");
  await typeInto(page, dialog.getByLabel("Address"), tools.url);
  await enterOn(page, inDialog("Add server"));
  await page.getByText("Ready", { exact: true }).waitFor();
  await enterOn(page, actionsOf(page, "town"));
  await chooseItem(page, "Disable");
  await page.getByText("Disabled", { exact: true }).waitFor();
  expect(app.problems).toEqual([]);
});

test("branding: a notice is shown and taken away", async () => {
  await open("Branding and notice");
  await typeInto(page, page.getByLabel("Text"), "Maintenance on Sunday");
  await enterOn(page, button("Show the notice"));
  const notice = page.getByRole("status").getByText("Maintenance on Sunday");
  await notice.waitFor();
  await enterOn(page, button("Take it away"));
  await notice.waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("parsing and health: both are opened and read to the end", async () => {
  await open("Parsing");
  await page.getByRole("heading", { name: "Formats" }).waitFor();
  await open("System health");
  await page.getByRole("table", { name: "Background jobs" }).waitFor();
  await expect.poll(() => hasFocus(link("System health"))).toBe(true);
  // the last row is below the window: keys scroll to it, as the page has nothing else to focus
  await press("End");
  const last = page.getByRole("row").last();
  const isInView = async () => {
    const { y = -1, height = 0 } = (await last.boundingBox()) ?? {};
    return y >= 0 && y + height <= DESKTOP.height;
  };
  await expect.poll(isInView).toBe(true);
  expect(app.problems).toEqual([]);
});

test("queues: a failed message is read, tried again and deleted", async () => {
  const form = new FormData();
  form.set("file", new Blob(["A text that no model takes"]), "one.md");
  const headers = { authorization: `Bearer ${app.server.token}` };
  const address = `${app.server.url}/api/v1/documents`;
  await fetch(address, { method: "POST", headers, body: form });
  await open("Queues");
  await enterOn(page, link("1: look"));
  await enterOn(page, page.getByText("Message", { exact: true }));
  await page.getByText("documentId").first().waitFor();
  await enterOn(page, button("Try again"));
  await page.getByText("1 message is tried again.").first().waitFor();
  // until the model has refused it again
  const isBack = async () => {
    await page.reload();
    await page.getByText("Nothing failed").or(button("Delete all")).first().waitFor();
    return button("Delete all").count();
  };
  await expect.poll(isBack).toBe(1);
  await enterOn(page, button("Delete all"));
  await enterOn(page, inDialog("Delete all"));
  await page.getByText("Nothing failed").waitFor();
  expect(app.problems).toEqual([]);
});

test("search index: another model is tested and chosen", async () => {
  await open("Search index");
  await enterOn(page, button(/^Test hashed-words/));
  await enterOn(page, inDialog("Use this model"));
  const row = page.getByRole("listitem").filter({ hasText: "hashed-words" });
  await row.getByText("in use", { exact: true }).waitFor();
  expect(app.problems).toEqual([]);
});

test("locks: somebody's lock is released", async () => {
  const made = await app.server.request("/api/v1/agent", { body: { name: "Style" } });
  const { id } = (await made.json()) as { id: string };
  await app.server.request(`/api/v1/sharing/locks/agent/${id}`, { method: "POST" });
  await open("Locks");
  await enterOn(page, button(/^Release the lock/));
  await enterOn(page, inDialog(/^Release the lock/));
  await page.getByText("Nobody edits anything right now").waitFor();
  expect(app.problems).toEqual([]);
});

test("audit log: it is narrowed, read and exported", async () => {
  await open("Audit log");
  await tabTo(page, page.getByLabel("What was done"));
  await page.keyboard.press("G"); // of what is listed, only groups begin so
  await page.waitForURL(/action=group/);
  const accounts = page.getByRole("link", { name: "created the account of" });
  await accounts.first().waitFor({ state: "detached" });
  await enterOn(page, page.getByRole("link", { name: "created the group" }));
  await page.waitForURL(/action=group.created/);
  const details = page.getByText(/^Details/).first();
  await enterOn(page, details);
  await page.getByText("Harbour").first().waitFor();
  const download = page.waitForEvent("download");
  await enterOn(page, link("Export as JSON"));
  expect((await download).suggestedFilename()).toMatch(/json/);
  expect(app.problems).toEqual([]);
});

test("flow permissions: a flow is granted and revoked", async () => {
  await flowAsks(() => app.server).newFlow(app.server.token);
  await open("Flow permissions");
  await page.getByText("No flow is granted yet.").waitFor();
  const choose = async (label: string, words: string, name: RegExp) => {
    await typeInto(page, page.getByRole("searchbox", { name: label, exact: true }), words);
    await enterOn(page, button(name).first());
  };
  await choose("Flow", "flow", /^Flow /);
  await choose("Person or group", "beth", /^Beth/);
  await enterOn(page, button("Grant"));
  await page
    .getByText(/Beth.* may run the flow/)
    .first()
    .waitFor();
  await enterOn(page, button(/^Revoke Flow/));
  await page.getByText("No flow is granted yet.").waitFor();
  expect(app.problems).toEqual([]);
});
