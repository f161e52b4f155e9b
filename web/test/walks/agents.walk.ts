import { enterOn, tabTo } from "../support/tab-to.ts";
import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson } from "../../../test/support/ask.ts";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";

const HOSTILE = `<img src=x onerror=alert(1)>\u202E${"long ".repeat(34)}`.trim();

let app: App;
let tools: ToolServer;
let page: Page;
beforeAll(async () => {
  tools = await startToolServer({
    forecast: { description: "Tells the weather of tomorrow", run: () => text("sunny") },
    wipe: { annotations: { destructiveHint: true }, run: () => text("gone") },
  });
  app = await startApp({
    env: { MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]) },
  });
  // each version says what its instructions are
  app.provider.answer((_, { messages }) => {
    const system = String(messages[0]?.content);
    if (system.startsWith("Write a title")) return { text: ["Weather"] };
    return { text: ["Instructions: ", `**${system}**`], delayMs: 20 };
  });
  const form = new FormData();
  form.set("file", new Blob(["Bring an umbrella."]), "weather.txt");
  await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

const row = (name: string) => page.getByRole("listitem").filter({ hasText: name }).last();
const save = async (version: number) => {
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`Saved as version ${version}.`).first().waitFor();
};
/** For looking at, where a folder is named. */
const look = async (shown: Page, name: string) => {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await shown.screenshot({ path: `${folder}/agents-${name}.png`, animations: "disabled" });
};

test("an agent gets its tools and documents from lists; what is typed survives a reload", async () => {
  await page.goto("/agents");
  await page.getByRole("link", { name: "New agent" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Weather");
  await page.getByLabel("Instructions", { exact: true }).fill("Talk like a pirate.");
  await page.reload();
  await expect
    .poll(() => page.getByLabel("Name", { exact: true }).inputValue())
    .toBe("Weather");

  await page.getByRole("button", { name: "Choose an icon" }).click();
  await page.getByLabel("Or an emoji").fill("no");
  await page.getByRole("button", { name: "Use", exact: true }).click();
  await page.getByText("This is not one emoji.").waitFor();
  await page.getByLabel("Or an emoji").fill("⛅");
  await page.getByRole("button", { name: "Use", exact: true }).click();

  await page.getByLabel("Type").selectOption("cortex");
  await page.getByRole("button", { name: "Add tools" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Search by name").fill("fore");
  await dialog.getByLabel(/^wipe/).waitFor({ state: "detached" });
  await dialog.getByLabel(/^forecast/).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Add documents" }).click();
  await dialog.getByLabel(/^weather.txt/).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByLabel("Passages", { exact: true }).fill("7");
  await page.getByLabel("Approval").selectOption("always");
  await page.getByRole("button", { name: "Add a question" }).click();
  await page.getByLabel("Question 1", { exact: true }).fill("Will it rain?");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/agents\/[0-9a-f-]{36}$/);
  const { items } = (await (await app.server.request("/api/v1/agent")).json()) as {
    items: object[];
  };
  expect(items).toMatchObject([
    {
      name: "Weather",
      icon: "⛅",
      type: "cortex",
      tools: ["forecast"],
      files: [expect.any(String)],
      retrieval: { topK: 7 },
      approval: "always",
      starters: ["Will it rain?"],
    },
  ]);
  await look(page, "editor");
  expect(app.problems).toEqual([]);
});

test("versions differ word by word, answer side by side, and come back", async () => {
  await page.getByLabel("Type").selectOption("simple");
  await page.getByLabel("Instructions", { exact: true }).fill("Talk like a poet.");
  await save(2);
  await page.getByRole("link", { name: "Versions" }).click();
  await page.locator("ins", { hasText: "poet" }).waitFor();
  await page.locator("del", { hasText: "pirate" }).waitFor();
  await look(page, "versions");

  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByLabel("Question", { exact: true }).fill("How are you?");
  await page.getByRole("button", { name: "Ask both" }).click();
  const side = (version: number) =>
    page.getByRole("region", { name: `Version ${version}` });
  await side(1).getByText("Talk like a pirate.").waitFor();
  await side(2).getByText("Talk like a poet.").waitFor();
  await page.getByRole("link", { name: "Go on in the conversation" }).waitFor();
  await look(page, "comparison");

  // an answer without end is stopped on both sides
  app.provider.answer(() => ({ text: ["word "], fault: "stall", faultAfter: 1 }));
  await page.getByRole("button", { name: "Ask both" }).click();
  await side(1).getByText("word").waitFor();
  await side(2).getByText("word").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Ask both" }).waitFor();

  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByText("Version 1 is back, as version 3.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("who saves later sees what changed, and keeps the own words", async () => {
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Description", { exact: true }).fill("Mine");
  const id = /agents\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
  await app.server.request(`/api/v1/agent/${id}`, {
    method: "PATCH",
    body: { description: "Theirs", name: "Weather today" },
  });
  await page.getByText("Somebody saved version 4 while you were editing.").waitFor();
  await expect
    .poll(() => page.getByLabel("Name", { exact: true }).inputValue())
    .toBe("Weather today");
  await page.getByRole("button", { name: "Keep my changes" }).click();
  await save(5);
  const stored = await app.server.request(`/api/v1/agent/${id}`);
  expect(await stored.json()).toMatchObject({ name: "Weather today", description: "Mine" });
  expect(app.problems).toEqual([]);
});

test("an agent begins a conversation, with its questions", async () => {
  app.provider.answer(() => ({ text: ["It will."] }));
  await page.getByRole("link", { name: "Start a conversation" }).click();
  await page.getByRole("heading", { name: "Weather today" }).waitFor();
  await page.getByRole("button", { name: "Will it rain?" }).click();
  await look(page, "start");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("It will.").first().waitFor();
  await page.getByRole("button", { name: "Who answers: Weather today" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("many are put into a folder, deleted together and brought back", async () => {
  for (const name of ["One", "Two", HOSTILE])
    await app.server.request("/api/v1/agent", { body: { name, description: HOSTILE } });
  await page.goto("/agents?view=own");
  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name of the folder").fill("Numbers");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "Numbers" }).waitFor();
  await page.getByRole("checkbox", { name: "Choose One" }).check();
  await page.getByRole("checkbox", { name: "Choose Two" }).check();
  await page.getByRole("toolbar").getByRole("button", { name: "Move" }).click();
  await page.getByLabel("Move to").selectOption({ label: "Numbers" });
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await page.getByText("2 agents are moved.").first().waitFor();
  await look(page, "list");
  await page.getByRole("link", { name: "Numbers" }).click();
  await row("One").waitFor();
  await page.getByRole("checkbox", { name: "Choose One" }).check();
  await page.getByRole("checkbox", { name: "Choose all" }).check();
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await page.getByText("This folder is empty").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row("One").waitFor();
  await actionsOf(page, "Two").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("1 agent is in the trash.").first().waitFor();
  await page.goto("/trash/agents");
  await page.getByRole("button", { name: "Restore: Two" }).click();
  await page.getByText("The trash is empty").waitFor();
  expect(app.problems).toEqual([]);
});

test("by keyboard alone: find an agent, mark it, look at it", async () => {
  const bea = await newPerson(app.server, "bea-reads");
  const { items } = (await (
    await app.server.request("/api/v1/agent?query=one")
  ).json()) as {
    items: { id: string }[];
  };
  await app.server.request("/api/v1/sharing/share", {
    body: {
      resourceType: "agent",
      resourceId: items[0]?.id,
      shares: [{ subjectType: "user", subjectId: bea.id, accessRole: "viewer" }],
    },
  });
  const viewer = await app.open();
  await viewer.goto("/sign-in");
  await viewer.getByLabel("Email").fill("bea-reads@test.example");
  await viewer.getByLabel("Password").fill("a long enough password");
  await viewer.keyboard.press("Enter");
  await viewer.waitForURL(/\/(welcome)?$/);
  await viewer.goto("/agents");
  await viewer.getByLabel("Search by name").focus();
  await viewer.keyboard.type("one");
  await viewer.getByRole("link", { name: "One" }).waitFor();
  await expect
    .poll(() => viewer.getByRole("list", { name: "Agents" }).locator("li").count())
    .toBe(1);
  await viewer.getByText("shared by").waitFor();
  await tabTo(viewer, viewer.getByRole("button", { name: /Add .One. to the favourites/ }));
  await viewer.keyboard.press("Space");
  await viewer.getByRole("button", { name: /Remove .One. from the favourites/ }).waitFor();
  await enterOn(viewer, viewer.getByRole("link", { name: "One" }));
  await viewer.getByText("You may use this agent and look at it.").waitFor();
  expect(await viewer.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
  expect(app.problems).toEqual([]);
});

test("on a phone, by touch: an agent of a favourite answers", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await phone.goto("/agents");
  await phone
    .getByRole("button", { name: /Weather today. zu den Favoriten hinzufügen/ })
    .tap();
  await look(phone, "phone-list");
  const marked = phone.getByRole("list", { name: "Favoriten" });
  await phone
    .getByRole("button", { name: /Weather today. aus den Favoriten/ })
    .first()
    .waitFor();
  await phone.getByRole("link", { name: "Eigene" }).tap();
  await phone.waitForURL(/view=own/);
  await phone.getByRole("link", { name: "Alle", exact: true }).tap();
  await marked.getByRole("link", { name: "Weather today" }).waitFor();
  await look(phone, "phone-favorites");
  await marked.getByRole("link", { name: "Weather today" }).tap();
  await phone.getByRole("link", { name: "Unterhaltung beginnen" }).waitFor();
  await look(phone, "phone-editor");
  await phone.getByRole("link", { name: "Unterhaltung beginnen" }).tap();
  await phone.getByRole("button", { name: "Will it rain?" }).tap();
  await phone.getByRole("button", { name: "Senden" }).tap();
  await phone.getByText("It will.").first().waitFor();
  expect(app.problems).toEqual([]);
});

test("the built-in agents are named in the language of the reader", async () => {
  const german = await app.openSignedIn({ locale: "de-AT" });
  const name = "Zusammenfassung";
  await german.goto("/agents?view=organization");
  await german.getByRole("link", { name: "Lektorat" }).waitFor();
  await german.getByText("Beantwortet Fragen aller Art").waitFor();
  await german.goto("/agents?q=zusammenf");
  await german.getByRole("link", { name }).click();
  await german.getByRole("link", { name: "Unterhaltung beginnen" }).click();
  await german.getByText("Sagt in wenigen Sätzen").waitFor();
  await german
    .getByRole("button", { name: "Fassen Sie dieses Protokoll zusammen: …" })
    .waitFor();
  await german.getByRole("button", { name: `Wer antwortet: ${name}` }).click();
  await german.getByRole("menuitemradio", { name: /^Assistenz/ }).waitFor();
  expect(await german.getByText("Summariser").count()).toBe(0);
  await german.keyboard.press("Escape");
  await german.getByRole("button", { name: /^Konto:/ }).click();
  await german.getByRole("menuitemradio", { name: "English" }).click();
  await german.getByRole("button", { name: "Who answers: Summariser" }).waitFor();
  await german.getByRole("button", { name: "Summarise these minutes: …" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("without a flow provider, an administrator is led to where it says how to connect one", async () => {
  await page.goto("/agents/new");
  await page.getByLabel("Type").selectOption("workflow");
  await page.getByText("No flow provider is set up here.").waitFor();
  await page.getByRole("link", { name: "How to connect one" }).click();
  await page.getByText("Set FLOWENGINE_BASE_URL and FLOWENGINE_ADMIN_API_KEY").waitFor();
  expect(app.problems).toEqual([]);
});
