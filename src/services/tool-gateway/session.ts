import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CallToolResultSchema,
  ErrorCode,
  McpError,
  type Tool,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ApiError, BadGateway, BadRequest, GatewayTimeout } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { ToolResult, ToolServer } from "./contract.ts";

export type RemoteTool = Pick<Tool, "name" | "annotations" | "title" | "outputSchema"> & {
  description: string;
  inputSchema: Record<string, unknown>;
};

export type SessionState = "connecting" | "ready" | "idle" | "down";

/** One tool server: a warm session that comes back by itself. */
export interface Session extends AsyncDisposable {
  readonly server: ToolServer;
  readonly state: SessionState;
  readonly detail: string | undefined;
  /** As last told by the server; kept while it is down. */
  readonly tools: RemoteTool[];
  /** Resolves when the first attempt to connect has ended, well or not. */
  readonly attempted: Promise<void>;
  refresh(): Promise<void>;
  /** @throws BadGateway `tool_server_unreachable`, GatewayTimeout `tool_timeout`. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
}

interface SessionOptions {
  server: ToolServer;
  outgoing: Outgoing;
  log: Logger;
  callTimeoutMs: number;
  /** A session without calls for this long is closed; its tools stay listed and the next call opens it again. */
  idleMs: number;
  /** The tools were read, again or for the first time. */
  changed: () => void;
}

const CONNECT_TIMEOUT = 10_000;
const LONGEST_BACKOFF = 30_000;
const MOST_PAGES = 100;

export function openSession({ server, outgoing, log, callTimeoutMs, idleMs, changed }: SessionOptions): Session {
  const closing = new AbortController();
  let state: SessionState = "connecting";
  let detail: string | undefined;
  let tools: RemoteTool[] = [];
  let client: Client | undefined;
  let connecting: Promise<Client> | undefined;
  let lastUsed = performance.now();
  let inUse = 0;

  async function open(): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: outgoing.fetch,
      requestInit: { ...(server.headers && { headers: server.headers }) },
    });
    const fresh = new Client({ name: "parlance", version: "1" }, { capabilities: {} });
    fresh.onclose = () => lost(fresh, "the server closed the session");
    fresh.onerror = (error) => log.debug({ err: error, server: server.name }, "tool session");
    try {
      // the SDK's transport declares its optional fields wider than its own interface
      await fresh.connect(transport as Parameters<Client["connect"]>[0], { timeout: CONNECT_TIMEOUT, signal: closing.signal });
      fresh.setNotificationHandler(ToolListChangedNotificationSchema, () => void refresh().catch(() => {}));
      tools = await readTools(fresh);
    } catch (error) {
      await fresh.close().catch(() => {});
      throw error;
    }
    client = fresh;
    state = "ready";
    detail = undefined;
    lastUsed = performance.now();
    log.info({ server: server.name, tools: tools.length }, "tool server connected");
    changed();
    return fresh;
  }

  function connected(): Promise<Client> {
    if (client) return Promise.resolve(client);
    connecting ??= open().finally(() => (connecting = undefined));
    return connecting;
  }

  function lost(which: Client, why: string): void {
    if (client !== which || closing.signal.aborted) return;
    client = undefined;
    state = "down";
    detail = why;
    void keepTrying();
  }

  let trying = false;
  /** Until it is there: waits double, with jitter, so that a server which comes back is not overrun. */
  async function keepTrying(): Promise<void> {
    if (trying) return;
    trying = true;
    for (let wait = 500; !closing.signal.aborted && !client; wait = Math.min(wait * 2, LONGEST_BACKOFF)) {
      try {
        await connected();
      } catch (error) {
        state = "down";
        detail = reasonOf(error);
        log.warn({ server: server.name, reason: detail }, "tool server cannot be reached; trying again");
        await sleep(wait / 2 + Math.random() * (wait / 2), undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
    trying = false;
  }

  async function refresh(): Promise<void> {
    tools = await readTools(await connected());
    changed();
  }

  const idle = setInterval(
    () => {
      if (!client || inUse > 0 || performance.now() - lastUsed < idleMs) return;
      const unused = client;
      client = undefined;
      state = "idle";
      void unused.close().catch(() => {});
    },
    Math.min(idleMs, 30_000),
  ).unref();

  const attempted = connected().then(
    () => {},
    (error: unknown) => {
      state = "down";
      detail = reasonOf(error);
      void keepTrying();
    },
  );

  async function callOnce(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
    const session = await connected().catch((error: unknown) => {
      throw error instanceof ApiError ? error : unreachable(server.name, error);
    });
    inUse += 1;
    try {
      // the schema of the SDK is ours, but looser
      return (await session.request({ method: "tools/call", params: { name, arguments: args } }, CallToolResultSchema, {
        signal,
        timeout: callTimeoutMs,
      })) as ToolResult;
    } finally {
      inUse -= 1;
      lastUsed = performance.now();
    }
  }

  return {
    server,
    attempted,
    get state() {
      return state;
    },
    get detail() {
      return detail;
    },
    get tools() {
      return tools;
    },
    refresh,
    async call(name, args, signal) {
      try {
        return await callOnce(name, args, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isSessionGone(error)) throw explain(error, server.name, callTimeoutMs, drop);
        // the server did not know the session, so it did not run the tool: a new session may
        drop("the session was lost");
        return await callOnce(name, args, signal).catch((again: unknown) => {
          throw explain(again, server.name, callTimeoutMs, drop);
        });
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(idle);
      const last = client;
      client = undefined;
      await last?.close().catch(() => {});
    },
  };

  function drop(why: string): void {
    const old = client;
    if (!old) return;
    lost(old, why);
    void old.close().catch(() => {});
  }
}

async function readTools(client: Client): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await client.listTools({ cursor }, { timeout: CONNECT_TIMEOUT });
    for (const { name, description = "", inputSchema, annotations, title, outputSchema } of answer.tools)
      tools.push({ name, description: shown(description), inputSchema, annotations, title, outputSchema });
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return tools;
}

/** Two kilobytes, without control, bidirectional and tag characters, which hide text from the person who reads it. */
function shown(description: string): string {
  return description
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu, "")
    .slice(0, 2_048);
}

function isSessionGone(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 404;
}

function explain(error: unknown, server: string, timeoutMs: number, drop: (why: string) => void): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof McpError) {
    if (error.code === ErrorCode.RequestTimeout) {
      return new GatewayTimeout(
        "tool_timeout",
        `The tool of "${server}" did not answer within ${timeoutMs / 1000} s. Try again, or ask it for less.`,
      );
    }
    if (error.code === ErrorCode.InvalidParams) return new BadRequest("tool_arguments_invalid", error.message.slice(0, 1_000));
    if (error.code !== ErrorCode.ConnectionClosed)
      return new BadGateway(
        "tool_failed",
        `The tool server "${server}" answered with an error: ${error.message.slice(0, 1_000)}`,
      );
  }
  drop("the server broke off");
  return unreachable(server, error);
}

function unreachable(server: string, cause: unknown): BadGateway {
  return new BadGateway(
    "tool_server_unreachable",
    `The tool server "${server}" cannot be reached. Try again, or ask its operator.`,
    { cause },
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof StreamableHTTPError) return `it answered with status ${error.code}`;
  return "it does not answer";
}
