import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client, ParlanceError } from "../../../packages/client/src/create-client.ts";
import { type App, answerWith, startApp } from "../support/app.ts";

/** The client for TypeScript, as it is published, in a page of another site. */

const ROOT = join(import.meta.dirname, "../../..");
/** Imports the client as a page does. */
const PAGE = `<!doctype html><html lang="en"><title>Elsewhere</title><p>Another site</p>
<script type="module">
  import { createClient } from "/client/create-client.js";
  globalThis.createClient = createClient;
</script></html>`;
let app: App;
let page: Page;
let site: Awaited<ReturnType<typeof startSite>>;
let apiKey: string;

beforeAll(async () => {
  site = await startSite();
  app = await startApp({ env: { CORS_ORIGINS: site.origin } });
  const made = await app.server.request("/api/v1/auth/api-keys", {
    body: { name: "page" },
  });
  apiKey = ((await made.json()) as { key: string }).key;
  page = await app.open({ baseURL: site.origin });
  await page.goto("/");
  await page.waitForFunction(() => "createClient" in globalThis);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** A site with the built client, and nothing else. */
async function startSite() {
  const folder = await mkdtemp(join(tmpdir(), "client-in-browser-"));
  const project = join(ROOT, "packages/client/tsconfig.build.json");
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", folder]);
  const server = createServer(async (request, response) => {
    const name = /^\/client\/([\w-]+\.js)$/.exec(request.url ?? "")?.[1];
    if (name === undefined) {
      response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
      return;
    }
    const code = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(code ? 200 : 404, { "content-type": "text/javascript" }).end(code);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // another host than the server's, which makes it another site
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a function of the page, which gets a client. */
function inPage<T>(
  work: (client: Client, args: Record<string, string>) => Promise<T>,
  args: Record<string, string> = {},
): Promise<T> {
  return page.evaluate(
    async ([code, given, options]) => {
      const { createClient } = globalThis as unknown as {
        createClient: (options: object) => unknown;
      }; // by the script of the page
      // it stands in this test, a few lines below
      const run = new Function(`return (${code})`)() as (...of: unknown[]) => unknown;
      return (await run(createClient(options), given)) as never;
    },
    [String(work), args, { baseUrl: app.server.url, apiKey }] as const,
  );
}

test("a page of a named site calls, lists, uploads and reads a file by it", async () => {
  const seen = await inPage(async (client) => {
    const agent = await client.core.createAgent({
      body: { name: "Of a page", instructions: "Be brief." },
    });
    const names: string[] = [];
    for await (const { name } of client.core.listAgents.all({ query: { limit: 1 } }))
      names.push(name);
    const file = new File(["# Leave\n\n30 days."], "leave.md", { type: "text/markdown" });
    const { id } = await client.documents.upload({ form: { file } });
    const content = await client.documents.content({ params: { id } });
    return { agent: agent.name, names, text: await content.text() };
  });
  expect(seen.agent).toBe("Of a page");
  expect(seen.names).toContain("Of a page");
  expect(seen.text).toContain("30 days.");
});

test("it reads a reply while it is written, and ends it early", async () => {
  answerWith(app.provider, ["Hello", " from", " elsewhere."]);
  const text = await inPage(async (client) => {
    let said = "";
    const body = { content: "Hi", model: "openai/gpt-test" };
    for await (const { event, data } of client.core.send.stream({ body }))
      if (event === "text_delta") said += data.delta;
    return said;
  });
  expect(text).toBe("Hello from elsewhere.");
  answerWith(
    app.provider,
    Array.from({ length: 100 }, () => "word "),
    50,
  );
  const first = await inPage(async (client) => {
    const body = { content: "Long", model: "openai/gpt-test" };
    for await (const { event, data } of client.core.send.stream({ body }))
      if (event === "text_delta") return data.delta;
    return "";
  });
  expect(first).toContain("word");
});

test("a failure has its code, which another site may read", async () => {
  const failure = await inPage(async (client) => {
    const params = { id: crypto.randomUUID() };
    return client.documents.get({ params }).then(
      () => null,
      (error: ParlanceError) => ({
        name: error.name,
        status: error.status,
        code: error.code,
      }),
    );
  });
  expect(failure).toEqual({
    name: "ParlanceError",
    status: 404,
    code: "document_not_found",
  });
  expect(app.problems).toEqual([]);
});
