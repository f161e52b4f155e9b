import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Agent, request } from "undici";
import type { Running } from "./processes.ts";
import {
  SECRET,
  signIn,
  type Stage,
  startServer,
  startTools,
  toolListed,
} from "./server.ts";
import { interleaved, timed } from "./measure.ts";

const CALLS = 400;

/**
 * Measures a tool call through the gateway, by its own route and by `/mcp`, against the SDK's own
 * client with an open session.
 */
export async function toolCalls(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const agent = new Agent({ connections: 128 });
  const tools = await startTools(stage);
  const parlance = await startServer(stage, "tools", "http://127.0.0.1:1/v1", tools.url);
  await toolListed(parlance, "echo");
  const direct = new Client({ name: "bench", version: "1" });
  await direct.connect(
    new StreamableHTTPClientTransport(new URL(tools.url)) as Parameters<
      Client["connect"]
    >[0],
  ); // its optional fields are declared wider than the interface's
  const { client: hop, name } = await clientOf(
    parlance,
    agent,
    await signIn(parlance, agent),
  );
  const throughGateway = async () => {
    const answer = await request(
      `http://127.0.0.1:${parlance.port}/mcp/v1/tools/call-tool`,
      {
        method: "POST",
        dispatcher: agent,
        headers: {
          "content-type": "application/json",
          "x-platform-mcp-service-secret": SECRET,
        },
        body: JSON.stringify({ name: "echo", arguments: {} }),
      },
    );
    if (answer.statusCode !== 200)
      throw new Error(`call-tool: ${answer.statusCode} ${await answer.body.text()}`);
    await answer.body.dump();
  };
  const measured = (call: () => Promise<unknown>) => async () => ({
    "calls a second": CALLS / (await timed(CALLS, 16, async () => void (await call()))),
    "ms a call, alone":
      ((await timed(100, 1, async () => void (await call()))) * 1_000) / 100,
  });
  const results = await interleaved(
    [
      {
        name: "SDK client, direct",
        run: measured(() => direct.callTool({ name: "echo", arguments: {} })),
      },
      { name: "call-tool", run: measured(throughGateway) },
      { name: "/mcp", run: measured(() => hop.callTool({ name, arguments: {} })) },
    ],
    stage.rounds,
  );
  await direct.close();
  await hop.close();
  await agent.destroy();
  return results;
}

/** The SDK's client at `/mcp`, and how the tool is called there. */
async function clientOf({ port }: Running, agent: Agent, token: string) {
  const made = await request(`http://127.0.0.1:${port}/api/v1/auth/api-keys`, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: "bench", scopes: ["tool:*"] }),
  });
  const { key } = (await made.body.json()) as { key: string };
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }) as Parameters<Client["connect"]>[0],
  ); // its optional fields are declared wider than the interface's
  const { tools } = await client.listTools();
  const name = tools.find((tool) => tool.name.includes("echo"))?.name;
  if (name === undefined) throw new Error("/mcp lists no echo");
  return { client, name };
}
