import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  CancelledNotificationSchema,
  ErrorCode,
  isInitializeRequest,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { uuidv7 } from "uuidv7";
import { ApiError, Forbidden } from "../../platform/http/errors.ts";
import { readJsonText } from "../../platform/http/read-body.ts";
import { json } from "../../platform/http/respond.ts";
import { StreamResponse } from "../../platform/http/stream.ts";
import type { Cancellations } from "./cancel-calls.ts";
import type { ListedTool } from "./contract.ts";
import type { Gateway } from "./gateway.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import { isOwnHost } from "./is-own-host.ts";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const SERVER_INFO = { name: "parlance", version: "1" };

interface Deps {
  gateway: Gateway;
  cancellations: Cancellations;
  publicOrigin: string;
  /** Host names of this server, beside addresses and names without a dot. */
  hosts: readonly string[];
}

interface McpRequest {
  request: Request;
  /** Identifies the client, so that nobody cancels the calls of another one. */
  caller: string;
  /** Whose turn a call takes at a busy server; a service has none. */
  userId: string | undefined;
  tools: PermittedTools;
  signal: AbortSignal;
}

/**
 * The gateway as an MCP server. A server and a transport live for one request, so no answer can
 * reach another client, and any replica can take any request. A session id only says which requests
 * belong together.
 */
export async function answerMcp(deps: Deps, mcp: McpRequest): Promise<Response> {
  const { request, caller } = mcp;
  checkOrigin(deps, request);
  const text = await readJsonText(request, { maxBytes: MAX_BODY_BYTES });
  const body = parseJsonOrUndefined(text);
  const session = request.headers.get("mcp-session-id") ?? "";
  const cancelled = CancelledNotificationSchema.safeParse(body).data?.params.requestId;
  if (cancelled !== undefined)
    await deps.cancellations.cancel({ caller, session, requestId: cancelled });
  const server = createServer(deps, mcp, session);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: false,
  });
  // the SDK declares the optional fields of its transport wider than its own interface
  await server.connect(transport as Parameters<Server["connect"]>[0]);
  const { url, method, headers } = request;
  // a body that is not JSON is for the transport to answer
  const answer = await transport.handleRequest(
    new Request(url, { method, headers, body: text }),
    body === undefined ? {} : { parsedBody: body },
  );
  const response = toStreamResponse(answer, () => void server.close());
  if (isInitializeRequest(body)) response.headers.set("mcp-session-id", uuidv7());
  return response;
}

/** @throws Forbidden for requests that DNS rebinding or a page of another origin may have sent. */
function checkOrigin({ hosts, publicOrigin }: Deps, request: Request): void {
  if (!isOwnHost(request.url, hosts))
    throw new Forbidden(
      "host_not_allowed",
      "This host name does not belong to Parlance. Use PUBLIC_URL, or add it to MCP_ALLOWED_HOSTS.",
    );
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== publicOrigin)
    throw new Forbidden(
      "origin_not_allowed",
      "Pages of other origins may not call this endpoint. Call it from Parlance's own pages.",
    );
}

function createServer(
  { gateway, cancellations }: Deps,
  mcp: McpRequest,
  session: string,
): Server {
  const { caller, userId, tools, signal } = mcp;
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await tools.filter(gateway.list())).map(toMcpTool),
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params: { name, arguments: args = {} } }, extra): Promise<CallToolResult> => {
      const stop = new AbortController();
      const key = { caller, session, requestId: extra.requestId };
      const unregister = cancellations.register(key, () => {
        stop.abort();
        // a cancelled request gets no answer
        void server.close();
      });
      try {
        await tools.check(name, gateway.list());
        const anySignal = AbortSignal.any([signal, extra.signal, stop.signal]);
        // the result of an MCP server has the same schema
        const call = { userId, signal: anySignal };
        return (await gateway.call(name, args, call)) as CallToolResult;
      } catch (error) {
        return toErrorResult(error);
      } finally {
        unregister();
      }
    },
  );
  return server;
}

/** @throws McpError for a wrong request. */
function toErrorResult(error: unknown): CallToolResult {
  if (!(error instanceof ApiError)) throw error;
  if ([400, 403, 404].includes(error.status))
    throw new McpError(ErrorCode.InvalidParams, error.message);
  return { content: [{ type: "text", text: error.message }], isError: true };
}

/** A tool as its server describes it, with the effect that an administrator set. */
function toMcpTool(listed: ListedTool) {
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  const hints = listed.effectBy === "administrator" && {
    readOnlyHint: listed.effect === "read_only",
    destructiveHint: listed.effect === "destructive",
  };
  return {
    name,
    description,
    inputSchema: { type: "object" as const, ...inputSchema },
    ...(title && { title }),
    ...((annotations || hints) && { annotations: { ...annotations, ...hints } }),
    ...(outputSchema && { outputSchema: { type: "object" as const, ...outputSchema } }),
  };
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The SDK's response as a stream of the platform: a client that disconnects ends the call, and a
 * shutdown waits for it.
 */
function toStreamResponse(
  { body, status, headers }: Response,
  onEnd: () => void,
): Response {
  if (!body) {
    onEnd();
    return new Response(null, { status, headers });
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  return new StreamResponse(
    {
      async next() {
        try {
          const { done, value } = await reader.read();
          if (!done) return decoder.decode(value, { stream: true });
        } catch (error) {
          onEnd();
          throw error;
        }
        onEnd();
        return undefined;
      },
      cancel() {
        onEnd();
        // the client has gone: nobody reads on
        void reader.cancel().catch(() => {});
      },
    },
    { status, headers },
  );
}

/**
 * The answer to a request to listen to a session or to end one. Source: Model Context Protocol,
 * streamable HTTP.
 */
export function refuseSession(): Response {
  return json(
    {
      jsonrpc: "2.0",
      error: { code: -32000, message: "Method not allowed: this server has no sessions." },
      id: null,
    },
    405,
    { allow: "POST" },
  );
}
