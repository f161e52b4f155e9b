import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { type Canary, startCanary } from "../../../test/support/browser.ts";
import { type App, startApp } from "../support/app.ts";

/** Results as tool servers show them (MCP Apps): what a view can do, and what it cannot. */

const URI = "ui://town/view.html";
/** Talks to the app as the protocol has it, without a library. */
const page = (more = "") => `<!doctype html><html><head><title>v</title></head><body>
<p id="theme"></p><p id="input"></p><p id="result"></p><p id="said"></p>
<button id="look">look</button><button id="wipe">wipe</button><button id="other">other</button>
<button id="link">link</button><button id="say">say</button><button id="model">model</button>
<script>
let next = 1; const open = new Map();
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = (method, params = {}) => new Promise((resolve) => {
  open.set(next, resolve); post({ id: next++, method, params });
});
const show = (id, value) => document.getElementById(id).textContent = value;
addEventListener("message", ({ data, source }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.method === "ui/notifications/tool-input") show("input", JSON.stringify(data.params.arguments));
  if (data.method === "ui/notifications/tool-result") show("result", JSON.stringify(data.params));
  open.get(data.id)?.(data.result ?? data.error);
});
const on = (id, method, params) => document.getElementById(id).onclick = async () =>
  show("said", id + ": " + JSON.stringify(await ask(method, params)));
on("look", "tools/call", { name: "look", arguments: { at: "sea" } });
on("wipe", "tools/call", { name: "wipe", arguments: {} });
on("other", "tools/call", { name: "model_only", arguments: {} });
on("link", "ui/open-link", { url: "https://town.example/page" });
on("say", "ui/message", { role: "user", content: [{ type: "text", text: "Look again" }] });
on("model", "ui/update-model-context", { content: [] });
(async () => {
  const { hostContext } = await ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "t", version: "1" }, appCapabilities: {} });
  show("theme", hostContext.theme + " " + hostContext.locale);
  post({ method: "ui/notifications/initialized" });
  post({ method: "ui/notifications/size-changed", params: { height: 333 } });
})();
${more}
</script></body></html>`;

let app: App;
let canary: Canary;
let shown: Page;
let http: Server;
let html = page();
const calls: string[] = [];

function makeServer(): McpServer {
  const server = new McpServer({ name: "town", version: "1" });
  const ran = (name: string, result: Record<string, unknown>) => {
    calls.push(name);
    return {
      content: [{ type: "text" as const, text: `${name} ran` }],
      structuredContent: result,
      _meta: { secret: "for the view alone" },
    };
  };
  const readOnly = { readOnlyHint: true };
  server.registerTool(
    "look",
    {
      inputSchema: { at: z.string() },
      annotations: readOnly,
      _meta: { ui: { resourceUri: URI } },
    },
    ({ at }) => ran("look", { at, seen: "waves" }),
  );
  server.registerTool(
    "wipe",
    { annotations: { destructiveHint: true }, _meta: { ui: { visibility: ["app"] } } },
    () => ran("wipe", {}),
  );
  server.registerTool(
    "model_only",
    { annotations: readOnly, _meta: { ui: { visibility: ["model"] } } },
    () => ran("model_only", {}),
  );
  server.registerResource("view", URI, {}, () => ({
    contents: [
      {
        uri: URI,
        mimeType: "text/html;profile=mcp-app",
        text: html,
        _meta: {
          ui: { csp: { connectDomains: [canary.origin, "https://x;script-src *"] } },
        },
      },
    ],
  }));
  return server;
}

beforeAll(async () => {
  canary = await startCanary();
  http = createServer((request, response) => {
    void (async () => {
      const server = makeServer();
      const transport = new StreamableHTTPServerTransport({});
      response.on("close", () => void server.close());
      await server.connect(transport as Parameters<McpServer["connect"]>[0]);
      await transport.handleRequest(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // it listens on TCP
  const servers = [{ name: "town", url: `http://127.0.0.1:${port}/mcp` }];
  app = await startApp({ env: { MCP_SERVERS: JSON.stringify(servers) } });
  shown = await app.openSignedIn();
  await vi.waitFor(async () => {
    const listed = await app.server.request("/api/v1/tools?query=town");
    expect(await listed.json()).toMatchObject({ total: 2 });
  }, 60_000);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await canary[Symbol.asyncDispose]();
  http.closeAllConnections();
  http.close();
});
beforeEach(() => {
  calls.length = 0;
  app.problems.length = 0;
});

/** A chat whose model looked at the sea. */
async function look(): Promise<void> {
  app.provider.answerTurns(
    { toolCalls: [{ name: "look", arguments: { at: "sea" } }] },
    { text: ["I looked."] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Look", tools: ["look"], stream: false },
  });
  expect(sent.status).toBe(200);
  const { conversationId } = (await sent.json()) as { conversationId: string };
  await shown.goto(`/c/${conversationId}`);
}
const view = () => shown.frameLocator("iframe");
const said = (text: string | RegExp) =>
  view().locator("#said", { hasText: text }).waitFor();

test("a view gets the call and its whole result, and the model only what is for it", async () => {
  await look();
  await view().locator("#input", { hasText: '{"at":"sea"}' }).waitFor();
  await view().locator("#result", { hasText: '"seen":"waves"' }).waitFor();
  await view().locator("#result", { hasText: "for the view alone" }).waitFor();
  await view().locator("#theme", { hasText: "light en-GB" }).waitFor();
  await expect
    .poll(() => shown.locator("iframe").evaluate((one) => one.clientHeight))
    .toBe(333);
  const asked = JSON.stringify(app.provider.requests);
  expect(asked).toContain("look ran");
  expect(asked).not.toContain("for the view alone");
  // what is for views alone is offered to no model
  const offered = await (await app.server.request("/api/v1/tools?query=town")).text();
  expect(offered).not.toContain('"wipe"');
});

test("its calls run as its person allows, and only tools of its server that are for views", async () => {
  await look();
  await view().locator("#result", { hasText: "waves" }).waitFor();
  await view().locator("#look").click();
  await said(/look: .*waves/);
  await view().locator("#other").click();
  await said("other: ");
  await view().locator("#wipe").click();
  await shown.getByText("The view wants to run wipe").waitFor();
  expect(calls).toEqual(["look", "look"]);
  await shown.getByRole("button", { name: "No", exact: true }).click();
  await said(/wipe: .*did not allow/);
  await view().locator("#wipe").click();
  await shown.getByRole("button", { name: "Run it" }).click();
  await said(/wipe: .*wipe ran/);
  expect(calls).toEqual(["look", "look", "wipe"]);
});

test("links and messages ask first, and an empty addition to what the model reads adds nothing", async () => {
  await look();
  await view().locator("#result", { hasText: "waves" }).waitFor();
  await view().locator("#model").click();
  await said("model: {}");
  await view().locator("#link").click();
  await shown.getByText("https://town.example/page").waitFor();
  await shown.getByRole("button", { name: "No", exact: true }).click();
  await said(/link: .*isError/);
  await view().locator("#say").click();
  await shown.getByText("Look again").waitFor();
  app.provider.answerTurns({ text: ["Again."] });
  await shown.getByRole("button", { name: "Send it" }).click();
  await shown.getByRole("log").getByText("Again.", { exact: true }).waitFor();
});

test("it has no origin, and no network though it declares one, where the operator names none", async () => {
  html = page(`
  let seen = [];
  for (const read of [() => parent.document.title, () => localStorage.length, () => document.cookie])
    try { seen.push(String(read())); } catch { seen.push("refused"); }
  fetch("${"${origin}"}/fetch").catch(() => seen.push("alone")).then(() => show("said", seen.join(" ")));
  `).replace("${origin}", canary.origin);
  await shown.reload();
  await look();
  await said("refused refused refused alone");
  expect(canary.paths).toEqual([]);
  html = page();
});

test("a flood of messages neither stops the app nor covers it with questions", async () => {
  html = page(`
  for (let n = 0; n < 2000; n += 1) post({ id: "x" + n, method: "ui/open-link", params: { url: "https://town.example/" + n } });
  post({ id: "long", method: "ui/message", params: { role: "user", content: { type: "text", text: "x".repeat(300000) } } });
  `);
  await shown.reload();
  await look();
  await shown.getByText("The view wants to open a page").waitFor();
  expect(await shown.getByText("The view wants to open a page").count()).toBe(1);
  await shown.getByRole("button", { name: "No", exact: true }).click();
  await expect.poll(() => shown.getByText("The view wants to open a page").count()).toBe(0);
  html = page();
});
