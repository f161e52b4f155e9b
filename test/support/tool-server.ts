import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  type Tool,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

interface TestTool {
  description?: string;
  inputSchema?: Tool["inputSchema"];
  /** Default: read-only; null: without annotations. */
  annotations?: Tool["annotations"] | null;
  outputSchema?: Tool["outputSchema"];
  run: (args: Record<string, unknown>) => Promise<CallToolResult> | CallToolResult;
}

export interface ToolServer extends AsyncDisposable {
  url: string;
  port: number;
  tools: Record<string, TestTool>;
  /** Names of the called tools, in order. */
  calls: string[];
  /** Every header of every request. */
  headers: Record<string, string | string[] | undefined>[];
  /** The number of open sessions, if it keeps sessions. */
  sessions(): number;
  /** The number of sessions opened so far, if it keeps sessions. */
  opened(): number;
  /** The number of clients that listen for notifications. */
  streams(): number;
  /** The number of requests for its tools. */
  lists(): number;
  /** The number of calls cancelled by a notification or a disconnect. */
  cancelled(): number;
  /** The status that it answers to calls instead of running them. */
  failCalls: number | undefined;
  /** Forgets its sessions, as a restart does. */
  forgetSessions(): void;
  /** Notifies every session that the list of tools changed. */
  toolsChanged(): Promise<void>;
  /** The addresses that sessions have subscribed to, one for each session. */
  subscribed(): string[];
  /** Notifies the sessions that have subscribed to a resource that it changed. */
  resourceChanged(uri: string): Promise<void>;
}

export const text = (value: string, isError = false): CallToolResult => ({
  content: [{ type: "text", text: value }],
  isError,
});

interface Options {
  port?: number;
  /**
   * Keeps sessions, as most servers do, and answers this to an unknown one. Default: each request
   * is its own session.
   */
  unknownSession?: 404 | 400;
  /** Texts by address, to which sessions may subscribe. */
  resources?: Record<string, string>;
}

/** A real MCP server over streamable HTTP with the test's tools. */
export async function startToolServer(
  tools: Record<string, TestTool>,
  { port = 0, unknownSession, resources }: Options = {},
): Promise<ToolServer> {
  const sessions = new Map<
    string,
    { server: Server; transport: StreamableHTTPServerTransport }
  >();
  const wanted = new Map<Server, Set<string>>();
  let opened = 0;
  let streams = 0;
  let lists = 0;
  let cancelled = 0;
  const shared: ToolServer = {
    url: "",
    port,
    tools,
    calls: [],
    headers: [],
    sessions: () => sessions.size,
    opened: () => opened,
    streams: () => streams,
    lists: () => lists,
    cancelled: () => cancelled,
    failCalls: undefined,
    forgetSessions: () => sessions.clear(),
    async toolsChanged() {
      await Promise.all(
        [...sessions.values()].map(({ server }) => server.sendToolListChanged()),
      );
    },
    subscribed: () =>
      [...sessions.values()].flatMap(({ server }) => [...(wanted.get(server) ?? [])]),
    async resourceChanged(uri) {
      await Promise.all(
        [...sessions.values()]
          .filter(({ server }) => wanted.get(server)?.has(uri))
          .map(({ server }) => server.sendResourceUpdated({ uri })),
      );
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const make = () => {
    const server = new Server(
      { name: "test", version: "1" },
      {
        capabilities: {
          tools: { listChanged: true },
          ...(resources && { resources: { subscribe: true } }),
        },
      },
    );
    if (resources) addResources(server, resources, wanted);
    server.setRequestHandler(ListToolsRequestSchema, () => {
      lists += 1;
      return {
        tools: Object.entries(shared.tools).map(
          ([
            name,
            {
              run: _,
              description = name,
              inputSchema = { type: "object" },
              annotations = { readOnlyHint: true },
              outputSchema,
            },
          ]) => ({
            name,
            description,
            inputSchema,
            ...(annotations && { annotations }),
            outputSchema,
          }),
        ),
      };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
      shared.calls.push(params.name);
      signal.addEventListener("abort", () => (cancelled += 1));
      const tool = Object.hasOwn(shared.tools, params.name)
        ? shared.tools[params.name]
        : undefined;
      return tool ? tool.run(params.arguments ?? {}) : text("unknown", true);
    });
    return server;
  };
  const http = createServer(async (request, response) => {
    shared.headers.push(request.headers);
    if (request.method === "GET") {
      streams += 1;
      response.on("close", () => (streams -= 1));
    }
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (shared.failCalls !== undefined && request.method === "POST")
      return void response.writeHead(shared.failCalls).end("no");
    if (known) return known.transport.handleRequest(request, response);
    if (id !== undefined && unknownSession)
      return void response
        .writeHead(unknownSession)
        .end(JSON.stringify({ error: "No valid session ID provided" }));
    const server = make();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: unknownSession ? () => crypto.randomUUID() : undefined,
      onsessioninitialized: (session) => {
        opened += 1;
        sessions.set(session, { server, transport });
      },
      onsessionclosed: (session) => void sessions.delete(session),
    });
    if (!unknownSession) response.on("close", () => void server.close());
    await server.connect(transport as Parameters<Server["connect"]>[0]); // its optional fields are declared wider than the interface's
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  shared.port = (http.address() as AddressInfo).port; // a TCP server has one
  shared.url = `http://127.0.0.1:${shared.port}/mcp`;
  return shared;
}

function addResources(
  server: Server,
  resources: Record<string, string>,
  wanted: Map<Server, Set<string>>,
): void {
  const own = new Set<string>();
  wanted.set(server, own);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
    contents: [{ uri, text: resources[uri] ?? "" }],
  }));
  server.setRequestHandler(
    SubscribeRequestSchema,
    ({ params }) => (own.add(params.uri), {}),
  );
  server.setRequestHandler(
    UnsubscribeRequestSchema,
    ({ params }) => (own.delete(params.uri), {}),
  );
}

/** A server that accepts connections and never answers. */
export async function startDeafServer(): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createTcpServer(
    (socket) => void sockets.add(socket.on("error", () => {})),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, // a TCP server has one
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
