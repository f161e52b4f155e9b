import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";

/** Who answers, and what may be used: the menus of the composer. */

/** One point. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let app: App;
let town: ToolServer;
beforeAll(async () => {
  town = await startToolServer({
    look_up: {
      annotations: { title: "Look it up", readOnlyHint: true },
      run: () => text("seen"),
    },
  });
  app = await startApp({
    env: { MCP_SERVERS: JSON.stringify([{ name: "town", url: town.url }]) },
  });
  const ask = async (path: string, body: object) => {
    const { status } = await app.server.request(`/api/v1${path}`, { body });
    expect([path, status]).toEqual([path, 201]);
  };
  await ask("/model-providers", {
    name: "harbour",
    displayName: "Harbour models",
    kind: "openai",
    config: { apiKey: "key", baseUrl: app.provider.url },
  });
  for (const [id, vision] of [
    ["blind", false],
    ["unknown", null],
    ["seeing", true],
  ] as const) {
    await ask("/models", { id, name: id, kind: "completion", capabilities: { vision } });
    await ask("/available-models", {
      modelId: id,
      providerName: "harbour",
      providerModelId: id,
      displayName: `Model ${id}`,
    });
  }
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await town[Symbol.asyncDispose]();
});
beforeEach(() => {
  app.problems.length = 0;
});

test("models stand below the name of their provider, the offline one at the end, as the keys go", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  await page.getByRole("button", { name: /^Who answers/ }).click();
  const models = page
    .getByRole("menuitemradio")
    .filter({ hasText: /gpt-test|Model|Offline/ });
  await expect.poll(() => models.count()).toBe(5);
  const menu = page.getByRole("menu");
  const words = (await menu.innerText()).split("\n");
  const named = [
    "OpenAI",
    "gpt-test",
    "Harbour models",
    "Model blind",
    "Model unknown",
    "Model seeing",
    "Built-in offline model",
    "Offline (no language model)",
  ];
  // each provider is named once, and not behind its models
  expect(words.filter((line) => named.includes(line))).toEqual(named);
  expect(words.join().match(/Harbour models/g)).toHaveLength(1);
  await look(page, "picker-groups-light-1400");
  await page.getByPlaceholder("Find an agent or a model").fill("harbour");
  await expect.poll(() => models.count()).toBe(3);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Who answers: Model unknown" }).waitFor();
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("a picture for a model that reads none is warned of before it is sent, and of no other", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  const choose = async (name: string) => {
    await page.getByRole("button", { name: /^Who answers/ }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  await choose("Model blind");
  await page
    .locator("form input[type=file]")
    .setInputFiles({ name: "point.png", mimeType: "image/png", buffer: PICTURE });
  await page.getByText(/Model blind.* does not read images/).waitFor();
  await look(page, "composer-image-warning-light-1400");
  await choose("Model unknown");
  await page.getByText(/does not read images/).waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
  await page.context().close();
});

test("what may be used is named with what it does, in one order, and stands beside the menu once it is on", async () => {
  const page = await app.openSignedIn();
  await page.goto("/");
  const form = page.locator("form");
  await form.getByRole("button", { name: "Tools", exact: true }).click();
  const items = page.getByRole("menuitemcheckbox");
  const canvas = items.filter({
    hasText: "The model writes texts beside the conversation",
  });
  await canvas.click();
  // by the titles of its tools
  const server = items.filter({ hasText: "town" });
  await server.getByText("Look it up").waitFor();
  await look(page, "composer-tools-light-1400");
  await page.keyboard.press("Escape");
  const chip = form.getByRole("button", { name: "Texts" });
  expect(await chip.getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("menu").waitFor({ state: "detached" });
  expect(await brokenRules(page)).toEqual([]);
  await chip.click();
  await chip.waitFor({ state: "detached" });
  await page.context().close();
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
  });
  await phone.goto("/");
  await phone.locator("form").getByRole("button", { name: "Werkzeuge" }).tap();
  await phone.getByRole("menuitemcheckbox").first().waitFor();
  const names = await phone.getByRole("menuitemcheckbox").allInnerTexts();
  const wide = ["Dokumente", "Web", "Code"];
  const first = names.map((lines) => lines.split("\n")[0] ?? "");
  expect(first.filter((name) => wide.includes(name))).toEqual(
    wide.filter((name) => first.includes(name)),
  );
  expect(first.slice(0, 2)).toEqual(["Dokumente", "Web"]);
  await look(phone, "composer-tools-german-390");
  // one is named where it was counted alone, several are drawn
  const composer = phone.locator("form");
  const choose = (name: string) =>
    phone.getByRole("menuitemcheckbox", { name: new RegExp(`^${name}`) }).tap();
  await choose("Texte");
  await phone.keyboard.press("Escape");
  const tools = composer.getByRole("button", { name: /^Werkzeuge 1 an: \W?Texte/ });
  await tools.getByText("Texte", { exact: true }).waitFor();
  await look(phone, "composer-tool-named-german-390");
  await tools.tap();
  await choose("Tabellen");
  await phone.keyboard.press("Escape");
  const both = composer.getByRole("button", { name: /^Werkzeuge 2 an: .*Texte.*Tabellen/ });
  await expect.poll(() => both.locator("svg").count()).toBe(2);
  await phone.getByRole("menu").waitFor({ state: "detached" }); // with its guards of the focus
  expect(await brokenRules(phone)).toEqual([]);
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
