import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newApiKey } from "../src/services/users/sign-in/api-keys.ts";
import { ADMIN } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { ended, spawnServer, type SpawnedServer } from "./support/spawned-server.ts";
import { held } from "./support/held.ts";

/** Secrets that a run uses, and that the test searches for in everything it leaves. */
const PLANTED = {
  COMPLETION_SERVICE_SECRET: "canary-of-the-completion-service",
  MCP_SERVICE_SECRET: "canary-of-the-tool-gateway",
  USER_SERVICE_SECRET: "canary-of-the-users-service",
  SERVICE_SECRET: "canary-of-every-service",
  ENCRYPTION_KEY: Buffer.from("canary-of-the-encryption-at-rest").toString("base64"),
  OPENAI_API_KEY: "sk-canary-of-the-model-provider",
};
let dataDir: string;
let provider: ScriptedProvider;
let parlance: SpawnedServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-secrets-"));
  provider = await startScriptedProvider((index) =>
    index % 2 ? { status: 401 } : { text: ["some ", "words"] },
  );
  parlance = await spawnServer({
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: provider.url,
    LOG_LEVEL: "debug",
    ...PLANTED,
  });
});
afterAll(async () => {
  await parlance.kill();
  await provider[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test("no secret appears in the log, the metrics, the answers or the files of a run", async () => {
  const said: string[] = [];
  const ask = async (path: string, body?: object, headers?: Record<string, string>) => {
    const response = await parlance.ask(path, body, headers);
    said.push(await response.text());
    return response.status;
  };
  const secrets: string[] = [
    ...Object.values(PLANTED),
    ADMIN.password,
    parlance.authorization.authorization.slice("Bearer ".length),
  ];
  const made = await parlance.ask("/api/v1/auth/api-keys", { name: "canary" });
  const { key } = (await made.json()) as { key: string };
  secrets.push(key);
  for (let n = 0; n < 3; n += 1)
    await ask("/api/v1/conversation", { content: "hello", stream: n === 1 });
  expect(
    await ask("/api/v1/mcp-servers", {
      name: "canary",
      url: "http://127.0.0.1:9/mcp",
      headers: { authorization: "canary-of-a-tool-server" },
    }),
  ).toBe(201);
  expect(
    await ask("/api/v1/model-providers", {
      name: "canary",
      displayName: "Canary",
      kind: "openai",
      config: { apiKey: "sk-canary-of-another" },
    }),
  ).toBe(201);
  expect(await ask("/api/v1/model-providers/canary/test", {})).toBe(200);
  secrets.push("canary-of-a-tool-server", "sk-canary-of-another");
  for (const path of [
    "/api/v1/model-providers/all",
    "/api/v1/mcp-servers",
    "/api/v1/auth/api-keys",
    "/api/v1/auth/me",
    "/api/v1/nowhere",
  ])
    await ask(path, undefined, { "x-api-key": key });
  for (const url of [
    `${parlance.internalUrl}/api/v1/services-config/models-providers`,
    `${parlance.internalUrl}/api/v1/services-config/mcp-servers`,
    `${parlance.url}/openapi.json`,
    `${parlance.url}/metrics`,
  ])
    said.push(await (await fetch(url)).text());
  await ask("/api/v1/auth/login", {
    email: ADMIN.email,
    password: "canary-of-a-wrong-password",
  });
  secrets.push("canary-of-a-wrong-password");
  const exit = ended(parlance.child);
  parlance.child.kill("SIGTERM");
  await exit;

  const files = await filesIn(dataDir);
  // secrets would be found in what is searched
  expect(Object.values(files).some((text) => text.includes("some words"))).toBe(true);
  expect(parlance.said().length).toBeGreaterThan(100);
  const left = { log: parlance.said(), answers: said.join("\n"), ...files };
  for (const [place, text] of Object.entries(left)) {
    const found = secrets.filter((secret) => text.includes(secret));
    expect({ place, found }).toEqual({ place, found: [] });
  }
  held("secrets", secrets.length);
});

test("API keys are unique", () => {
  const keys = Array.from({ length: 100_000 }, newApiKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(keys.map((key) => key.slice(0, 12))).size).toBeGreaterThan(
    keys.length - 10,
  );
  expect(Buffer.from(keys[0]?.slice("pk_".length) ?? "", "base64url")).toHaveLength(32);
  held("secrets", keys.length);
});

/** Every file under a folder, as bytes. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file, await readFile(file, "latin1")] as const),
    ),
  );
}
