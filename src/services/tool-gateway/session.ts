import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import { createFairQueue, type FairQueue } from "../../platform/fair-queue.ts";
import { type ApiError, Unavailable } from "../../platform/http/errors.ts";
import { callTool } from "./call-tool.ts";
import { Connection, type ConnectionOptions, type SessionState } from "./connection.ts";
import type { ToolResult, ToolServer } from "./contract.ts";
import {
  explainFailure,
  isSessionGone,
  isTimeout,
  unreachable,
  connectionBroken,
  sessionLost,
} from "./explain-failure.ts";
import type { RemoteTool } from "./read-tools.ts";

const MAX_WAITING_CALLS = 1_000;
/** One user's calls to one server, running or waiting. */
const MAX_CALLS_PER_USER = 500;
const RETRY_MS = 1_000;

/** One tool server, with an open session that is restored by itself. */
export interface Session extends AsyncDisposable {
  readonly server: ToolServer;
  readonly state: SessionState;
  /** Why the server cannot be reached. */
  readonly failure: ApiError | undefined;
  /** The last list of tools, also while the server is down; `undefined` before the first one. */
  readonly tools: RemoteTool[] | undefined;
  /** Resolves when the first attempt to connect has ended, with or without success. */
  readonly attempted: Promise<void>;
  refresh(): Promise<void>;
  /**
   * Takes at most `callTimeoutMs`, with waiting, connecting and a second attempt.
   * @throws BadGateway `tool_server_unreachable`, GatewayTimeout `tool_timeout`, Unavailable
   * `tool_server_busy`.
   */
  call(
    name: string,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<ToolResult>;
}

export interface CallOptions {
  /** Users take turns at a server with too many calls. */
  userId: string | undefined;
  signal: AbortSignal;
}

interface SessionOptions extends Omit<ConnectionOptions, "onTools"> {
  /** A session without calls for this long is closed. Its tools stay listed. */
  idleMs: number;
  /** How often tools are read again: not every server announces changes, or its own end. */
  refreshMs: number;
  /** Calls to one server at once. */
  concurrency: number;
  /** Called when the tools were read. */
  changed: () => void;
}

interface Call {
  name: string;
  args: Record<string, unknown>;
  /** By `performance.now()`. */
  deadline: number;
  signal: AbortSignal;
}

export function openSession(options: SessionOptions): Session {
  return new ToolSession(options);
}

class ToolSession implements Session {
  readonly server: ToolServer;
  readonly #options: SessionOptions;
  readonly #connection: Connection;
  readonly #queue: FairQueue;
  readonly #maintenance: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    const { server, callTimeoutMs, concurrency, changed, idleMs, refreshMs } = options;
    this.server = server;
    this.#options = options;
    this.#connection = new Connection({ ...options, onTools: changed });
    const isBusy = () => busy(server.name);
    this.#queue = createFairQueue({
      size: concurrency,
      maxWaiting: MAX_WAITING_CALLS,
      maxPerUser: MAX_CALLS_PER_USER,
      maxWaitMs: callTimeoutMs,
      busy: isBusy,
      tooMany: isBusy,
    });
    const intervalMs = Math.min(idleMs, refreshMs);
    this.#maintenance = setInterval(() => this.#maintain(), intervalMs).unref();
  }

  get state(): SessionState {
    return this.#connection.state;
  }

  get failure(): ApiError | undefined {
    return this.#connection.failure;
  }

  get tools(): RemoteTool[] | undefined {
    return this.#connection.tools;
  }

  get attempted(): Promise<void> {
    return this.#connection.attempted;
  }

  refresh(): Promise<void> {
    return this.#connection.refresh();
  }

  async call(
    name: string,
    args: Record<string, unknown>,
    { userId, signal }: CallOptions,
  ): Promise<ToolResult> {
    const { callTimeoutMs, log } = this.#options;
    const call = { name, args, deadline: performance.now() + callTimeoutMs, signal };
    const leave = await this.#queue.enter(userId, signal);
    try {
      return await this.#callTwice(call);
    } catch (error) {
      signal.throwIfAborted();
      const failure =
        explainFailure(error, this.server.name, callTimeoutMs) ??
        unreachable(this.server.name, error);
      logFailedCall(log, { toolServer: this.server.name, tool: name }, failure);
      throw failure;
    } finally {
      leave();
    }
  }

  /** A server that did not know the session did not run the tool: a new session may. */
  async #callTwice(call: Call): Promise<ToolResult> {
    try {
      return await this.#callOnce(call);
    } catch (error) {
      if (!isSessionGone(error)) throw error;
      return this.#callOnce(call);
    }
  }

  /** @throws what `callTool` throws, after a broken connection was dropped. */
  async #callOnce({ name, args, deadline, signal }: Call): Promise<ToolResult> {
    const { server } = this;
    const { outgoing, callTimeoutMs } = this.#options;
    const connection = this.#connection;
    const client = await connection.reach(deadline - performance.now());
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) throw new McpError(ErrorCode.RequestTimeout, "no time was left");
    connection.activeCalls += 1;
    try {
      return await callTool({ client, server, outgoing, timeoutMs }, name, args, signal);
    } catch (error) {
      if (isTimeout(error)) connection.refreshInBackground();
      if (isSessionGone(error)) connection.drop(client, sessionLost());
      else if (!signal.aborted && !explainFailure(error, server.name, callTimeoutMs))
        connection.drop(client, connectionBroken());
      throw error;
    } finally {
      connection.activeCalls -= 1;
      connection.lastUsed = performance.now();
    }
  }

  #maintain(): void {
    const connection = this.#connection;
    if (!connection.isOpen) return;
    const idleForMs = performance.now() - connection.lastUsed;
    if (connection.activeCalls > 0 || idleForMs < this.#options.idleMs)
      connection.refreshInBackground();
    else connection.rest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#maintenance);
    await this.#connection[Symbol.asyncDispose]();
  }
}

function busy(server: string): Unavailable {
  return new Unavailable(
    "tool_server_busy",
    `"${server}" has too many calls at once. Try again in a moment.`,
    RETRY_MS,
    { params: { server } },
  );
}
