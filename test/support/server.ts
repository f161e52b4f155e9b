import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call } from "../../src/platform/http/call.ts";
import { testServerUrl } from "../../src/platform/testing/database.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { startServer } from "../../src/server/compose.ts";
import type { ServedName } from "../../src/server/services.ts";
import { usersContract } from "../../src/services/users/contract.ts";

export const ADMIN = { email: "admin@test.example", password: "correct horse battery" };

interface RequestOptions {
  method?: string;
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface TestServer extends AsyncDisposable {
  url: string;
  internalUrl: string;
  dataDir: string;
  /** Sends a request over HTTP, by default as the administrator. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  token: string;
  /** Restarts the server on the same data at another port. Valid tokens stay valid. */
  restart(): Promise<void>;
  signIn(email: string, password: string): Promise<string>;
}

/** The whole server on free ports: embedded, or on real servers if their URLs are set. */
export async function startTestServer(
  env: Record<string, string> = {},
  services?: readonly ServedName[],
  log = silentLog(),
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-test-"));
  const server = await testServerUrl();
  const options = {
    ...(services && { services }),
    log,
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: server?.url,
      AMQP_URL: process.env["AMQP_URL"],
      REDIS_URL: process.env["REDIS_URL"],
      PARLANCE_ADMIN_EMAIL: ADMIN.email,
      PARLANCE_ADMIN_PASSWORD: ADMIN.password,
      OUTGOING_ALLOW: "127.0.0.0/8",
      SHUTDOWN_TIMEOUT: "2000",
      // one user stands for many in load tests
      USER_STREAM_LIMIT: "1000",
      NAMESPACE: `test-${process.pid}-${Math.random().toString(36).slice(2, 10)}`,
      ...env,
    },
  };
  let parlance = await startServer(options);
  const client = await clientOf(() => parlance.url);
  return {
    get url() {
      return parlance.url;
    },
    get internalUrl() {
      return parlance.internalUrl ?? "";
    },
    dataDir,
    ...client,
    async restart() {
      await parlance[Symbol.asyncDispose]();
      parlance = await startServer(options);
    },
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await server?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends requests to a server, by default as its administrator. */
export async function clientOf(
  url: () => string,
): Promise<Pick<TestServer, "request" | "signIn" | "token">> {
  const viaHttp = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(url() + pathname + search, request));
  };
  const signIn = async (email: string, password: string) =>
    (await call(viaHttp, usersContract.login, { body: { email, password } })).accessToken;
  const token = await signIn(ADMIN.email, ADMIN.password);
  return {
    token,
    signIn,
    request: (path, { method, body, token: as = token, headers = {}, signal } = {}) =>
      fetch(url() + path, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(as !== null && { authorization: `Bearer ${as}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
  };
}

/** Returns the events of an SSE answer. */
export async function eventsOf(
  response: Response,
): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const blocks = (await response.text())
    .split("\n\n")
    .filter((block) => block.includes("event: "));
  return blocks.map((block) => ({
    event: /^event: (.*)$/m.exec(block)?.[1] ?? "",
    data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "{}") as Record<string, unknown>, // events are JSON objects
  }));
}
