import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type App, PHONE, startApp } from "../support/app.ts";
import { brokenRules } from "../support/broken-rules.ts";
import { showPage } from "../support/show-page.ts";

const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe';
const MODELS = { quick: "Quick vectors", slow: HOSTILE, broken: "Broken vectors" };

let app: App;
let page: Page;
let models: Server;
/** The slow model reads the first document when the test lets it. */
let release = () => {};
/** The slow model finds the second document too long. */
const TOO_LONG = "tide";
const released = new Promise<void>((done) => (release = done));
beforeAll(async () => {
  models = createServer((request, answer) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", async () => {
      const { model, input } = JSON.parse(text) as { model: string; input: string[] };
      if (model === "broken") return void answer.writeHead(401).end();
      if (model === "slow" && text.includes(TOO_LONG))
        return void answer.writeHead(413).end();
      if (model === "slow" && text.includes("harbour")) await released;
      const data = input.map((_, index) => ({ index, embedding: [1, index, 0, 1] }));
      answer.writeHead(200, { "content-type": "application/json" });
      answer.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((done) => models.listen(0, "127.0.0.1", done));
  app = await startApp();
  await fillCatalogue();
  page = await app.openSignedIn();
});
afterAll(async () => {
  release();
  await app[Symbol.asyncDispose]();
  models.closeAllConnections();
  models.close();
});

/** Three embedding models, and a document in one chunk. */
async function fillCatalogue(): Promise<void> {
  const post = (path: string, body: object) =>
    app.server.request(`/api/v1${path}`, { body });
  const { port } = models.address() as AddressInfo; // it listens on a port
  const config = { baseUrl: `http://127.0.0.1:${port}/v1` };
  await post("/model-providers", {
    name: "vectors",
    displayName: "Vectors of ours",
    kind: "openai-compatible",
    config,
  });
  for (const [id, name] of Object.entries(MODELS)) {
    await post("/models", { id, name, kind: "embedding" });
    await post("/available-models", {
      modelId: id,
      providerName: "vectors",
      providerModelId: id,
    });
  }
  await upload("lamp.md", "A lamp of the harbour.");
}

/** Uploads a document, and waits until it can be searched. */
async function upload(name: string, content: string): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob([content]), name);
  await fetch(`${app.server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.server.token}` },
    body: form,
  });
  const stored = async () => {
    const answer = await app.server.request("/api/v1/documents");
    const { items } = (await answer.json()) as {
      items: { fileName: string; status: string }[];
    };
    return items.find(({ fileName }) => fileName === name)?.status;
  };
  const isStored = async () => expect(await stored()).toBe("PROCESSED");
  await vi.waitFor(isStored, { timeout: 90_000, interval: 200 });
}

const row = (of: Page, name: string) => of.getByRole("listitem").filter({ hasText: name });

test("a model is tested and chosen, its progress is seen, and the change is cancelled", async () => {
  await showPage(page, "/admin/embedding");
  await row(page, "hashed-words-v1").getByText("in use").waitFor();
  await page.getByRole("button", { name: "Test Broken vectors" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("alert").getByText("refused its credential").waitFor();
  expect(await dialog.getByRole("button", { name: "Use this model" }).count()).toBe(0);
  await page.keyboard.press("Escape");

  await row(page, "<img src=x").getByRole("button").click();
  await dialog.getByText(/^It answers: 4 dimensions in \d+ ms\.$/).waitFor();
  await dialog.getByText("before it takes over: 1.").waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Use this model" }).click();
  await page.getByText("0 of 1 chunks").waitFor();
  await row(page, "<img src=x").getByText("takes over", { exact: true }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel the change" }).click();
  await dialog.getByRole("button", { name: "Cancel the change" }).click();
  release();
  await page.getByText("stays in use.").first().waitFor();
  await page.getByText("0 of 1 chunks").waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("by keyboard alone a model is chosen that takes over", async () => {
  await showPage(page, "/admin/embedding");
  await page.getByRole("button", { name: "Test Quick vectors" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Use this model" }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Use this model");
  await page.keyboard.press("Enter");
  await row(page, "Quick vectors").getByText("in use", { exact: true }).waitFor();
  await page.getByRole("definition").filter({ hasText: "quick" }).waitFor();
  expect(app.problems).toEqual([]);
});

test("on a phone, in German, the page fits and the test is read", async () => {
  const options = { viewport: PHONE, hasTouch: true, isMobile: true, locale: "de-DE" };
  const phone = await app.openSignedIn(options);
  await showPage(phone, "/admin/embedding");
  await row(phone, "Quick vectors").getByText("in Gebrauch").waitFor();
  await phone.getByRole("button", { name: "Quick vectors prüfen" }).tap();
  await phone.getByText(/^Es antwortet: 4 Dimensionen in /).waitFor();
  expect(await brokenRules(phone)).toEqual([]);
  const excess = await phone.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(excess).toBe(0);
  expect(app.problems).toEqual([]);
});

test("what the new model refuses is counted, also after it was tried again", async () => {
  await upload("tide.md", `The ${TOO_LONG} comes twice a day.`);
  await showPage(page, "/admin/embedding");
  const choose = async (action: string) => {
    await row(page, "<img src=x").getByRole("button").click();
    await page.getByRole("dialog").getByRole("button", { name: action }).click();
  };
  await choose("Use this model");
  await row(page, "<img src=x").getByText("in use", { exact: true }).waitFor();
  const refused = page.getByText(/^Chunks too long for it/);
  await refused.waitFor();
  await choose("Try these chunks again");
  await refused.waitFor({ state: "detached" });
  await refused.waitFor();
  expect(app.problems).toEqual([]);
});
