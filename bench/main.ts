import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Agent, request } from "undici";
import { startToolServer, text } from "../test/support/tool-server.ts";
import { interleaved, timed } from "./measure.ts";

/**
 * Hot paths as ratios to a floor in the same run: completions and agent runs against a bare byte pipe to the same fake provider, a tool
 * call through the gateway against the SDK's own client. Prints a table and writes bench/results/latest.json.
 */
const TOKENS = 200;
const REPLIES = 192;
const AT_ONCE = 32;
const ROUNDS = 5;
const SECRET = "benchmark-secret-benchmark";

const dataDir = await mkdtemp(join(tmpdir(), "parlance-bench-"));
const children: ChildProcess[] = [];
const agent = new Agent({ connections: 128 });

const provider = await listening(
  ["test/support/fake-provider/main.ts", "--port", "0", "--tokens", String(TOKENS)],
  {},
  /http:\/\/[\d.]+:(\d+)/,
);
const pipe = createServer((incoming, outgoing) => {
  const upstream = httpRequest(
    { port: provider, path: "/v1/chat/completions", method: "POST", headers: incoming.headers },
    (answer) => answer.pipe(outgoing),
  );
  incoming.pipe(upstream);
});
await new Promise<void>((resolve) => pipe.listen(0, "127.0.0.1", resolve));
const pipePort = (pipe.address() as AddressInfo).port; // a TCP server has one
const tools = await startToolServer({ echo: { run: () => text("hello") } });
const house = await listening(
  ["src/main.ts", "serve"],
  {
    PORT: "0",
    DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    COMPLETION_SERVICE_SECRET: SECRET,
    MCP_SERVICE_SECRET: SECRET,
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: `http://127.0.0.1:${provider}/v1`,
    OPENAI_MODELS: "gpt-test",
    OUTGOING_ALLOW: "127.0.0.0/8",
    MCP_SERVERS: JSON.stringify([{ name: "bench", url: tools.url }]),
    MCP_SERVERS_POLL: "300",
  },
  /ready at http:\/\/[\d.]+:(\d+)/,
);

const messages = [{ role: "user", content: "hello" }];
const reply =
  (port: number, path: string, body: object, headers: Record<string, string> = {}) =>
  async () => {
    const firsts: number[] = [];
    const seconds = await timed(REPLIES, AT_ONCE, async () => {
      const startedAt = performance.now();
      const answer = await request(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        dispatcher: agent,
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`);
      let first = true;
      for await (const _ of answer.body) {
        if (first) firsts.push(performance.now() - startedAt);
        first = false;
      }
    });
    firsts.sort((a, b) => a - b);
    return {
      "replies a second": REPLIES / seconds,
      "tokens a second": (REPLIES * TOKENS) / seconds,
      "first token, ms": firsts[Math.floor(firsts.length / 2)] ?? Number.NaN,
    };
  };

const direct = new Client({ name: "bench", version: "1" });
await direct.connect(new StreamableHTTPClientTransport(new URL(tools.url)) as Parameters<Client["connect"]>[0]); // its optional fields are declared wider than the interface's
const toolCalls = (call: () => Promise<unknown>) => async () => {
  const seconds = await timed(400, 16, async () => void (await call()));
  return { "calls a second": 400 / seconds };
};
const throughGateway = async () => {
  const answer = await request(`http://127.0.0.1:${house}/mcp/v1/tools/call-tool`, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", "x-platform-mcp-service-secret": SECRET },
    body: JSON.stringify({ name: "echo", arguments: {} }),
  });
  if (answer.statusCode !== 200) throw new Error(`call-tool: ${answer.statusCode} ${await answer.body.text()}`);
  await answer.body.dump();
};
await toolsListed();

const streams = await interleaved(
  [
    { name: "byte pipe", run: reply(pipePort, "/v1/chat/completions", { model: "m", messages, stream: true }) },
    {
      name: "POST /completions",
      run: reply(house, "/api/v1/completions", { model: "openai/gpt-test", messages }, { authorization: `Bearer ${SECRET}` }),
    },
    { name: "POST /agent/run", run: reply(house, "/api/v1/agent/run", { model: "openai/gpt-test", messages }) },
  ],
  ROUNDS,
);
const calls = await interleaved(
  [
    { name: "SDK client, direct", run: toolCalls(() => direct.callTool({ name: "echo", arguments: {} })) },
    { name: "call-tool", run: toolCalls(throughGateway) },
  ],
  ROUNDS,
);

const rows = [...against(streams, "byte pipe"), ...against(calls, "SDK client, direct")];
console.table(rows);
await mkdir("bench/results", { recursive: true });
await writeFile(
  "bench/results/latest.json",
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, rows }, null, 2)}\n`,
);

for (const child of children) child.kill("SIGKILL");
await direct.close();
await tools[Symbol.asyncDispose]();
pipe.closeAllConnections();
pipe.close();
await agent.destroy();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);

function against(figures: Record<string, Record<string, number>>, floor: string) {
  return Object.entries(figures).flatMap(([name, values]) =>
    Object.entries(values).map(([figure, value]) => ({
      name,
      figure,
      value: Number(value.toFixed(2)),
      floor,
      ratio: Number((value / (figures[floor]?.[figure] ?? Number.NaN)).toFixed(2)),
    })),
  );
}

async function toolsListed(): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await request(`http://127.0.0.1:${house}/mcp/v1/tools/list-tools`, {
      headers: { "x-platform-mcp-service-secret": SECRET },
    });
    if ((await answer.body.text()).includes("echo")) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the gateway never listed the tool");
}

function listening(args: string[], env: Record<string, string>, line: RegExp): Promise<number> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let out = "";
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended: ${out}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const port = line.exec(out)?.[1];
      if (port) resolve(Number(port));
    });
  });
}
