import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askToken, codeForm, registerMcpClient } from "../../../test/support/mcp-client.ts";
import {
  startToolServer,
  text,
  type ToolServer,
} from "../../../test/support/tool-server.ts";
import { type App, startApp } from "../support/app.ts";

/** The tools that a person chooses for an API key, and for a program that signs in. */

let app: App;
let page: Page;
const servers: ToolServer[] = [];
beforeAll(async () => {
  const start = async (word: string) => {
    const annotations = { readOnlyHint: true };
    const run = () => text(`${word} seen`);
    const server = await startToolServer({
      [`${word}_look`]: { annotations, run },
      [`${word}_list`]: { annotations, run },
    });
    servers.push(server);
    return { name: word, url: server.url };
  };
  const config = [await start("town"), await start("sea")];
  const env = { MCP_SERVERS: JSON.stringify(config), MCP_SERVERS_POLL: "200" };
  app = await startApp({ withModel: false, env });
  page = await app.openSignedIn();
  await vi.waitFor(async () => {
    const listed = await (await app.server.request("/api/v1/tools")).text();
    for (const name of ["town_look", "sea_list"]) expect(listed).toContain(`"${name}"`);
  }, 60_000);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  for (const server of servers) await server[Symbol.asyncDispose]();
});

/** What a client of MCP finds with a key or a token. */
async function toolsWith(credential: string) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${app.server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const { tools } = await client.listTools();
  await expect(client.callTool({ name: "town_list" })).rejects.toThrow("not among those");
  await client.close();
  return tools.map(({ name }) => name).toSorted();
}

test("a key has only the tools that were chosen for it from the list", async () => {
  await page.goto("/settings/keys");
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Create a key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Editor");
  const tools = dialog.getByRole("group", { name: "Tools at /mcp" });
  await tools.getByLabel("Only these").check();
  // none is chosen yet
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await dialog.getByText("Choose at least one tool.").waitFor();
  await tools.getByLabel("sea_look").check();
  await tools.getByLabel("All of sea").check();
  // what stands for all of a server stands for each
  expect(await tools.getByLabel("sea_list").isDisabled()).toBe(true);
  await tools.getByLabel("Find a tool").fill("town");
  await tools.getByLabel("town_look").check();
  // what was chosen stays in sight
  await tools.getByLabel("sea", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await dialog.getByText("Copy it now").waitFor();
  const key =
    /[\w-]{30,}/.exec((await dialog.innerText()).replaceAll(/\s+/g, " "))?.[0] ?? "";
  await page.keyboard.press("Escape");
  await main.getByText("at /mcp only sea, town/town_look").waitFor();
  expect(await toolsWith(key)).toEqual(["sea_list", "sea_look", "town_look"]);
});

test("a program has only the tools that were chosen when it was connected", async () => {
  const client = await registerMcpClient(app.server);
  let back: URL | undefined;
  // nobody listens where the program would
  await page.route("http://127.0.0.1:9/**", async (route) => {
    back = new URL(route.request().url());
    await route.fulfill({ body: "You may close this window." });
  });
  await page.goto(
    `/oauth/authorize?${new URLSearchParams({ ...client.request, scope: "tool:use" })}`,
  );
  const main = page.getByRole("main");
  const tools = main.getByRole("group", { name: "With which tools" });
  await tools.getByLabel("Only these").check();
  expect(await main.getByRole("button", { name: "Allow" }).isDisabled()).toBe(true);
  await tools.getByLabel("town_look").check();
  await main.getByRole("button", { name: "Allow" }).click();
  await page.getByText("You may close this window.").waitFor();
  const code = back?.searchParams.get("code") ?? null;
  const given = await askToken(app.server, codeForm(client, code));
  const { access_token: token } = (await given.json()) as { access_token: string };
  expect(await toolsWith(token)).toEqual(["town_look"]);
  await page.goto("/settings/connections");
  await main.getByText("only town/town_look").waitFor();
});
