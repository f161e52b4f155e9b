import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { startServer } from "../src/server/compose.ts";
import { configure } from "../src/server/configure.ts";
import { SERVICES, type ServedName } from "../src/server/services.ts";
import { ended } from "./support/spawned-server.ts";
import { startToolServer, text } from "./support/tool-server.ts";
import { commandEnv } from "./support/command.ts";

/** Each service alone requires the settings that it uses, and no others. */
const SECRET = "a-secret-between-services";
const KEY = Buffer.alloc(32, 7).toString("base64");
const core = { LLM_CORE_URL: "http://127.0.0.1:1", SERVICE_SECRET: SECRET };
const users = { USER_SERVICE_URL: "http://127.0.0.1:1", USER_SERVICE_SECRET: SECRET };
const completion = {
  COMPLETION_SERVICE_URL: "http://127.0.0.1:1",
  COMPLETION_SERVICE_SECRET: SECRET,
};
const documents = { DOCUMENTS_SERVICE_URL: "http://127.0.0.1:1", SERVICE_SECRET: SECRET };

/** The settings that each service requires. */
const NEEDED: Record<ServedName, Record<string, string>> = {
  agent: {
    ...completion,
    MCP_SERVICE_URL: "http://127.0.0.1:1",
    MCP_SERVICE_SECRET: SECRET,
  },
  "tool-gateway": { ...core, MCP_SERVICE_SECRET: SECRET, ENCRYPTION_KEY: KEY },
  completion: { COMPLETION_SERVICE_SECRET: SECRET },
  core: {
    ...completion,
    ...users,
    ...core,
    AGENT_SERVICE_URL: "http://a",
    ENCRYPTION_KEY: KEY,
  },
  documents: { ...users, SERVICE_SECRET: SECRET },
  parser: { SERVICE_SECRET: SECRET },
  "pdf-backend": {},
  embedding: { ...completion, ...documents },
  retrieval: { ...documents, ...users, EMBEDDING_SERVICE_URL: "http://127.0.0.1:1" },
  web: { SERVICE_SECRET: SECRET },
  sandbox: { SERVICE_SECRET: SECRET },
  integrations: { ...users, SERVICE_SECRET: SECRET, ENCRYPTION_KEY: KEY },
  users: { USER_SERVICE_SECRET: SECRET, ENCRYPTION_KEY: KEY },
  automations: { ...core, ...users, ENCRYPTION_KEY: KEY },
};
delete NEEDED.core["LLM_CORE_URL"];
const NAMES = Object.keys(NEEDED) as ServedName[]; // a record of ours has the keys that it has

describe.each(NAMES)("%s alone", (name) => {
  const needed = NEEDED[name];

  test("starts with its required settings", async () => {
    await expect(configure([name], needed)).resolves.toBeDefined();
  });

  test.each(Object.keys(needed).map((setting) => [setting]))(
    "requires %s",
    async (setting) => {
      const without = { ...needed, [setting]: undefined };
      const said = new RegExp(`^  ${setting}: `, "m");
      await expect(configure([name], without)).rejects.toThrow(said);
    },
  );
});

test("a tool gateway with a file of servers needs no core", async () => {
  const env = {
    MCP_SERVERS_FILE: "servers.json",
    MCP_SERVICE_SECRET: SECRET,
    SERVICE_SECRET: SECRET,
    ENCRYPTION_KEY: KEY,
  };
  await expect(configure(["tool-gateway"], env)).resolves.toBeDefined();
});

test("an optional peer with an address needs its secret", async () => {
  const env = { ...NEEDED.agent, LLM_CORE_URL: "http://127.0.0.1:1" };
  await expect(configure(["agent"], env)).rejects.toThrow(/^ {2}SERVICE_SECRET: /m);
});

describe("a served service", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parlance-alone-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test.each(["agent", "pdf-backend"] as const)(
    "%s answers with nothing else set, and takes no empty secret",
    async (name) => {
      const env = { ...NEEDED[name], PORT: "0", DATA_DIR: dataDir };
      await using server = await startServer({ services: [name], env, log: silentLog() });
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      const path = name === "agent" ? "/api/v1/agent/run" : "/api/v1/pdf/parse";
      const headers = { "x-platform-service-secret": "" };
      const answer = await fetch(server.url + path, { method: "POST", headers });
      expect(answer.status).toBe(401);
    },
  );

  test("a tool gateway lists the tools of its file, and names a wrong file", async () => {
    const file = join(dataDir, "servers.json");
    const env = {
      MCP_SERVERS_FILE: file,
      MCP_SERVICE_SECRET: SECRET,
      SERVICE_SECRET: SECRET,
      ENCRYPTION_KEY: KEY,
      MCP_SERVERS_POLL: "200",
      OUTGOING_ALLOW: "127.0.0.0/8",
      PORT: "0",
      DATA_DIR: dataDir,
    };
    await using tools = await startToolServer({ echo: { run: () => text("echo") } });
    await writeFile(file, JSON.stringify([{ name: "own", url: tools.url }]));
    await using server = await startServer({
      services: ["tool-gateway"],
      env,
      log: silentLog(),
    });
    const headers = { "x-platform-mcp-service-secret": SECRET };
    await vi.waitFor(async () => {
      const listed = await fetch(`${server.url}/mcp/v1/tools/list-tools`, { headers });
      expect([listed.status, await listed.text()]).toEqual([
        200,
        expect.stringContaining("echo"),
      ]);
    }, 60_000);
    await writeFile(file, "{}");
    const refreshed = await fetch(`${server.url}/mcp/v1/refresh`, {
      method: "POST",
      headers,
    });
    expect(await refreshed.json()).toMatchObject({
      code: "tool_servers_invalid",
      error: expect.stringMatching(/servers\.json: Invalid input: expected array/),
    });
  });

  test("an access token that cannot be verified is a 503 that names the setting", async () => {
    const env = { ...NEEDED.agent, PORT: "0", DATA_DIR: dataDir };
    await using server = await startServer({ services: ["agent"], env, log: silentLog() });
    const claims = ['{"alg":"RS256","typ":"at+jwt","kid":"k"}', "{}", "x"];
    const token = claims.map((part) => Buffer.from(part).toString("base64url")).join(".");
    const answer = await fetch(`${server.url}/api/v1/agent/run`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      {
        code: "service_not_configured",
        error: expect.stringContaining("USER_SERVICE_URL"),
      },
    ]);
  });
});

test("--help names every service", async () => {
  const child = spawn(process.execPath, ["src/main.ts", "--help"], {
    env: commandEnv(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  expect(await ended(child)).toBe(0);
  for (const name of Object.keys(SERVICES))
    expect(said).toMatch(new RegExp(`\\b${name}\\b`));
});
