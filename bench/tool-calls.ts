import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Agent, request } from "undici";
import { SECRET, type Stage, startServer, startTools, toolListed } from "./server.ts";
import { interleaved, timed } from "./measure.ts";

const CALLS = 400;

/** Measures a tool call through the gateway against the SDK's own client with an open session. */
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
    ],
    stage.rounds,
  );
  await direct.close();
  await agent.destroy();
  return results;
}
