import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";

interface TestTool {
  description?: string;
  inputSchema?: Tool["inputSchema"];
  annotations?: Tool["annotations"];
  run: (args: Record<string, unknown>) => Promise<CallToolResult> | CallToolResult;
}

export interface ToolServer extends AsyncDisposable {
  url: string;
  port: number;
  tools: Record<string, TestTool>;
  /** Names of the tools that were called, in order. */
  calls: string[];
  /** Every header of every request. */
  headers: Record<string, string | string[] | undefined>[];
}

export const text = (value: string, isError = false): CallToolResult => ({ content: [{ type: "text", text: value }], isError });

/** A real MCP server over streamable HTTP whose tools a test gives. Each request is its own session. */
export async function startToolServer(tools: Record<string, TestTool>, port = 0): Promise<ToolServer> {
  const shared: ToolServer = {
    url: "",
    port,
    tools,
    calls: [],
    headers: [],
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const http = createServer(async (request, response) => {
    shared.headers.push(request.headers);
    const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.entries(shared.tools).map(
        ([name, { description = name, inputSchema = { type: "object" }, annotations }]) => ({
          name,
          description,
          inputSchema,
          annotations,
        }),
      ),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      shared.calls.push(params.name);
      const tool = shared.tools[params.name];
      return tool ? tool.run(params.arguments ?? {}) : text("unknown", true);
    });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on("close", () => void server.close());
    await server.connect(transport as Parameters<Server["connect"]>[0]); // its optional fields are declared wider than the interface's
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  shared.port = (http.address() as AddressInfo).port; // a TCP server has one
  shared.url = `http://127.0.0.1:${shared.port}/mcp`;
  return shared;
}
