import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, vi } from "vitest";
import { testServerUrl } from "../../src/platform/testing/database.ts";
import { freePort } from "./free-port.ts";
import { ADMIN } from "./server.ts";
import { ended } from "./spawned-server.ts";
import { BASELINE, commandEnv } from "./command.ts";

/** The setting with each service's address for the others. */
const ADDRESSES = {
  users: "USER_SERVICE_URL",
  core: "LLM_CORE_URL",
  agent: "AGENT_SERVICE_URL",
  completion: "COMPLETION_SERVICE_URL",
  "tool-gateway": "MCP_SERVICE_URL",
  documents: "DOCUMENTS_SERVICE_URL",
  parser: "PARSER_SERVICE_URL",
  embedding: "EMBEDDING_SERVICE_URL",
  retrieval: "RETRIEVAL_SERVICE_URL",
  integrations: "INTEGRATIONS_SERVICE_URL",
  web: "WEB_SERVICE_URL",
  sandbox: "SANDBOX_SERVICE_URL",
  automations: "AUTOMATIONS_SERVICE_URL",
} as const;

export type ServiceApart = keyof typeof ADDRESSES;
const NAMES = Object.keys(ADDRESSES) as ServiceApart[]; // an object of ours has the keys that it has
/** Thirteen processes start at once. */
const START_LIMIT = { timeout: 280_000, interval: 100 };
const SECRETS = [
  "MCP_SERVICE_SECRET",
  "COMPLETION_SERVICE_SECRET",
  "USER_SERVICE_SECRET",
  "SERVICE_SECRET",
  "ENCRYPTION_KEY",
];

export interface ServicesApart extends AsyncDisposable {
  at(name: ServiceApart): string;
  /**
   * Returns the configuration of nginx that serves all of them at one address: deploy/nginx.conf
   * with the addresses of this run.
   */
  nginxConfig(): Promise<string>;
  /** Stops a service as a deployment does, and starts it again at its address. */
  restart(name: ServiceApart): Promise<void>;
}

/**
 * Runs every service in a process of its own, on the servers of DATABASE_URL, AMQP_URL and
 * REDIS_URL, with files in one folder.
 */
export async function startServicesApart(
  dataDir: string,
  publicPort: number,
  more: Record<string, string>,
): Promise<ServicesApart> {
  const database = await testServerUrl();
  const ports = new Map(
    await Promise.all(NAMES.map(async (name) => [name, await freePort()] as const)),
  );
  const at = (name: ServiceApart) => `http://127.0.0.1:${ports.get(name)}`;
  const env = {
    ...commandEnv(),
    LOG_LEVEL: "error",
    INTERNAL_PORT: "0",
    PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
    TRUST_PROXY: "true",
    DATA_DIR: dataDir,
    DATABASE_URL: database?.url,
    AMQP_URL: process.env["AMQP_URL"],
    REDIS_URL: process.env["REDIS_URL"],
    NAMESPACE: `apart-${process.pid}-${publicPort}`,
    PARLANCE_ADMIN_EMAIL: ADMIN.email,
    PARLANCE_ADMIN_PASSWORD: ADMIN.password,
    ...Object.fromEntries(
      SECRETS.map((name) => [name, randomBytes(32).toString("base64")]),
    ),
    ...Object.fromEntries(NAMES.map((name) => [ADDRESSES[name], at(name)])),
    ...more,
  };
  const children = new Map<ServiceApart, ChildProcess>();
  const start = async (name: ServiceApart) => {
    const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve", name], {
      env: { ...env, PORT: String(ports.get(name)) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.set(name, child);
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const isReady = () => expect(said, `${name} starts`).toContain("is ready");
    const hasEnded = ended(child).then(() => {
      if (!said.includes("is ready")) throw new Error(`${name} ended before it was ready`);
    });
    await Promise.race([vi.waitFor(isReady, START_LIMIT), hasEnded]);
  };
  const stop = async () => {
    for (const child of children.values()) child.kill("SIGKILL");
    await database?.drop();
  };
  try {
    await Promise.all(NAMES.map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    at,
    async nginxConfig() {
      const file = await readFile("deploy/nginx.conf", "utf8");
      return file.replace(/http:\/\/([a-z-]+):\d+/g, (_, name: ServiceApart) => at(name));
    },
    async restart(name) {
      const child = children.get(name);
      if (child) {
        const hasEnded = ended(child);
        child.kill("SIGTERM");
        await hasEnded;
      }
      await start(name);
    },
    [Symbol.asyncDispose]: stop,
  };
}
