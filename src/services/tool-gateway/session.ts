import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { ToolResult, ToolServer } from "./contract.ts";
import { explainFailure, isSessionGone, reasonOf, unreachable } from "./explain-failure.ts";
import { limitCalls } from "./limit-calls.ts";
import { readTools, type RemoteTool } from "./read-tools.ts";
import { asCall, toolFetch } from "./tool-fetch.ts";

export type SessionState = "connecting" | "ready" | "idle" | "down";

/** One tool server: a warm session that comes back by itself. */
export interface Session extends AsyncDisposable {
  readonly server: ToolServer;
  readonly state: SessionState;
  readonly detail: string | undefined;
  /** As last told by the server, kept while it is down; `undefined` until it was first heard. */
  readonly tools: RemoteTool[] | undefined;
  /** Resolves when the first attempt to connect has ended, well or not. */
  readonly attempted: Promise<void>;
  refresh(): Promise<void>;
  /** @throws BadGateway `tool_server_unreachable`, GatewayTimeout `tool_timeout`, Unavailable `tool_server_busy`. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
}

interface SessionOptions {
  server: ToolServer;
  outgoing: Outgoing;
  log: Logger;
  callTimeoutMs: number;
  /** A session without calls for this long is closed; its tools stay listed and the next call opens it again. */
  idleMs: number;
  /** How often a ready server is asked for its tools again: not every server tells of changes, or of its own end. */
  refreshMs: number;
  /** Calls to one server at once. */
  concurrency: number;
  /** The tools were read, again or for the first time. */
  changed: () => void;
}

const CONNECT_TIMEOUT = 10_000;
const LONGEST_BACKOFF = 30_000;
const GOODBYE_TIMEOUT = 1_000;
/** A server that failed this short a time ago is not waited for again. */
const FRESH_FAILURE = 2_000;
const MOST_WAITING = 1_000;

export function openSession(options: SessionOptions): Session {
  const { server, outgoing, log, callTimeoutMs, idleMs, refreshMs, concurrency, changed } = options;
  const closing = new AbortController();
  const inTurn = limitCalls(server.name, { running: concurrency, waiting: MOST_WAITING });
  let state: SessionState = "connecting";
  let detail: string | undefined;
  let tools: RemoteTool[] | undefined;
  let client: Client | undefined;
  let connecting: Promise<Client> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let lastUsed = performance.now();
  let inUse = 0;

  async function open(): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: toolFetch(outgoing),
      requestInit: { ...(server.headers && { headers: server.headers }) },
    });
    const fresh = new Client({ name: "parlance", version: "1" }, { capabilities: {} });
    fresh.onclose = () => lost(fresh, "the server closed the session");
    fresh.onerror = (error) => log.debug({ err: error, server: server.name }, "tool session");
    try {
      // the SDK's transport declares its optional fields wider than its own interface
      await fresh.connect(transport as Parameters<Client["connect"]>[0], { timeout: CONNECT_TIMEOUT, signal: closing.signal });
      fresh.setNotificationHandler(ToolListChangedNotificationSchema, () => void refresh().catch(() => {}));
      tools = await readTools(fresh, server.name, log);
    } catch (error) {
      await fresh.close().catch(() => {});
      failedAt = performance.now();
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
    // closing it now would cut the other calls on it, which must each learn what became of them
    setTimeout(() => void which.close().catch(() => {}), callTimeoutMs).unref();
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
    const asked = await connected();
    try {
      tools = await readTools(asked, server.name, log);
      changed();
    } catch (error) {
      lost(asked, reasonOf(error));
      throw error;
    }
  }

  function tend(): void {
    if (!client) return;
    if (inUse > 0 || performance.now() - lastUsed < idleMs) return void refresh().catch(() => {});
    const unused = client;
    client = undefined;
    state = "idle";
    void end(unused);
  }
  const tending = setInterval(tend, Math.min(idleMs, refreshMs)).unref();

  const attempted = connected().then(
    () => {},
    (error: unknown) => {
      state = "down";
      detail = reasonOf(error);
      void keepTrying();
    },
  );

  /** @throws what the SDK throws, after a broken connection was dropped. */
  async function callOnce(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
    if (!client && performance.now() - failedAt < FRESH_FAILURE) throw unreachable(server.name);
    const through = await connected().catch((error: unknown) => {
      throw unreachable(server.name, error);
    });
    inUse += 1;
    try {
      const request = { method: "tools/call" as const, params: { name, arguments: args } };
      // the schema of the SDK is ours, but looser
      return (await asCall(() =>
        through.request(request, CallToolResultSchema, { signal, timeout: callTimeoutMs }),
      )) as ToolResult;
    } catch (error) {
      if (isSessionGone(error)) lost(through, "the session was lost");
      else if (!signal.aborted && !explainFailure(error, server.name, callTimeoutMs)) lost(through, "the server broke off");
      throw error;
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
    call: (name, args, signal) =>
      inTurn(signal, async () => {
        try {
          // a session that is gone did not run the tool: a new one may
          return await callOnce(name, args, signal).catch((error: unknown) => {
            if (!isSessionGone(error)) throw error;
            return callOnce(name, args, signal);
          });
        } catch (error) {
          signal.throwIfAborted();
          throw explainFailure(error, server.name, callTimeoutMs) ?? unreachable(server.name, error);
        }
      }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(tending);
      const last = client;
      client = undefined;
      if (last) await end(last);
    },
  };
}

/** Tells the server that the session is over, so that it need not keep it. Source: Model Context Protocol, session management. */
async function end(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof StreamableHTTPClientTransport) {
    await Promise.race([transport.terminateSession().catch(() => {}), sleep(GOODBYE_TIMEOUT, undefined, { ref: false })]);
  }
  await client.close().catch(() => {});
}
