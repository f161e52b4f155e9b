import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import {
  createMcpHandler,
  type InputRequiredResult,
  type CallToolResult,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from "@modelcontextprotocol/server";

type Result = CallToolResult | InputRequiredResult;

export interface StatelessTool {
  inputSchema?: Tool["inputSchema"];
  annotations?: Tool["annotations"];
  run(args: Record<string, unknown>, context: ServerContext): Result | Promise<Result>;
}

export interface StatelessServer extends AsyncDisposable {
  url: string;
  tools: Record<string, StatelessTool>;
  /** The requests that it got, in order. */
  seen: { method: string; params: Record<string, unknown>; headers: Headers }[];
  /** Streams of notifications that are open. */
  streams(): number;
  toolsChanged(): void;
  resourceChanged(uri: string): void;
}

interface Options {
  port?: number;
  /** Whether it also speaks the versions with `initialize`. Default: only 2026-07-28. */
  speaksOlder?: boolean;
  capabilities?: ServerOptions["capabilities"];
  /** Answers a stream of notifications in place of the SDK. @returns whether it does. */
  listen?: (params: Record<string, unknown>, response: ServerResponse) => boolean;
  /** Adds handlers of other methods. */
  extend?: (server: Server) => void;
}

/** A real server of 2026-07-28, of the SDK. */
export async function startStatelessServer(
  tools: Record<string, StatelessTool>,
  { port = 0, speaksOlder = false, capabilities, listen, extend }: Options = {},
): Promise<StatelessServer> {
  const seen: StatelessServer["seen"] = [];
  let streams = 0;
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: "stateless", version: "1" },
        { capabilities: { tools: { listChanged: true }, logging: {}, ...capabilities } },
      );
      server.setRequestHandler("tools/list", () => ({
        tools: Object.entries(served.tools).map(([name, tool]) => ({
          name,
          description: `What ${name} does`,
          inputSchema: tool.inputSchema ?? { type: "object" as const, properties: {} },
          annotations: tool.annotations ?? { readOnlyHint: true },
        })),
      }));
      server.setRequestHandler("tools/call", ({ params }, context) => {
        const tool = served.tools[params.name];
        if (!tool) throw new Error(`no tool ${params.name}`);
        return tool.run(params.arguments ?? {}, context) as CallToolResult; // of either type
      });
      extend?.(server);
      return server;
    },
    { legacy: speaksOlder ? "stateless" : "reject", keepAliveMs: 0 },
  );
  const http = createServer((incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy());
  });
  async function serve(incoming: IncomingMessage, response: ServerResponse) {
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    const headers = new Headers(incoming.headers as Record<string, string>); // sent once each
    const { method = "", params = {} } = readMessage(body);
    if (method) seen.push({ method, params, headers });
    if (method === "subscriptions/listen" && listen?.(params, response)) return;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const answer = await handler.fetch(
      new Request(`${served.url}`, {
        method: incoming.method ?? "POST",
        headers,
        signal: gone.signal,
        ...(body && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return void response.end();
    const isStream = method === "subscriptions/listen" && answer.ok;
    if (isStream) {
      streams += 1;
      response.on("close", () => (streams -= 1));
    }
    const read = Readable.fromWeb(answer.body as never); // the same type of another library
    read.on("error", () => response.destroy());
    read.pipe(response);
  }
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const served: StatelessServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, // a TCP server has a port
    tools,
    seen,
    streams: () => streams,
    toolsChanged: () => handler.notify.toolsChanged(),
    resourceChanged: (uri) => handler.notify.resourceUpdated(uri),
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return served;
}

function readMessage(body: string): { method?: string; params?: Record<string, unknown> } {
  try {
    return JSON.parse(body) as { method?: string; params?: Record<string, unknown> }; // of a client
  } catch {
    return {};
  }
}
