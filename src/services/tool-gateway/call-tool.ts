import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { type Dispatcher, request } from "undici";
import { traceHeaders } from "../../platform/http/context.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { ToolResult, type ToolServer } from "./contract.ts";
import { MessageReader, parseMessage } from "./read-messages.ts";
import { MAX_ANSWER_BYTES, tooLarge } from "./tool-fetch.ts";

/** After its answer a server has this long to end the stream. */
const MAX_END_MS = 1_000;
const MAX_ERROR_CHARACTERS = 10_000;

interface Ask {
  /** Whose session the call goes over. */
  client: Client;
  server: ToolServer;
  outgoing: Outgoing;
  timeoutMs: number;
}

/** The part of a JSON-RPC response that we read. */
interface Answer {
  id?: unknown;
  result?: unknown;
  error?: { code?: number; message?: string };
}

/**
 * Calls a tool over a warm session. The SDK's client does the same at four times the cost, and does
 * not notice when an answer breaks off. Source: Model Context Protocol, streamable HTTP: sending
 * messages, resumability, cancellation.
 * @throws McpError, StreamableHTTPError, BadGateway `tool_result_too_large` and `tool_failed`;
 * anything else means that the connection broke.
 */
export async function callTool(
  { client, server, outgoing, timeoutMs }: Ask,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const id = crypto.randomUUID();
  const ended = new AbortController();
  const cancel = (reason: unknown, told: string) => {
    const params = { requestId: id, reason: told };
    client.notification({ method: "notifications/cancelled", params }).catch(() => {});
    ended.abort(reason);
  };
  const leave = () => cancel(signal.reason, "the caller left");
  const timer = setTimeout(
    () => cancel(new McpError(ErrorCode.RequestTimeout, "timed out"), "it took too long"),
    timeoutMs,
  );
  signal.throwIfAborted();
  signal.addEventListener("abort", leave, { once: true });
  try {
    const message = { method: "tools/call", params: { name, arguments: args }, jsonrpc: "2.0", id };
    const ask = { outgoing, server, client, signal: ended.signal };
    return resultOf(await answerTo(id, message, ask));
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

type Way = Omit<Ask, "timeoutMs"> & { signal: AbortSignal };

/**
 * Sends the message, and reads what comes until its answer does; goes on in another stream where
 * the server offers that.
 */
async function answerTo(id: string, message: object, way: Way): Promise<Answer> {
  const reader = new MessageReader();
  const bound = { left: MAX_ANSWER_BYTES };
  let response = await exchange(way, { method: "POST", body: JSON.stringify(message) });
  for (;;) {
    const answer = isStream(response)
      ? await read(response.body, bound, (chunk) => sorted(id, reader.push(chunk), way.client))
      : sorted(id, await wholeAnswer(response.body, bound), way.client);
    if (answer) return answer;
    if (reader.lastEventId === undefined) throw new Error("the answer broke off");
    await sleep(reader.retryMs, undefined, { signal: way.signal });
    response = await exchange(way, {
      method: "GET",
      headers: { "last-event-id": reader.lastEventId },
    });
  }
}

type Body = Dispatcher.ResponseData["body"];

function isStream({ headers }: Dispatcher.ResponseData): boolean {
  return String(headers["content-type"]).includes("text/event-stream");
}

/**
 * Reads until something is found in a chunk. The stream's end follows an answer at once, and
 * reading it keeps the connection; a server that goes on is cut off.
 * @throws what `find` throws, BadGateway `tool_result_too_large`; anything else means that the
 * connection broke.
 */
function read<T>(
  body: Body,
  bound: { left: number },
  find: (chunk: Uint8Array) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let cutOff: NodeJS.Timeout | undefined;
    body.on("data", (chunk: Uint8Array) => {
      bound.left -= chunk.byteLength;
      if (bound.left < 0) body.destroy(tooLarge());
      if (cutOff || bound.left < 0) return;
      try {
        const found = find(chunk);
        if (found === undefined) return;
        resolve(found);
        cutOff = setTimeout(() => body.destroy(), MAX_END_MS).unref();
      } catch (error) {
        body.destroy(error instanceof Error ? error : undefined);
      }
    });
    body.once("error", reject);
    body.once("close", () => {
      clearTimeout(cutOff);
      resolve(undefined);
    });
  });
}

async function wholeAnswer(body: Body, bound: { left: number }): Promise<unknown[]> {
  const chunks: Uint8Array[] = [];
  await read(body, bound, (chunk) => void chunks.push(chunk));
  const told = parseMessage(Buffer.concat(chunks).toString());
  return Array.isArray(told) ? told : [told];
}

/** @throws StreamableHTTPError, as the SDK does, for what is no answer of the protocol. */
async function exchange(
  { outgoing, server, client, signal }: Way,
  {
    headers,
    ...options
  }: { method: "GET" | "POST"; body?: string; headers?: Record<string, string> },
): Promise<Dispatcher.ResponseData> {
  const { transport } = client;
  if (!(transport instanceof StreamableHTTPClientTransport)) throw new Error("the session is over");
  const { sessionId, protocolVersion } = transport;
  outgoing.check(server.url);
  const response = await request(server.url, {
    ...options,
    dispatcher: outgoing.dispatcher,
    signal,
    headers: {
      ...(options.body !== undefined && { "content-type": "application/json" }),
      accept:
        options.body === undefined ? "text/event-stream" : "application/json, text/event-stream",
      "accept-encoding": "identity",
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }),
      ...traceHeaders(),
      ...headers,
      ...server.headers,
    },
  });
  const { statusCode, headers: got, body } = response;
  const type = String(got["content-type"]);
  if (
    statusCode === 200 &&
    /^(application\/json|text\/event-stream)\b/i.test(type) &&
    !got["content-encoding"]
  )
    return response;
  const said = await beginning(body);
  throw new StreamableHTTPError(
    statusCode === 200 ? -1 : statusCode,
    `Error POSTing to endpoint: ${said}`,
  );
}

/**
 * The answer among the messages; the others (requests and notifications of the server) go to the
 * session that they belong to.
 */
function sorted(id: string, messages: unknown[], client: Client): Answer | undefined {
  let answer: Answer | undefined;
  for (const message of messages) {
    if (typeof message !== "object" || message === null) continue;
    if ("id" in message && message.id === id && !("method" in message)) answer = message;
    else if ("method" in message && JSONRPCMessageSchema.safeParse(message).success)
      client.transport?.onmessage?.(message as JSONRPCMessage); // it was just found to be one
  }
  return answer;
}

function resultOf({ result, error }: Answer): ToolResult {
  if (error) return resultOfError(error);
  const parsed = ToolResult.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new BadGateway("tool_failed", "The tool's result is not one of the tool protocol.");
}

/**
 * An error that the server sent is the tool's own, for the model to deal with. Its codes are not
 * those by which the SDK tells of a broken connection: -32000 and -32001 are the server's to use.
 * Source: JSON-RPC 2.0, error object.
 */
function resultOfError({ code, message }: NonNullable<Answer["error"]>): ToolResult {
  const told = String(message ?? "The tool failed without a message.").slice(
    0,
    MAX_ERROR_CHARACTERS,
  );
  if (code === ErrorCode.InvalidParams) throw new McpError(code, told);
  return { content: [{ type: "text", text: told }], isError: true };
}

async function beginning(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > 4_096) break;
  }
  return Buffer.concat(chunks).toString().slice(0, 4_096);
}
