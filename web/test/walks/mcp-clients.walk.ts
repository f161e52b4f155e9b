import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askToken, codeForm, registerMcpClient } from "../../../test/support/mcp-client.ts";
import { ADMIN } from "../../../test/support/server.ts";
import { type App, PHONE, startApp } from "../support/app.ts";

let app: App;
let page: Page;
beforeAll(async () => {
  app = await startApp({ withModel: false });
  page = await app.openSignedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** For looking at, where a folder is named. */
const look = async (shown: Page, name: string) => {
  const folder = process.env["LOOK_DIR"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await shown.screenshot({ path: `${folder}/mcp-${name}.png`, animations: "disabled" });
};

test("a program asks, its user lets it use tools, and takes them from it again", async () => {
  const client = await registerMcpClient(app.server);
  const request = { ...client.request, scope: "tool:use tool:approve" };
  const address = `/oauth/authorize?${new URLSearchParams(request)}`;
  let back: URL | undefined;
  // nobody listens where the program would
  await page.route("http://127.0.0.1:9/**", async (route) => {
    back = new URL(route.request().url());
    await route.fulfill({ body: "You may close this window." });
  });
  await page.goto(address);
  const main = page.getByRole("main");
  await main.getByText('The program that calls itself "Editor" wants').waitFor();
  await main.getByText("a program on this machine (127.0.0.1:9)").waitFor();
  expect(await main.getByLabel("Run destructive tools unasked").isChecked()).toBe(false);
  await look(page, "authorize");
  await page.setViewportSize(PHONE);
  await look(page, "authorize-phone");
  await main.getByRole("button", { name: "Allow" }).click();
  await page.getByText("You may close this window.").waitFor();
  expect(back?.searchParams.get("state")).toBe(client.request["state"]);
  const code = back?.searchParams.get("code") ?? null;
  const given = await askToken(app.server, codeForm(client, code));
  expect(await given.json()).toMatchObject({ scope: "tool:use" });

  await page.goto("/settings/connections");
  await main.getByText("not used yet").waitFor();
  await look(page, "connections");
  await main.getByRole("button", { name: "Disconnect: Editor" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await main.getByText("No program has signed in.").waitFor();
});

test("who signs in first comes back with the program's own words", async () => {
  const client = await registerMcpClient(app.server);
  const state = "1e3+%2F true";
  const request = { ...client.request, state, scope: "tool:use" };
  const stranger = await app.open();
  let back: URL | undefined;
  await stranger.route("http://127.0.0.1:9/**", async (route) => {
    back = new URL(route.request().url());
    await route.fulfill({ body: "You may close this window." });
  });
  await stranger.goto(`/oauth/authorize?${new URLSearchParams(request)}`);
  await stranger.getByLabel("Email").fill(ADMIN.email);
  await stranger.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await stranger.getByRole("main").getByRole("button", { name: "Allow" }).click();
  await stranger.getByText("You may close this window.").waitFor();
  expect(back?.searchParams.get("state")).toBe(state);
  await stranger.context().close();
});

test("a request that is not whole grants nothing, and says why", async () => {
  await page.goto("/oauth/authorize");
  await page.getByRole("main").getByText("This address lacks what the program").waitFor();
  const client = await registerMcpClient(app.server);
  const request = { ...client.request, redirect_uri: "https://evil.example/" };
  await page.goto(`/oauth/authorize?${new URLSearchParams(request)}`);
  await page.getByRole("alert").getByText("an address that is not its own").waitFor();
  expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
});
