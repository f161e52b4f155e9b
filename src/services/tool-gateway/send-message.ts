import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Dispatcher, request } from "undici";
import { traceHeaders } from "../../platform/http/context.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { ToolServer } from "./contract.ts";

const MAX_ERROR_BYTES = 4_096;
const ANSWER_TYPE = /^(application\/json|text\/event-stream)\b/i;

/** A session at a tool server. */
export interface ServerConnection {
  client: Client;
  server: ToolServer;
  outgoing: Outgoing;
  signal: AbortSignal;
}

interface Message {
  method: "GET" | "POST";
  body?: string;
  headers?: Record<string, string>;
}

/**
 * One HTTP request in a session.
 * @throws StreamableHTTPError, as the SDK does, for an answer that the protocol does not know.
 */
export async function sendMessage(
  { outgoing, server, client, signal }: ServerConnection,
  { method, body, headers }: Message,
): Promise<Dispatcher.ResponseData> {
  outgoing.check(server.url);
  const response = await request(server.url, {
    method,
    ...(body !== undefined && { body }),
    dispatcher: outgoing.dispatcher,
    signal,
    headers: {
      ...sessionHeaders(client),
      ...contentHeaders(body !== undefined),
      ...traceHeaders(),
      ...headers,
      ...server.headers,
    },
  });
  const { statusCode, headers: answered } = response;
  const isAnswer = ANSWER_TYPE.test(String(answered["content-type"]));
  if (statusCode === 200 && isAnswer && !answered["content-encoding"]) return response;
  const text = await readBeginning(response.body);
  throw new StreamableHTTPError(
    statusCode === 200 ? -1 : statusCode,
    `Error POSTing to endpoint: ${text}`,
  );
}

function sessionHeaders({ transport }: Client): Record<string, string> {
  if (!(transport instanceof StreamableHTTPClientTransport))
    throw new Error("the session is over");
  const { sessionId, protocolVersion } = transport;
  return {
    ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
    ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }),
  };
}

function contentHeaders(hasBody: boolean): Record<string, string> {
  const encoding = { "accept-encoding": "identity" };
  if (!hasBody) return { accept: "text/event-stream", ...encoding };
  const accept = "application/json, text/event-stream";
  return { "content-type": "application/json", accept, ...encoding };
}

async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString().slice(0, MAX_ERROR_BYTES);
}
