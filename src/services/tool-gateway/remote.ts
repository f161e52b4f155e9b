import type { ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { ClientAnswer } from "./client-answers.ts";
import type { Ask } from "./questions.ts";

/**
 * Which protocol a server speaks: with `initialize` and sessions, as until 2025-11-25, or without
 * them, as since 2026-07-28.
 */
export type Era = "sessions" | "stateless";

/** What the server tells outside of requests. */
export interface Listeners {
  /** The server says that its list of tools changed. */
  onToolsChanged(): void;
  /** The addresses of the resources that are watched now. */
  watched?(): readonly string[];
  /** A resource changed that is watched. */
  onResourceUpdated?(uri: string): void;
  /** Something on the connection failed. The connection may be broken. */
  onError(error: Error): void;
}

/** What a request has beside its method and params. */
export interface Sent {
  params: Record<string, unknown>;
  headers: Record<string, string>;
}

/** What stands in the `_meta` of one request. */
export interface RequestMeta {
  /** Of the caller; the names of the protocol's own fields are ours. */
  meta?: Record<string, unknown> | undefined;
  /** What the caller can be asked. */
  capabilities?: object | undefined;
  /** The least level of log lines that the caller wants. */
  logLevel?: string | undefined;
  /** Values of a tool's arguments that its server wants as headers. */
  headers?: Record<string, string> | undefined;
}

export interface RequestLimits {
  timeoutMs: number;
  signal: AbortSignal;
  onProgress?: (params: Record<string, unknown>) => void;
}

/** An open session at a tool server, or what stands for one where there are none. */
export interface Remote {
  readonly era: Era;
  readonly capabilities: ServerCapabilities | undefined;
  /** Whether the server keeps something between the calls of a session. */
  readonly isStateful: boolean;
  /** Whether answers to all requests come in one stream: the older transport. */
  readonly hasOneStream: boolean;
  /** A request as its server wants it. */
  prepare(ask: Ask, id: string, meta: RequestMeta): Sent;
  /** A result without what it says to us alone. */
  unwrap(result: unknown): unknown;
  /** Headers of any other message in the session. */
  headers(): Record<string, string>;
  /** Says that nobody waits for the answer any more. */
  cancel(id: string, reason: string): void;
  /**
   * Answers what the server asks outside of the stream of a request, while that runs. @returns a
   * function that ends it.
   */
  answering(answer: (question: Ask) => Promise<ClientAnswer>): () => void;
  /** Takes a message of the server that is no answer. */
  receive(message: Record<string, unknown>): void;
  /**
   * Sends a request that belongs to no caller.
   * @throws McpError for a refusal, StreamableHTTPError.
   */
  request(ask: Ask, limits: RequestLimits): Promise<unknown>;
  /** Hears of changes of a resource from now on. */
  watch(uri: string): Promise<void>;
  unwatch(uri: string): Promise<void>;
  /** Ends the session, so that the server can free it. */
  close(): Promise<void>;
}
