import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  EmptyResultSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  McpError,
  type ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isRecord } from "../../platform/json/is-record.ts";
import { endsWithin } from "../../platform/within.ts";
import type { ClientAnswer } from "./client-answers.ts";
import type { Remote, RequestLimits, RequestMeta, Sent } from "./remote.ts";
import { QUESTIONS, type Ask } from "./questions.ts";

const DISCONNECT_TIMEOUT_MS = 1_000;
const WATCH_TIMEOUT_MS = 55_000;

/** A session at a server of 2025-11-25 or before, by the SDK's client. */
export class SessionRemote implements Remote {
  readonly era = "sessions";
  readonly client: Client;
  readonly #closing = new AbortController();
  /** Of the requests that run, the newest last. */
  readonly #answers = new Set<(question: Ask) => Promise<ClientAnswer>>();

  constructor(client: Client) {
    this.client = client;
    client.fallbackRequestHandler = ({ method, params }) =>
      this.#answer({ method, params: { ...params } });
  }

  answering(answer: (question: Ask) => Promise<ClientAnswer>): () => void {
    this.#answers.add(answer);
    return () => this.#answers.delete(answer);
  }

  /** A question that names no request belongs to the newest one of this session's user. */
  async #answer(question: Ask): Promise<Record<string, unknown>> {
    const answer = [...this.#answers].at(-1);
    if (!answer || !QUESTIONS.includes(question.method))
      throw new McpError(ErrorCode.MethodNotFound, "nobody can be asked now");
    const { result } = await answer(question);
    if (!isRecord(result)) throw new McpError(ErrorCode.InvalidRequest, "nobody answered");
    return result;
  }

  get capabilities(): ServerCapabilities | undefined {
    return this.client.getServerCapabilities();
  }

  get isStateful(): boolean {
    const { transport } = this.client;
    return (
      this.hasOneStream ||
      (transport instanceof StreamableHTTPClientTransport &&
        transport.sessionId !== undefined)
    );
  }

  get hasOneStream(): boolean {
    return this.client.transport instanceof SSEClientTransport;
  }

  prepare({ params }: Ask, id: string, { meta }: RequestMeta): Sent {
    return {
      params: { ...params, _meta: { ...meta, progressToken: id } },
      headers: this.headers(),
    };
  }

  unwrap(result: unknown): unknown {
    return result;
  }

  headers(): Record<string, string> {
    const { transport } = this.client;
    if (!(transport instanceof StreamableHTTPClientTransport))
      throw new Error("the session is over");
    const { sessionId, protocolVersion } = transport;
    return {
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }),
    };
  }

  cancel(id: string, reason: string): void {
    const params = { requestId: id, reason };
    const notification = { method: "notifications/cancelled" as const, params };
    // a courtesy: the server may have gone
    this.client.notification(notification).catch(() => {});
  }

  receive(message: Record<string, unknown>): void {
    if (JSONRPCMessageSchema.safeParse(message).success)
      this.client.transport?.onmessage?.(message as JSONRPCMessage); // the schema has just confirmed it
  }

  request(
    ask: Ask,
    { timeoutMs: timeout, signal, onProgress }: RequestLimits,
  ): Promise<unknown> {
    return this.client.request(ask as never, z.unknown() as never, {
      timeout,
      signal,
      ...(onProgress && { onprogress: (params) => onProgress({ ...params }) }),
    });
  }

  watch(uri: string): Promise<void> {
    return this.#subscribe("resources/subscribe", uri);
  }

  unwatch(uri: string): Promise<void> {
    return this.#subscribe("resources/unsubscribe", uri);
  }

  async #subscribe(method: string, uri: string): Promise<void> {
    await this.client.request({ method, params: { uri } }, EmptyResultSchema, {
      timeout: WATCH_TIMEOUT_MS,
      signal: this.#closing.signal,
    });
  }

  /** Source: Model Context Protocol, session management. */
  async close(): Promise<void> {
    this.#closing.abort();
    const { transport } = this.client;
    if (transport instanceof StreamableHTTPClientTransport) {
      // a server that does not answer ends it when it is idle
      await endsWithin(DISCONNECT_TIMEOUT_MS, transport.terminateSession()).catch(() => {});
    }
    // it may be closed already
    await this.client.close().catch(() => {});
  }
}
