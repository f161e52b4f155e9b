import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { vi } from "vitest";
import { ADMIN } from "./server.ts";
import { BASELINE, commandEnv } from "./command.ts";

/** A server in a process of its own, as `npm start` runs it. */
export interface SpawnedServer {
  child: ChildProcess;
  url: string;
  /** The URL of INTERNAL_PORT. */
  internalUrl: string;
  /** The administrator's token. */
  authorization: { authorization: string };
  /** Its standard error so far. */
  said(): string;
  /** Sends a request as the administrator; a POST if there is a body. */
  ask(path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  /** Sends kill -9, and resolves when it has ended. */
  kill(): Promise<void>;
}

/** Generous: several servers may start at once on a busy machine. */
const START_LIMIT_MS = 150_000;

export async function spawnServer(
  env: Record<string, string | undefined>,
  nodeOptions = BASELINE,
): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [...nodeOptions, "src/main.ts", "serve"], {
    env: {
      ...commandEnv(),
      PORT: "0",
      LOG_LEVEL: "fatal",
      PARLANCE_ADMIN_EMAIL: ADMIN.email,
      PARLANCE_ADMIN_PASSWORD: ADMIN.password,
      OPENAI_API_KEY: "k",
      OPENAI_MODELS: "gpt-test",
      OUTGOING_ALLOW: "127.0.0.0/8",
      // tests of many streams sign in as one user
      USER_STREAM_LIMIT: "1000",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let logged = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    logged += chunk.toString();
    process.stderr.write(chunk);
  });
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const url = await vi.waitFor(() => {
    const ready = /Parlance is ready at (\S+)/.exec(out)?.[1];
    if (!ready) throw new Error(`not ready: ${out}`);
    return ready;
  }, START_LIMIT_MS);
  const headers = { "content-type": "application/json" };
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: "POST",
    headers,
    body: JSON.stringify(ADMIN),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const authorization = { authorization: `Bearer ${accessToken}` };
  return {
    child,
    url,
    internalUrl: /Internal routes, with.*: (\S+)/.exec(out)?.[1] ?? "",
    authorization,
    said: () => logged,
    ask: (path, body, more = {}) =>
      fetch(url + path, {
        headers: { ...headers, ...authorization, ...more },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      }),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = ended(child);
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** @returns its exit status. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

/** How long a server whose connections broke has to end. */
const MAX_ENDING_MS = 5_000;

/** @returns whether the server is running; if not, how it ended and what it wrote. */
export async function stateOf({ child, said }: SpawnedServer): Promise<string> {
  const waiting = AbortSignal.timeout(MAX_ENDING_MS);
  if (child.exitCode === null && child.signalCode === null)
    await once(child, "exit", { signal: waiting }).catch(() => {}); // it is running
  if (child.exitCode === null && child.signalCode === null) return "The server is running.";
  return `The server ended: code ${child.exitCode}, signal ${child.signalCode}. It wrote:\n${said()}`;
}
