import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ADMIN } from "../../../test/support/server.ts";
import { answerWith, type App, startApp } from "../support/app.ts";

const ROOT = join(import.meta.dirname, "../../..");

let app: App;
let ollama: Server;
beforeAll(async () => {
  app = await startApp({ withModel: false, env: { OUTGOING_ALLOW: "" } });
  answerWith(app.provider, ["Hello ", "from nearby"]);
  ollama = await startOllama(app.provider.url, 11_434);
});
afterAll(async () => {
  ollama.closeAllConnections();
  await new Promise((resolve) => ollama.close(resolve));
  await app[Symbol.asyncDispose]();
});

/** What Ollama says of itself and its models. */
const SAID: Record<string, string> = {
  "/": "Ollama is running",
  "/api/version": '{"version":"0.12.3"}',
  "/api/tags": JSON.stringify({
    models: [
      {
        name: "llama3.2:latest",
        model: "llama3.2:latest",
        size: 2_019_393_189,
        details: { family: "llama", parameter_size: "3.2B", quantization_level: "Q4_K_M" },
      },
      {
        name: "nomic-embed-text:latest",
        model: "nomic-embed-text:latest",
        size: 274_302_450,
        details: { family: "nomic-bert", parameter_size: "137M" },
      },
    ],
  }),
};

/** Lists its models as Ollama does, and answers as `url` does. */
async function startOllama(url: string, port: number): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const said = SAID[incoming.url ?? ""];
    if (said !== undefined) return void outgoing.end(said);
    const target = new URL(String(incoming.url).replace("/v1", ""), `${url}/`);
    const { method, headers } = incoming;
    const path = new URL(url).pathname + target.pathname;
    const forwarded = request(new URL(path, url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

test("a newcomer with Ollama at its usual port reads an answer after at most four clicks", async () => {
  const page = await app.open();
  let clicks = 0;
  const click = async (role: "button" | "link", name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  await page.goto("/");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await click("button", "Sign in");
  await click("button", /^Ollama/);
  await click("button", "Use this model");
  await page.getByText("Connected.").waitFor();
  await click("link", "Start a conversation");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello?");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Answer" }).getByText("from nearby").waitFor();
  expect(clicks).toBeLessThanOrEqual(4);
});

test("from an empty folder to an answer as it is written in at most four clicks", async () => {
  answerWith(app.provider, ["Hello ", "from an ", "empty folder"], 300);
  const folder = await mkdtemp(join(tmpdir(), "parlance-newcomer-"));
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], PORT: "0", DATA_DIR: folder, LOG_LEVEL: "fatal" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const printed = (pattern: RegExp) =>
    vi.waitFor(() => {
      const found = pattern.exec(out)?.[1];
      if (!found) throw new Error(`not printed: ${out}`);
      return found;
    }, 150_000);
  const baseURL = await printed(/Parlance is ready at (\S+)/);
  const page = await app.open({ baseURL });
  let clicks = 0;
  const click = async (role: "button" | "link", name: string | RegExp) => {
    clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  await page.goto("/");
  await page
    .getByLabel("Password that the start printed")
    .fill(await printed(/password\s+(\S+)/));
  await page.getByLabel("Your name").fill("Nora");
  await page.getByLabel("New password").fill("a password of my own");
  await click("button", "Set the password");
  await click("button", /^Ollama/);
  await click("button", "Use this model");
  await page.getByText("Connected.").waitFor();
  await click("link", "Start a conversation");
  await page.getByRole("textbox", { name: "Message" }).fill("Hello?");
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "Answer" }).getByText("empty folder").waitFor();
  expect(clicks).toBeLessThanOrEqual(4);
  // the page stays open: what only waits does not keep the server from ending
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  await page.context().close();
  await rm(folder, { recursive: true, force: true });
});

test("users read by which program a model answers that was found by its port", async () => {
  const models = createServer((_, answer) => answer.end('{"data":[{"id":"qwen3:8b"}]}'));
  await new Promise<void>((resolve) => models.listen(8_000, "127.0.0.1", resolve));
  const page = await app.openSignedIn();
  await page.goto("/admin/models/providers");
  await page.getByRole("button", { name: "Connect a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^vLLM/ }).click();
  await dialog.getByRole("button", { name: "Use this model" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto("/");
  await page
    .getByRole("button", { name: /^Who answers/ })
    .first()
    .click();
  // what else is known of the model may follow
  await page.getByText(/^vLLM/).waitFor();
  await page.context().close();
  models.closeAllConnections();
  await new Promise((resolve) => models.close(resolve));
});

test("a private address that is entered can be allowed on the spot, and revoked", async () => {
  const other = await startOllama(app.provider.url, 0);
  const address = `localhost:${(other.address() as AddressInfo).port}`; // a TCP server has one
  const page = await app.openSignedIn();
  await page.goto("/admin/models/providers");
  await page.getByRole("button", { name: "Connect a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption("ollama");
  await dialog.getByLabel(/^Base URL/).fill(`http://${address}`);
  await dialog.getByRole("button", { name: "Test the connection" }).click();
  await dialog
    .getByRole("button", { name: `Allow ${address} for models and tools` })
    .click();
  await dialog.getByRole("button", { name: "Use this model" }).waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("button", { name: `Revoke ${address}` }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText(`${address} is no longer allowed.`).waitFor();
  expect(app.problems).toEqual([]);
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
});
