import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson } from "../../../test/support/ask.ts";
import {
  type FakeLangflow,
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "../../../test/support/fake-langflow/start-fake-langflow.ts";
import { flowAsks } from "../../../test/support/flow-server.ts";
import { type App, PHONE, startApp } from "../support/app.ts";

let langflow: FakeLangflow;
let app: App;
let page: Page;
let anne: { id: string; token: string };
beforeAll(async () => {
  langflow = await startFakeLangflow();
  app = await startApp({
    withModel: false,
    env: {
      FLOWENGINE_BASE_URL: langflow.url,
      FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
    },
  });
  anne = await newPerson(app.server, "Anne");
  page = await app.openSignedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await langflow[Symbol.asyncDispose]();
});
const asks = () => flowAsks(() => app.server);

test("a flow is run with an input that survives a reload, and its output streams in", async () => {
  await page.goto("/flows");
  await page.getByText("No flows yet").waitFor();
  await asks().newFlow(app.server.token);
  await page.reload();
  await page.getByRole("link", { name: /^Flow / }).click();
  await page.getByLabel("Input").fill("hello there");
  await page.reload();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { name: "Output" }).waitFor();
  await page.getByText(/^took /).waitFor();
  await page.locator(".markdown").getByText("hello there").waitFor();
  expect(app.problems).toEqual([]);
});

test("a person's account at Langflow is shown, its password only when asked for", async () => {
  await page.goto("/flows/account");
  await page.getByText(/^parlance-/).waitFor();
  await page.getByText("You get a key with the first flow").waitFor();
  await page.getByText(/Langflow .* answers/).waitFor();
  await page.getByText("••••••••••••").waitFor();
  await page.getByRole("button", { name: "Show: Password" }).press("Enter");
  await page.getByText("••••••••••••").waitFor({ state: "detached" });
  expect(app.problems).toEqual([]);
});

test("an administrator grants a flow by keys alone, sees who has it, and revokes it", async () => {
  await page.goto("/admin/flows");
  await page.getByText("No flow is granted yet.").waitFor();
  const choose = async (label: string, words: string, name: RegExp) => {
    await page.getByRole("searchbox", { name: label, exact: true }).focus();
    await page.keyboard.type(words);
    await page.getByRole("button", { name }).first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  };
  await choose("Flow", "flow", /^Flow /);
  await choose("Person or group", "anne", /^Anne/);
  await page.getByRole("button", { name: "Grant", exact: true }).press("Enter");
  await page.getByText(/Anne.* may run the flow/).waitFor();
  const row = page.getByRole("row").filter({ hasText: "Anne" });
  await row.waitFor();
  const { items } = (await asks().flows("GET", "/flows", { token: anne.token })).body;
  expect(items).toHaveLength(1);
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByText("No flow is granted yet.").waitFor();
  expect(app.problems).toEqual([]);
});

test("on a phone a flow is run by touch", async () => {
  const phone = await app.openSignedIn({
    viewport: PHONE,
    hasTouch: true,
    locale: "de-DE",
  });
  await phone.goto("/flows");
  await phone.getByRole("link", { name: /^Flow / }).tap();
  await phone.getByLabel("Eingabe").fill("hallo");
  await phone.getByRole("button", { name: "Ausführen" }).tap();
  await phone.locator(".markdown").getByText("hallo").waitFor();
  expect(app.problems).toEqual([]);
  await phone.context().close();
});
