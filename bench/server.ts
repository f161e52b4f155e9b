import { randomBytes } from "node:crypto";
import pg from "pg";
import { Agent, request } from "undici";
import type { Processes, Running } from "./processes.ts";

export interface Stage {
  processes: Processes;
  dataDir: string;
  rounds: number;
  /** How long one window at reading speed takes. */
  seconds: number;
}

export const SECRET = "benchmark-secret-benchmark";
/** Headers with the service secret, for internal routes on PORT. */
export const AS_SERVICE = { "x-platform-service-secret": SECRET };
const ENCRYPTION_KEY = randomBytes(32).toString("base64");
const PASSWORD = "benchmark-password";
const EMAIL = "bench@parlance.local";

/**
 * Creates a new database on the server of DATABASE_URL, or uses the embedded database without
 * DATABASE_URL.
 */
export async function freshDatabase(): Promise<Record<string, string>> {
  const server = process.env["DATABASE_URL"];
  if (server === undefined) return {};
  const name = `bench_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href };
}

/** Drops what `freshDatabase` created. */
export async function dropDatabase({
  DATABASE_URL: url,
}: Record<string, string>): Promise<void> {
  if (url === undefined) return;
  const client = new pg.Client(process.env["DATABASE_URL"]);
  await client.connect();
  await client.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
  await client.end();
}

/**
 * Starts all services, or these, with embedded defaults or the server of DATABASE_URL, with one
 * provider and one tool server.
 */
export async function startServer(
  { processes, dataDir }: Stage,
  name: string,
  providerUrl: string,
  toolUrl?: string,
  settings: Record<string, string> = {},
  services: readonly string[] = [],
): Promise<Running> {
  const env = {
    PORT: "0",
    DATA_DIR: `${dataDir}/${name}`,
    LOG_LEVEL: "error",
    SERVICE_SECRET: SECRET,
    COMPLETION_SERVICE_SECRET: SECRET,
    MCP_SERVICE_SECRET: SECRET,
    // named apart, services take no generated secrets
    ...(services.length > 0 && { USER_SERVICE_SECRET: SECRET, ENCRYPTION_KEY }),
    PARLANCE_ADMIN_EMAIL: EMAIL,
    PARLANCE_ADMIN_PASSWORD: PASSWORD,
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: providerUrl,
    OPENAI_MODELS: "gpt-test",
    OUTGOING_ALLOW: "127.0.0.0/8",
    ...(settings["DATABASE_URL"] === undefined && (await freshDatabase())),
    ...(toolUrl && { MCP_SERVERS: JSON.stringify([{ name: "bench", url: toolUrl }]) }),
    ...settings,
  };
  return processes.start(["serve", ...services], env, "bin/parlance");
}

/** A tool server with the tool `echo`, in a process of its own. @returns its MCP endpoint. */
export async function startTools({ processes }: Stage): Promise<{ url: string }> {
  const { port } = await processes.start(["bench/tool-server.ts"]);
  return { url: `http://127.0.0.1:${port}/mcp` };
}

/** @returns an access token, of the administrator where no other user is named. */
export async function signIn(
  { port }: Running,
  agent: Agent,
  email = EMAIL,
): Promise<string> {
  const answer = await request(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return ((await answer.body.json()) as { accessToken: string }).accessToken;
}

/** Creates a user in the name of the administrator. @returns the user's access token. */
export async function signUp(
  server: Running,
  agent: Agent,
  adminToken: string,
  number: number,
): Promise<string> {
  const email = `user${number}@parlance.local`;
  const answer = await request(`http://127.0.0.1:${server.port}/api/v1/users`, {
    method: "POST",
    dispatcher: agent,
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${adminToken}`,
    },
    body: JSON.stringify({ email, name: email, password: PASSWORD }),
  });
  if (answer.statusCode !== 201) throw new Error(await answer.body.text());
  await answer.body.dump();
  return signIn(server, agent, email);
}

/** Waits until the gateway lists the tool. */
export async function toolListed({ port }: Running, tool: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await request(`http://127.0.0.1:${port}/mcp/v1/tools/list-tools`, {
      headers: { "x-platform-mcp-service-secret": SECRET },
    });
    if ((await answer.body.text()).includes(tool)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the gateway never listed the tool");
}
