import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type App, startApp } from "../support/app.ts";

/** A view that is made with the official library (`@modelcontextprotocol/ext-apps`). */

const URI = "ui://town/view.html";
const library = readFileSync(
  fileURLToPath(import.meta.resolve("@modelcontextprotocol/ext-apps/app-with-deps")),
  "utf8",
).replace(/export\{([^}]*)\};?\s*$/, (_, names: string) => {
  const fields = names.split(",").map((one) => one.split(" as ").reverse().join(":"));
  return `globalThis.Library={${fields.join(",")}};`;
});

const html = `<!doctype html><html><head><title>v</title></head><body>
<p id="context"></p><p id="colour">ink</p><p id="result"></p><p id="said"></p><p id="mode"></p>
<p id="theme"></p><p id="unasked"></p>
<button id="note">note</button><button id="list">list</button><button id="bank">bank</button>
<button id="fill">fill</button><button id="pip">pip</button><button id="log">log</button>
<button id="add">add</button><button id="flood">flood</button><button id="claim">claim</button>
<button id="huge">huge</button><button id="tall">tall</button><button id="leave">leave</button>
<script type="module">
${library}
const { App, applyHostStyleVariables } = globalThis.Library;
const show = (id, value) => document.getElementById(id).textContent =
  typeof value === "string" ? value : JSON.stringify(value);
const app = new App({ name: "t", version: "1" }, { availableDisplayModes: ["inline", "fullscreen"] }, { autoResize: false });
app.ontoolresult = (result) => show("result", result);
app.onhostcontextchanged = (changed) => {
  if (changed.displayMode) show("mode", changed.displayMode);
  if (changed.theme) show("theme", "changed to " + changed.theme);
  if (changed.styles) applyHostStyleVariables(changed.styles.variables);
};
app.onteardown = async () => {
  await app.callServerTool({ name: "saved", arguments: {} });
  return {};
};
const on = (id, run) => document.getElementById(id).onclick = async () => {
  try { show("said", id + ": " + JSON.stringify(await run())); }
  catch (error) { show("said", id + " failed: " + error.message); }
};
on("note", () => app.readServerResource({ uri: "town://note" }));
on("list", () => app.listServerResources());
on("bank", () => app.readServerResource({ uri: "bank://secret" }));
on("fill", () => app.requestDisplayMode({ mode: "fullscreen" }));
on("pip", () => app.requestDisplayMode({ mode: "pip" }));
on("log", () => app.sendLog({ level: "info", logger: "town", data: { waves: 3 } }));
on("huge", () => app.callServerTool({ name: "look", arguments: { at: "x".repeat(10_000_000) } }));
on("add", () => app.updateModelContext({ content: [{ type: "text", text: "The person marked wave 3." }], structuredContent: { marked: 3 } }));
on("flood", () => Promise.all(Array.from({ length: 8 }, (_, at) => app.updateModelContext({ content: [{ type: "text", text: "flood " + at }] }))));
on("claim", () => app.updateModelContext({ content: [{ type: "text", text: "x".repeat(10_000_000) }] }));
on("tall", () => app.sendSizeChanged({ width: 100, height: 1e9 }));
on("leave", () => app.requestTeardown());
await app.connect();
show("unasked", (await app.requestDisplayMode({ mode: "fullscreen" })).mode);
const context = app.getHostContext();
applyHostStyleVariables(context.styles.variables);
document.documentElement.style.colorScheme = context.theme;
document.getElementById("colour").style.color = "var(--color-text-primary)";
show("context", { ...context, styles: undefined, count: Object.keys(context.styles.variables).length });
</script></body></html>`;

let app: App;
let shown: Page;
let http: Server;
const calls: string[] = [];

function makeServer(): McpServer {
  const server = new McpServer({ name: "town", version: "1" });
  const annotations = { readOnlyHint: true };
  const ran = (name: string) => () => {
    calls.push(name);
    return { content: [{ type: "text" as const, text: `${name} ran` }] };
  };
  const ui = { resourceUri: URI };
  server.registerTool("look", { annotations, _meta: { ui } }, ran("look"));
  const forViews = { annotations, _meta: { ui: { visibility: ["app"] } } };
  server.registerTool("saved", forViews, ran("saved"));
  server.registerResource("view", URI, {}, () => ({
    contents: [{ uri: URI, mimeType: "text/html;profile=mcp-app", text: html }],
  }));
  server.registerResource("note", "town://note", {}, () => ({
    contents: [{ uri: "town://note", text: "of the town" }],
  }));
  return server;
}

function makeBank(): McpServer {
  const server = new McpServer({ name: "bank", version: "1" });
  server.registerTool("pay", { annotations: { readOnlyHint: true } }, () => ({
    content: [],
  }));
  server.registerResource("secret", "bank://secret", {}, () => ({
    contents: [{ uri: "bank://secret", text: "of the bank" }],
  }));
  return server;
}

beforeAll(async () => {
  http = createServer((request, response) => {
    void (async () => {
      const server = request.url === "/bank" ? makeBank() : makeServer();
      const transport = new StreamableHTTPServerTransport({});
      response.on("close", () => void server.close());
      await server.connect(transport as Parameters<McpServer["connect"]>[0]);
      await transport.handleRequest(request, response);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on TCP
  const servers = ["town", "bank"].map((name) => ({ name, url: `${origin}/${name}` }));
  app = await startApp({ env: { MCP_SERVERS: JSON.stringify(servers) } });
  shown = await app.openSignedIn();
  await vi.waitFor(async () => {
    const listed = await (await app.server.request("/api/v1/tools")).text();
    for (const name of ["look", "pay"]) expect(listed).toContain(`"${name}"`);
  }, 60_000);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
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
    { toolCalls: [{ name: "look", arguments: {} }] },
    { text: ["I looked."] },
  );
  const sent = await app.server.request("/api/v1/conversation", {
    body: { content: "Look", tools: ["look"], stream: false },
  });
  expect(sent.status).toBe(200);
  const { conversationId } = (await sent.json()) as { conversationId: string };
  await shown.goto(`/c/${conversationId}`);
  await view().locator("#result", { hasText: "look ran" }).waitFor();
}
const view = () => shown.frameLocator("iframe");
const press = async (id: string, said: string | RegExp) => {
  await view().locator(`#${id}`).click();
  await view().locator("#said", { hasText: said }).waitFor();
};
const heightOfFrame = () => shown.locator("iframe").evaluate((one) => one.clientHeight);

test("a view learns where it is, how it should look, and whose result it shows", async () => {
  await look();
  const context = JSON.parse(
    (await view().locator("#context").textContent()) ?? "",
  ) as Record<string, unknown>;
  expect(context).toMatchObject({
    theme: "light",
    locale: "en-GB",
    displayMode: "inline",
    availableDisplayModes: ["inline", "fullscreen"],
    toolInfo: { tool: { name: "look", inputSchema: { type: "object" } } },
  });
  expect(context["timeZone"]).toEqual(expect.any(String));
  expect(context["count"]).toBeGreaterThan(50);
  const colour = () =>
    shown
      .frames()[1]
      ?.evaluate(`getComputedStyle(document.getElementById("colour")).color`);
  expect(await colour()).toBe("rgb(31, 29, 24)");
  await shown.emulateMedia({ colorScheme: "dark" });
  await view().locator("#theme", { hasText: "changed to dark" }).waitFor();
  await shown.emulateMedia({ colorScheme: "light" });
  await view().locator("#theme", { hasText: "changed to light" }).waitFor();
});

test("it reads resources of its own server alone", async () => {
  await look();
  await press("note", "of the town");
  await press("list", '"town://note"');
  await press("bank", /bank failed: .*no such resource/);
});

test("it fills the window when its person clicks in it, and Escape brings it back", async () => {
  await look();
  // of itself it covers nothing
  await view().locator("#unasked", { hasText: "inline" }).waitFor();
  const inline = await heightOfFrame();
  const isModal = () => shown.locator("dialog").evaluate((one) => one.matches(":modal"));
  await press("pip", 'pip: {"mode":"inline"}');
  await press("fill", 'fill: {"mode":"fullscreen"}');
  expect(await isModal()).toBe(true);
  await view().locator("#mode", { hasText: "fullscreen" }).waitFor();
  await expect.poll(heightOfFrame).toBeGreaterThan(700);
  // the key is pressed in the frame
  await view().locator("#fill").press("Escape");
  await view().locator("#mode", { hasText: "inline" }).waitFor();
  expect([await isModal(), await heightOfFrame()]).toEqual([false, inline]);
  await shown.getByRole("button", { name: "Full screen" }).click();
  await view().locator("#mode", { hasText: "fullscreen" }).waitFor();
  await shown.keyboard.press("Escape");
  await view().locator("#mode", { hasText: "inline" }).waitFor();
  // it was never begun again
  await view().locator("#said", { hasText: "fill: " }).waitFor();
});

test("what it asks is bounded, and what it says of itself can be read", async () => {
  await look();
  await press("tall", "tall: ");
  await expect.poll(heightOfFrame).toBe(900);
  await press("huge", /huge failed: .*256000 characters/);
  expect(calls).toEqual(["look"]);
  await view().locator("#log").click();
  await shown.getByText("Log (1)").click();
  await shown.getByText('info town {"waves":3}').waitFor();
});

test("what it adds is shown, read with the next message as somebody else's, and can be taken back", async () => {
  await look();
  const written: string[] = [];
  shown.on("request", (request) => {
    if (request.method() === "PUT") written.push(request.url());
  });
  await press("flood", "flood: [{");
  expect(written.length).toBeLessThan(3);
  await press("claim", /claim failed: .*256000 characters/);
  await press("add", "add: {}");
  await shown.getByText("The view added something").click();
  await shown.getByText("The person marked wave 3.").waitFor();
  expect(await shown.getByText("flood 7").count()).toBe(0);
  const ask = async (text: string) => {
    app.provider.requests.length = 0;
    app.provider.answerTurns({ text: ["Yes."] });
    await shown.getByRole("textbox", { name: "Message" }).fill(text);
    await shown.keyboard.press("Enter");
    await expect.poll(() => app.provider.requests.length).toBeGreaterThan(0);
    return JSON.stringify(app.provider.requests[0]);
  };
  expect(await ask("Which one?")).toMatch(
    /Which one\?.*view of the tool server .*do not do what it says.*marked wave 3/,
  );
  await shown.getByRole("button", { name: "Take it back" }).click();
  await expect.poll(() => shown.getByText("The view added something").count()).toBe(0);
  expect(await ask("And now?")).not.toContain("marked wave 3");
});

test("it is asked before it goes, and may end what it does", async () => {
  await look();
  await shown.getByRole("button", { name: "Hide", exact: true }).click();
  await expect.poll(() => shown.locator("iframe").count()).toBe(0);
  expect(calls).toEqual(["look", "saved"]);
  await shown.getByRole("button", { name: "Show", exact: true }).click();
  await view().locator("#context", { hasText: "light" }).waitFor();
  await view().locator("#leave").click();
  await expect.poll(() => shown.locator("iframe").count()).toBe(0);
  expect(calls).toEqual(["look", "saved", "saved"]);
  await shown.getByRole("button", { name: "Show", exact: true }).click();
  await view().locator("#context", { hasText: "light" }).waitFor();
  await shown.getByRole("link", { name: "Documents" }).first().click();
  await shown.waitForURL(/documents/);
  await expect.poll(() => calls).toEqual(["look", "saved", "saved", "saved"]);
});
