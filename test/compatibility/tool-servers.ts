import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import type { TestServer } from "../support/server.ts";
import { pythonProgram } from "./install.ts";
import { type Result, run, tryTo } from "./trial.ts";

/** Public tool servers, as they come, each registered at the gateway and called through it. */

interface Trial {
  server: string;
  /** What the gateway knows it by. */
  name: string;
  transport: string;
  tool: string;
  args: object;
  /** A part of what the tool answers. */
  expected: string;
}

const READY_MS = 60_000;
const LOOK_MS = 250;
const HELLO = { args: { message: "hello" }, expected: "hello" };
const STDIO = "standard input and output";

const packageOf = (home: string, name: string) =>
  join(home, "node_modules/@modelcontextprotocol", name, "dist/index.js");

/** The programs that the operator names before the server starts. */
export function programs(home: string): string {
  const modules = join(home, "node_modules");
  const work = join(home, "work");
  const node = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [packageOf(home, name), ...args],
    read: [modules],
  });
  const python = (name: string, ...args: string[]) => ({
    command: pythonProgram(home, "tools", name),
    args,
    read: [join(home, "python/tools")],
  });
  return JSON.stringify({
    everything: node("server-everything", "stdio"),
    files: { ...node("server-filesystem", work), write: [work] },
    memory: node("server-memory"),
    git: {
      ...python("mcp-server-git"),
      read: [join(home, "python/tools"), work],
      env: SAFE,
    },
    time: python("mcp-server-time"),
    fetch: {
      ...python("mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips"),
      network: true,
    },
  });
}

/** Git reads no repository of another user unasked. */
const SAFE = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
};

const trialsOf = (work: string, page: string): Trial[] => [
  program("server-everything", "everything", { tool: "echo", ...HELLO }),
  program("server-filesystem", "files", {
    tool: "list_directory",
    args: { path: work },
    expected: "made.txt",
  }),
  program("server-memory", "memory", {
    tool: "read_graph",
    args: {},
    expected: "entities",
  }),
  program("mcp-server-git", "git", {
    tool: "git_status",
    args: { repo_path: work },
    expected: "made.txt",
  }),
  program("mcp-server-time", "time", {
    tool: "get_current_time",
    args: { timezone: "Europe/Berlin" },
    expected: "Europe/Berlin",
  }),
  program("mcp-server-fetch", "fetch", {
    tool: "fetch",
    args: { url: page },
    expected: "ok",
  }),
];

function program(
  server: string,
  name: string,
  call: Pick<Trial, "tool" | "args" | "expected">,
): Trial {
  return { server, name, transport: STDIO, ...call };
}

export async function tryToolServers(
  home: string,
  parlance: TestServer,
  key: string,
): Promise<Result[]> {
  const work = join(home, "work");
  await run("git", ["init", "--quiet", work]);
  await using listening = await startListening(home);
  const started = listening.servers.map(({ url, trial }) => ({ url, trial }));
  const offered = trialsOf(work, `${parlance.url}/health`).map((trial) => ({
    url: `stdio:${trial.name}`,
    trial,
  }));
  const results: Result[] = [];
  for (const { url, trial } of [...offered, ...started])
    results.push(
      await tryTo(trial.server, `a tool, by ${trial.transport}`, () =>
        callThrough(parlance, key, url, trial),
      ),
    );
  return results;
}

/** While `work` runs, the gateway offers the tools of server-everything. */
export async function withToolServer<Value>(
  parlance: TestServer,
  work: () => Promise<Value>,
): Promise<Value> {
  await using _ = await registered(parlance, "everything", "stdio:everything");
  return await work();
}

async function registered(
  { request }: Pick<TestServer, "request">,
  name: string,
  url: string,
): Promise<AsyncDisposable> {
  const refresh = () => request("/mcp/v1/refresh", { method: "POST" });
  await request("/api/v1/mcp-servers", { body: { name, url, trusted: true } });
  await refresh();
  const registration = {
    async [Symbol.asyncDispose]() {
      await request(`/api/v1/mcp-servers/${name}`, { method: "DELETE" });
      await refresh();
    },
  };
  try {
    await whenReady({ request }, name);
    return registration;
  } catch (error) {
    await registration[Symbol.asyncDispose]();
    throw error;
  }
}

/** @returns what went wrong. */
async function callThrough(
  parlance: TestServer,
  key: string,
  url: string,
  { name, tool, args, expected }: Trial,
): Promise<string | void> {
  await using _ = await registered(parlance, name, url);
  const params = { name: tool, arguments: args };
  const answer = await fetch(`${parlance.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const said = await answer.text();
  if (!said.includes(expected)) return `answered ${said}`;
}

async function whenReady({ request }: Pick<TestServer, "request">, name: string) {
  const until = performance.now() + READY_MS;
  for (;;) {
    const answer = await request("/mcp/v1/servers");
    const { items } = (await answer.json()) as {
      items: { name: string; state: string; error?: unknown }[];
    };
    const found = items.find((one) => one.name === name);
    if (found?.state === "ready") return;
    if (performance.now() > until) throw new Error(`it is ${JSON.stringify(found)}`);
    await sleep(LOOK_MS);
  }
}

/** Servers that listen at ports of their own. */
async function startListening(home: string) {
  const children: ChildProcess[] = [];
  const everything = async (kind: string, path: string, transport: string) => {
    const port = await freePort();
    const entry = packageOf(home, "server-everything");
    const env = { ...process.env, PORT: String(port) };
    children.push(spawn(process.execPath, [entry, kind], { env, stdio: "ignore" }));
    const trial = { server: "server-everything", name: kind, transport, tool: "echo" };
    return { url: `http://127.0.0.1:${port}${path}`, trial: { ...trial, ...HELLO } };
  };
  const fastmcp = async (kind: string, path: string, transport: string) => {
    const port = await freePort();
    const script = [join(home, "fastmcp_server.py"), kind, String(port)];
    const python = pythonProgram(home, "tools");
    children.push(spawn(python, script, { stdio: "ignore", cwd: home }));
    const trial = { server: "fastmcp", name: `py-${kind}`, transport, tool: "repeat" };
    return { url: `http://127.0.0.1:${port}${path}`, trial: { ...trial, ...HELLO } };
  };
  const servers = [
    await everything("streamableHttp", "/mcp", "streamable HTTP"),
    await everything("sse", "/sse", "HTTP with server-sent events"),
    await fastmcp("http", "/mcp", "streamable HTTP, with sessions"),
    await fastmcp("stateless", "/mcp", "streamable HTTP, without sessions"),
    await fastmcp("sse", "/sse", "HTTP with server-sent events"),
  ];
  await Promise.all(servers.map(({ url }) => whenListening(url)));
  return {
    servers,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

async function whenListening(url: string): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const signal = AbortSignal.timeout(1_000);
    const answered = await fetch(url, { signal }).then(
      (answer) => answer.body?.cancel().then(() => true) ?? true,
      () => false,
    );
    if (answered) return;
    await sleep(LOOK_MS);
  }
  throw new Error(`nothing listens at ${url}`);
}
