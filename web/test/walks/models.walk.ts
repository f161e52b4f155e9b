import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { actionsOf } from "../support/actions-of.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { look } from "../support/look.ts";
import { showPage } from "../support/show-page.ts";

const HOSTILE = '<img src=x onerror="alert(1)">\u202Egnp';
const LISTED = ["big-chat", "small-chat", "text-embedding-3-small", HOSTILE];

let app: App;
let page: Page;
let lister: Server;
let address: string;
beforeAll(async () => {
  lister = createServer((request, answer) => {
    const isKnown = request.headers.authorization === "Bearer right";
    answer.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    answer.end(JSON.stringify({ data: LISTED.map((id) => ({ id })) }));
  });
  await new Promise<void>((resolve) => lister.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(lister.address() as AddressInfo).port}/v1`; // it listens on TCP
  app = await startApp();
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await new Promise((resolve) => lister.close(resolve));
});

const row = (name: string) => page.getByRole("row").filter({ hasText: name });
const choose = async (whose: string, action: string) => {
  await actionsOf(page, whose).click();
  await page.getByRole("menuitem", { name: action }).click();
};

test("a provider is tested before it is saved, and its models are offered", async () => {
  await page.goto("/admin/models/providers");
  await page.getByRole("button", { name: "Connect a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption("openai-compatible");
  await dialog.getByLabel(/^Base URL/).fill(address);
  await dialog.getByLabel(/^API key/).fill("wrong");
  await dialog.getByRole("button", { name: "Test the connection" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel(/^API key/).fill("right");
  await dialog.getByRole("button", { name: "Test the connection" }).click();
  await dialog.getByLabel("text-embedding-3-small").check();
  await dialog.getByRole("button", { name: "Use these 2 models" }).click();
  await page.getByText("Connected.").waitFor();

  await page.getByRole("link", { name: "Models", exact: true }).last().click();
  await row("big-chat").getByText("Ready").waitFor();
  // its provider does not say it
  await row("big-chat").getByText("Images: not known", { exact: true }).waitFor();
  await row("text-embedding-3-small").getByText("Search index").waitFor();
  await page.getByRole("link", { name: "Providers" }).click();
  await choose("openai-compatible", "Add models");
  await dialog.getByLabel(/^<img/).check();
  await dialog.getByLabel("small-chat").uncheck();
  await dialog.getByRole("button", { name: "Use this model" }).click();
  await page.getByText("Added.").waitFor();
  expect(app.problems).toEqual([]);
});

test("a person says which files a model takes as they are, or that nobody knows", async () => {
  await showPage(page, "/admin/models/offered");
  const dialog = page.getByRole("dialog");
  const save = async () => {
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  const stored = async () => {
    const answer = await app.server.request("/api/v1/models/completion?limit=100");
    const { items } = (await answer.json()) as { items: { name: string }[] };
    return items.find(({ name }) => name === "big-chat");
  };
  await choose("big-chat", "Price and abilities");
  // its provider did not say it, and saving something else leaves that so
  await expect.poll(() => dialog.getByLabel("Reads images").inputValue()).toBe("unknown");
  await dialog.getByLabel("Reads PDFs").selectOption("Yes");
  await dialog.getByLabel("Hears recordings").selectOption("No");
  await look(page, "model-dialog");
  await save();
  expect(await stored()).toMatchObject({
    capabilities: { documents: true, audio: false, visionAssumed: true },
  });
  await row("big-chat").getByRole("img", { name: "Reads PDFs" }).waitFor();
  await choose("big-chat", "Price and abilities");
  await expect.poll(() => dialog.getByLabel("Reads PDFs").inputValue()).toBe("yes");
  await dialog.getByLabel("Reads images").selectOption("No");
  await dialog.getByLabel("Reads PDFs").selectOption("Not known");
  await dialog.getByLabel("Hears recordings").selectOption("Not known");
  await save();
  expect(await stored()).toMatchObject({ capabilities: { tools: true, vision: false } });
  expect(await stored()).not.toHaveProperty("capabilities.documents");
  expect(await stored()).not.toHaveProperty("capabilities.audio");
  expect(app.problems).toEqual([]);
});

test("in German, on a dark phone, the abilities of a model fit", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
    colorScheme: "dark",
  });
  await showPage(phone, "/admin/models/offered");
  await actionsOf(phone, /big-chat/).tap();
  await phone.getByRole("menuitem", { name: "Preis und Fähigkeiten" }).tap();
  const field = phone.getByRole("dialog").getByLabel("Hört Aufnahmen");
  await field.scrollIntoViewIfNeeded();
  await look(phone, "model-dialog-phone-de-dark");
  expect(await brokenRules(phone)).toEqual([]);
  await phone.context().close();
});

test("a model gets a price and becomes the default; its order is that of the list", async () => {
  await page.goto("/admin/models/offered");
  await choose("big-chat", "Price and abilities");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Input", { exact: true }).fill("0.5");
  await dialog.getByLabel("Output", { exact: true }).fill("1.5");
  await dialog.getByLabel("Cache writes", { exact: true }).fill("0.6");
  await dialog.getByLabel("Currency").fill("EUR");
  await dialog.getByLabel("Reads images").selectOption("Yes");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row("big-chat").getByText("€0.50 / €1.50").waitFor();
  const list = await app.server.request("/api/v1/available-models?limit=100");
  const { items: priced } = (await list.json()) as { items: { displayName: string }[] };
  expect(priced.find(({ displayName }) => displayName === "big-chat")).toMatchObject({
    pricing: { inputPerMillion: 0.5, cacheWriteInputPerMillion: 0.6 },
  });
  await choose("big-chat", "Make default");
  await row("big-chat").getByText("Default").waitFor();
  const answer = await app.server.request("/api/v1/available-models/selections/completion");
  const [first] = ((await answer.json()) as { items: { displayName: string }[] }).items;
  expect(first?.displayName).toBe("big-chat");
  await choose("big-chat", "Disable");
  await row("big-chat").getByText("Disabled").waitFor();
  await row("gpt-test").getByText("Default").waitFor();
  expect(app.problems).toEqual([]);
});

test("an embedding model gets prefixes of its own, or again those of its name", async () => {
  await page.goto("/admin/models/offered");
  const dialog = page.getByRole("dialog");
  const usual = dialog.getByLabel(/^Usual words/);
  await choose("text-embedding-3-small", "Price and abilities");
  await expect.poll(() => usual.isChecked()).toBe(true);
  await usual.uncheck();
  await dialog.getByLabel("Before a question", { exact: true }).fill("question: ");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const read = async () => {
    const answer = await app.server.request("/api/v1/models/embedding");
    const { items } = (await answer.json()) as { items: object[] };
    return items[0];
  };
  expect(await read()).toMatchObject({ queryPrefix: "question: ", passagePrefix: "" });
  await choose("text-embedding-3-small", "Price and abilities");
  const question = dialog.getByLabel("Before a question", { exact: true });
  await expect.poll(() => question.inputValue()).toBe("question: ");
  await usual.check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await read()).not.toHaveProperty("queryPrefix");
  expect(app.problems).toEqual([]);
});

test("fallbacks are named in their order, and taken out again", async () => {
  await page.goto("/admin/models/offered");
  const dialog = page.getByRole("dialog");
  const fallback = (place: number) => dialog.getByLabel(`Fallback ${place}`);
  const shown = () =>
    dialog
      .getByLabel(/^Fallback/)
      .evaluateAll((fields) =>
        fields.map((field) => (field as unknown as { value: string }).value),
      );
  const stored = async () => {
    const answer = await app.server.request("/api/v1/available-models/openai%2Fgpt-test");
    return ((await answer.json()) as { fallbacks: string[] }).fallbacks;
  };
  await choose("gpt-test", "Price and abilities");
  const offered = (place: number) => fallback(place).locator("option").allTextContents();
  await expect.poll(async () => (await offered(1)).length).toBeGreaterThan(2);
  // a model is no fallback of its own, and each is named once
  const [, chosen = ""] = await offered(1);
  expect(await offered(1)).not.toContain("gpt-test");
  await fallback(1).selectOption({ index: 1 });
  expect(await offered(2)).not.toContain(chosen);
  await fallback(2).selectOption({ index: 1 });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await stored()).toHaveLength(2);
  const [first, next] = await stored();
  await choose("gpt-test", "Price and abilities");
  await expect.poll(shown).toEqual([first, next, ""]);
  await fallback(1).selectOption("");
  await expect.poll(shown).toEqual([next, ""]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await stored()).toEqual([next]);
  expect(app.problems).toEqual([]);
});

test("a model behind the first hundred is offered as a fallback, too", async () => {
  const add = (path: string, body: object) =>
    app.server.request(path, { method: "POST", body });
  const many = Array.from({ length: 110 }, (_, at) => `many-${at + 1}`);
  for (const id of many) {
    const model = { id, name: id, kind: "completion", capabilities: { tools: true } };
    expect((await add("/api/v1/models", model)).status).toBe(201);
    const offer = { modelId: id, providerName: "openai", providerModelId: id };
    const added = await add("/api/v1/available-models", { id: `openai/${id}`, ...offer });
    expect(added.status).toBe(201);
  }
  await page.goto("/admin/models/offered");
  const dialog = page.getByRole("dialog");
  const stored = async () => {
    const answer = await app.server.request("/api/v1/available-models/openai%2Fgpt-test");
    return ((await answer.json()) as { fallbacks: string[] }).fallbacks;
  };
  await choose("gpt-test", "Price and abilities");
  const field = dialog.getByLabel("Fallback 1");
  const offered = () =>
    field
      .locator("option")
      .evaluateAll((options) =>
        options.map((option) => (option as unknown as { value: string }).value),
      );
  await expect
    .poll(offered)
    .toEqual(expect.arrayContaining(many.map((id) => `openai/${id}`)));
  await field.selectOption("openai/many-110");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await stored())[0]).toBe("openai/many-110");
  for (const id of many) {
    const gone = await app.server.request(`/api/v1/available-models/openai%2F${id}`, {
      method: "DELETE",
    });
    expect(gone.status).toBeLessThan(300);
  }
  await expect.poll(stored).toEqual([]);
  expect(app.problems).toEqual([]);
});

test("fallbacks share the load by their weights, until that is taken back", async () => {
  await page.goto("/admin/models/offered");
  const dialog = page.getByRole("dialog");
  const save = async () => {
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const answer = await app.server.request("/api/v1/available-models/openai%2Fgpt-test");
    return (await answer.json()) as { fallbacks: string[]; loadSharing?: object };
  };
  await choose("gpt-test", "Price and abilities");
  const sharing = dialog.getByLabel("How it is shared");
  await dialog.getByLabel("Fallback 1").selectOption({ index: 1 });
  await sharing.selectOption("By weight");
  await dialog.getByLabel("Its own weight").fill("3");
  await dialog.getByLabel(/^Weight of/).fill("2");
  await look(page, "load-sharing");
  const { fallbacks, loadSharing } = await save();
  expect(loadSharing).toEqual({
    by: "weight",
    weight: 3,
    with: [{ id: fallbacks[0], weight: 2 }],
  });
  await choose("gpt-test", "Price and abilities");
  await expect.poll(() => dialog.getByLabel(/^Weight of/).inputValue()).toBe("2");
  await sharing.selectOption({ index: 0 });
  await dialog.getByLabel(/^Weight of/).waitFor({ state: "detached" });
  expect(await save()).not.toHaveProperty("loadSharing");
  expect(app.problems).toEqual([]);
});

test("default parameters are set, shown again, and taken back", async () => {
  await page.goto("/admin/models/offered");
  const dialog = page.getByRole("dialog");
  const save = async () => {
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const answer = await app.server.request("/api/v1/available-models/openai%2Fgpt-test");
    return (await answer.json()) as { parameters?: object };
  };
  await choose("gpt-test", "Price and abilities");
  const temperature = dialog.getByLabel("Temperature where nobody says one");
  await temperature.fill("0.3");
  await dialog.getByText("Default parameters").click();
  await dialog.getByLabel("Reasoning effort").selectOption("low");
  await dialog.getByLabel("Seed").fill("7");
  await look(page, "default-parameters");
  const parameters = { temperature: 0.3, reasoningEffort: "low", seed: 7 };
  expect((await save()).parameters).toEqual(parameters);
  await choose("gpt-test", "Price and abilities");
  await expect.poll(() => dialog.getByLabel("Seed").inputValue()).toBe("7");
  await dialog.getByLabel("Seed").fill("");
  await dialog.getByLabel("Reasoning effort").selectOption("");
  await temperature.fill("");
  expect(await save()).not.toHaveProperty("parameters");
  expect(app.problems).toEqual([]);
});

test("a stored key is never shown, and stays while the address stays", async () => {
  await page.goto("/admin/models/providers");
  await choose("openai-compatible", "Change address and key");
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.getByLabel(/^API key/).inputValue()).toBe("•••");
  await dialog.getByLabel("Name", { exact: true }).fill("Own server");
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await page.getByText("Own server").waitFor();
  await choose("Own server", "Change address and key");
  await dialog.getByLabel(/^Base URL/).fill(address.replace("127.0.0.1", "localhost"));
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await dialog.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  expect(app.problems).toEqual([]);
});

test("on a phone, by touch, a provider is tested and deleted with its models", async () => {
  const phone = await app.openSignedIn({ viewport: PHONE, hasTouch: true });
  await phone.goto("/admin/models/providers");
  const open = async (action: string) => {
    await actionsOf(phone, "Own server").tap();
    await phone.getByRole("menuitem", { name: action }).tap();
  };
  await open("Test the connection");
  await phone.getByText(/offers 4 models/).waitFor();
  await phone.getByRole("button", { name: "Close" }).tap();
  await open("Delete");
  await phone.getByRole("dialog").getByRole("button", { name: "Delete" }).tap();
  await actionsOf(phone, "Own server").waitFor({ state: "detached" });
  await phone.goto("/admin/models/offered");
  await phone.getByText("gpt-test").first().waitFor();
  expect(await phone.getByText("big-chat").count()).toBe(0);
  expect(app.problems).toEqual([]);
});
