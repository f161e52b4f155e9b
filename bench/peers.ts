import { existsSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici";
import { startToolServer, text } from "../test/support/tool-server.ts";
import { AS_SERVICE, SECRET, type Stage, startServer, toolListed } from "./server.ts";
import { interleaved } from "./measure.ts";
import { replies, type Target } from "./streams.ts";

const FOLDER = "bench/peers/node_modules";
const TOKENS = 200;
const messages = [{ role: "user", content: "hello" }];

/**
 * Compares replies of 200 tokens, 32 at once, with alternatives: Portkey's gateway and the AI SDK's
 * streamText for a completion, LangGraph for an agent with a tool. The tool is a function, as in
 * LangGraph's examples, or the tool server that Parlance calls.
 */
export async function besidePeers(
  stage: Stage,
): Promise<Record<string, Record<string, number>> | undefined> {
  if (!existsSync(FOLDER)) {
    console.log(
      `Skipped, since the peers are not installed: npm install --prefix bench/peers --ignore-scripts --legacy-peer-deps`,
    );
    return undefined;
  }
  const agent = new Agent({ connections: 128 });
  const tools = await startToolServer({ echo: { run: () => text("hello") } });
  const provider = await stage.processes.start([
    "test/support/fake-provider/main.ts",
    "--tokens",
    String(TOKENS),
    "--tool",
    "echo",
  ]);
  const providerUrl = `http://127.0.0.1:${provider.port}/v1`;
  const parlance = await startServer(stage, "peers", providerUrl, tools.url);
  await toolListed(parlance, "echo");
  const portkey = await startPortkey(stage);
  const streamText = await stage.processes.start([
    "bench/peers/stream-text.mjs",
    providerUrl,
  ]);
  const langGraph = await stage.processes.start([
    "bench/peers/lang-graph.mjs",
    providerUrl,
  ]);
  const langGraphOverMcp = await stage.processes.start([
    "bench/peers/lang-graph.mjs",
    providerUrl,
    tools.url,
  ]);
  const ours = `http://127.0.0.1:${parlance.port}/api/v1`;
  const model = "openai/gpt-test";
  const targets: Omit<Target, "tokens">[] = [
    {
      name: "POST /completions",
      url: `${ours}/completions`,
      headers: { authorization: `Bearer ${SECRET}` },
      body: { model, messages },
      pid: parlance.pid,
    },
    {
      name: "Portkey gateway",
      url: `http://127.0.0.1:${portkey.port}/v1/chat/completions`,
      headers: {
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": providerUrl,
        authorization: "Bearer k",
      },
      body: { model: "gpt-test", messages, stream: true },
      pid: portkey.pid,
    },
    {
      name: "AI SDK streamText",
      url: `http://127.0.0.1:${streamText.port}/`,
      body: { messages },
      pid: streamText.pid,
    },
    {
      name: "POST /agent/run, one tool call",
      url: `${ours}/agent/run`,
      headers: AS_SERVICE,
      body: { model, messages, tools: ["echo"] },
      pid: parlance.pid,
    },
    {
      name: "LangGraph, one tool call",
      url: `http://127.0.0.1:${langGraph.port}/`,
      body: { messages },
      pid: langGraph.pid,
    },
    {
      name: "LangGraph, the same tool server",
      url: `http://127.0.0.1:${langGraphOverMcp.port}/`,
      body: { messages },
      pid: langGraphOverMcp.pid,
    },
  ];
  const figures = await interleaved(
    targets.map((target) =>
      replies(agent, { ...target, tokens: TOKENS }, { total: 192, atOnce: 32 }),
    ),
    stage.rounds,
  );
  await tools[Symbol.asyncDispose]();
  await agent.destroy();
  return figures;
}

/** The gateway prints no address, so it gets a port and is polled until it answers. */
async function startPortkey({ processes }: Stage) {
  const port = await freePort();
  const pid = processes.spawn([
    "--import",
    "./bench/peers/changeable-headers.mjs",
    `${FOLDER}/@portkey-ai/gateway/build/start-server.js`,
    "--headless",
    `--port=${port}`,
  ]);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const up = await request(`http://127.0.0.1:${port}/`).then(
      ({ body }) => body.dump().then(() => true),
      () => false,
    );
    if (up) return { port, pid };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("Portkey's gateway does not start");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  await new Promise((resolve) => server.close(resolve));
  return port;
}
