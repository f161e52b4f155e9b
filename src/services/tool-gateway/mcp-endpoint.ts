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
import { ApiError, Forbidden, TooLarge } from "../../platform/http/errors.ts";
import { readJsonText } from "../../platform/http/read-body.ts";
import { json } from "../../platform/http/respond.ts";
import { StreamResponse } from "../../platform/http/stream.ts";
import type { Cancellations } from "./cancel-calls.ts";
import type { ListedTool } from "./contract.ts";
import type { Gateway } from "./gateway.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import { namesUs } from "./named-host.ts";

const MAX_BYTES = 4 * 1024 * 1024;

interface Deps {
  gateway: Gateway;
  cancellations: Cancellations;
  publicOrigin: string;
  /** Names of ours that a request may be sent to, beside addresses and names of the own network. */
  hosts: readonly string[];
}

/** `caller`: by which a client's requests are known as its own. */
interface Ask {
  request: Request;
  caller: string;
  tools: PermittedTools;
  signal: AbortSignal;
}

/**
 * The gateway as an MCP server. A server and a transport live for one request, so no answer can
 * reach another client (security row 23), and any replica can take any request. A session's id says
 * no more than which requests belong together.
 */
export async function answerMcp(
  { gateway, cancellations, publicOrigin, hosts }: Deps,
  { request, caller, tools, signal }: Ask,
): Promise<Response> {
  if (!namesUs(request.url, hosts))
    throw new Forbidden(
      "host_not_allowed",
      "This is no host of ours. Use PUBLIC_URL, or name the host in MCP_ALLOWED_HOSTS.",
    );
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== publicOrigin)
    throw new Forbidden(
      "origin_not_allowed",
      "Browsers may call this endpoint from Parlance's own pages only.",
    );
  // the transport reads the whole body, so its length must be known to be bearable
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= MAX_BYTES))
    throw new TooLarge(
      "body_too_large",
      `Send a body of at most ${MAX_BYTES} bytes, with its Content-Length.`,
    );
  const text = await readJsonText(request, { maxBytes: MAX_BYTES });
  const body = parsed(text);
  const session = request.headers.get("mcp-session-id") ?? "";
  const cancelled = CancelledNotificationSchema.safeParse(body).data?.params.requestId;
  if (cancelled !== undefined)
    await cancellations.cancel({ caller, session, requestId: cancelled });
  const server = new Server({ name: "parlance", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await tools.among(gateway.list())).map(toMcpTool),
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, extra): Promise<CallToolResult> => {
      const stop = new AbortController();
      const forget = cancellations.running({ caller, session, requestId: extra.requestId }, () => {
        stop.abort();
        // a cancelled request gets no answer
        void server.close();
      });
      try {
        await tools.check(params.name, gateway.list());
        // the content came from an MCP server by the same schema
        return (await gateway.call(
          params.name,
          params.arguments ?? {},
          AbortSignal.any([signal, extra.signal, stop.signal]),
        )) as CallToolResult;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 404 || error.status === 400 || error.status === 403)
          throw new McpError(ErrorCode.InvalidParams, error.message);
        return { content: [{ type: "text", text: error.message }], isError: true };
      } finally {
        forget();
      }
    },
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: false });
  await server.connect(transport as Parameters<Server["connect"]>[0]); // its optional fields are declared wider than the interface's
  const { url, method, headers } = request;
  // what is no JSON is the transport's to answer
  const answer = await transport.handleRequest(
    new Request(url, { method, headers, body: text }),
    body === undefined ? {} : { parsedBody: body },
  );
  const response = streamed(answer, () => void server.close());
  if (isInitializeRequest(body)) response.headers.set("mcp-session-id", uuidv7());
  return response;
}

/** As its server describes it, but for what an administrator says that it does. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The SDK's response, known as one that ends later: a caller who hangs up ends the call, and a
 * shutdown waits for it.
 */
function streamed({ body, status, headers }: Response, ended: () => void): Response {
  if (!body) {
    ended();
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
          ended();
          throw error;
        }
        ended();
        return undefined;
      },
      cancel() {
        ended();
        void reader.cancel().catch(() => {});
      },
    },
    { status, headers },
  );
}

/**
 * Without sessions there is nothing to listen to or to end. Source: Model Context Protocol,
 * streamable HTTP.
 */
export function noSession(): Response {
  return json(
    {
      jsonrpc: "2.0",
      error: { code: -32000, message: "Method not allowed: this server keeps no session." },
      id: null,
    },
    405,
    { allow: "POST" },
  );
}
