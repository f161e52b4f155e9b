import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { ApiError, Forbidden, TooLarge } from "../../platform/http/errors.ts";
import { json } from "../../platform/http/respond.ts";
import { StreamResponse } from "../../platform/http/stream.ts";
import type { Gateway } from "./gateway.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The gateway as an MCP server. A server and a transport live for one request, so no answer can reach another client
 * (security row 23), and any replica can take any request.
 */
export async function answerMcp(
  gateway: Gateway,
  request: Request,
  publicOrigin: string,
  signal: AbortSignal,
): Promise<Response> {
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== publicOrigin)
    throw new Forbidden("origin_not_allowed", "Browsers may call this endpoint from Parlance's own pages only.");
  // the transport reads the whole body, so its length must be known to be bearable
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= MOST_BYTES))
    throw new TooLarge("body_too_large", `Send a body of at most ${MOST_BYTES} bytes, with its Content-Length.`);
  const server = new Server({ name: "parlance", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: gateway.list().map(({ server: _, inputSchema, outputSchema, ...tool }) => ({
      ...tool,
      inputSchema: { type: "object" as const, ...inputSchema },
      ...(outputSchema && { outputSchema: { type: "object" as const, ...outputSchema } }),
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    try {
      // the content came from an MCP server by the same schema
      return (await gateway.call(params.name, params.arguments ?? {}, AbortSignal.any([signal, extra.signal]))) as CallToolResult;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 || error.status === 400) throw new McpError(ErrorCode.InvalidParams, error.message);
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: false });
  await server.connect(transport as Parameters<Server["connect"]>[0]); // its optional fields are declared wider than the interface's
  return streamed(await transport.handleRequest(request), () => void server.close());
}

/** The SDK's response, known as one that ends later: a caller who hangs up ends the call, and a shutdown waits for it. */
function streamed({ body, status, headers }: Response, ended: () => void): Response {
  if (!body) {
    ended();
    return new Response(null, { status, headers });
  }
  const reader = body.getReader();
  const end = () => {
    response.onEnd();
    ended();
  };
  const relayed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel(reason) {
        response.onCancel();
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const response = new StreamResponse(relayed, { status, headers });
  return response;
}

/** Without sessions there is nothing to listen to or to end. Source: Model Context Protocol, streamable HTTP. */
export function noSession(): Response {
  return json(
    { jsonrpc: "2.0", error: { code: -32000, message: "Method not allowed: this server keeps no session." }, id: null },
    405,
    { allow: "POST" },
  );
}
