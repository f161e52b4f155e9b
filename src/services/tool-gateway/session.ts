import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { callTool } from "./call-tool.ts";
import { coalesce } from "./single-flight.ts";
import { connect, disconnect } from "./connect.ts";
import type { ToolResult, ToolServer } from "./contract.ts";
import {
  explainFailure,
  isSessionGone,
  isTimeout,
  reasonOf,
  unreachable,
} from "./explain-failure.ts";
import { limitCalls } from "./limit-calls.ts";
import { readTools, type RemoteTool } from "./read-tools.ts";

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
  /**
   * Within `callTimeoutMs`, with the wait in line, the way to the server and a second try.
   * @throws BadGateway `tool_server_unreachable`, GatewayTimeout `tool_timeout`, Unavailable
   * `tool_server_busy`.
   */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
}

interface SessionOptions {
  server: ToolServer;
  outgoing: Outgoing;
  log: Logger;
  callTimeoutMs: number;
  /**
   * A session without calls for this long is closed; its tools stay listed and the next call opens
   * it again.
   */
  idleMs: number;
  /**
   * How often a ready server is asked for its tools again: not every server tells of changes, or of
   * its own end.
   */
  refreshMs: number;
  /** Calls to one server at once. */
  concurrency: number;
  /** The tools were read, again or for the first time. */
  changed: () => void;
}

/** A server that is back is found within this time. Source: design "Faults". */
const MAX_BACKOFF_MS = 8_000;
/** A call waits this long for a server that could not be reached the last time. */
const PATIENCE_MS = 2_000;
const MAX_WAITING = 1_000;

export function openSession(options: SessionOptions): Session {
  const { server, outgoing, log, callTimeoutMs, idleMs, refreshMs, concurrency, changed } = options;
  const closing = new AbortController();
  const inTurn = limitCalls(server.name, {
    running: concurrency,
    waiting: MAX_WAITING,
    longestWaitMs: callTimeoutMs,
  });
  let state: SessionState = "connecting";
  let detail: string | undefined;
  let tools: RemoteTool[] | undefined;
  let client: Client | undefined;
  let connecting: Promise<Client> | undefined;
  let failed = false;
  let lastUsed = performance.now();
  let inUse = 0;

  async function open(): Promise<Client> {
    const happenings = {
      toolsChanged: () => void refresh().catch(() => {}),
      failed(problem: Error) {
        log.debug({ err: problem, server: server.name }, "tool session");
        // a call that fails says so itself; this is the stream of notifications, which ends when
        // the server does
        if (client && inUse === 0 && problem.message.startsWith("SSE stream disconnected"))
          void refresh().catch(() => {});
      },
    };
    const fresh = await connect(server, outgoing, happenings, closing.signal);
    try {
      tools = await readTools(fresh, server.name, log);
      closing.signal.throwIfAborted();
    } catch (error) {
      void disconnect(fresh);
      throw error;
    }
    client = fresh;
    state = "ready";
    detail = undefined;
    failed = false;
    lastUsed = performance.now();
    log.info({ server: server.name, tools: tools.length }, "tool server connected");
    changed();
    return fresh;
  }

  function connected(): Promise<Client> {
    if (client) return Promise.resolve(client);
    connecting ??= open()
      .catch((error: unknown) => {
        failed = true;
        state = "down";
        detail = reasonOf(error);
        throw error;
      })
      .finally(() => (connecting = undefined));
    return connecting;
  }

  function lost(which: Client, why: string): void {
    if (client !== which || closing.signal.aborted) return;
    client = undefined;
    state = "down";
    detail = why;
    // ending it now would cut the other calls on it, which must each learn what became of them
    setTimeout(() => void disconnect(which), callTimeoutMs).unref();
    void keepTrying();
  }

  let trying = false;
  /**
   * Until it is there: waits double, with jitter, so that a server which comes back is not overrun.
   */
  async function keepTrying(): Promise<void> {
    if (trying) return;
    trying = true;
    let said: string | undefined;
    for (
      let wait = 500;
      !closing.signal.aborted && !client;
      wait = Math.min(wait * 2, MAX_BACKOFF_MS)
    ) {
      try {
        await connected();
      } catch {
        if (detail !== said)
          log.warn(
            { server: server.name, reason: detail },
            "tool server cannot be reached; trying again",
          );
        said = detail;
        await sleep(wait / 2 + Math.random() * (wait / 2), undefined, {
          signal: closing.signal,
          ref: false,
        }).catch(() => {});
      }
    }
    trying = false;
  }

  const refresh = coalesce(async () => {
    const asked = await connected();
    try {
      tools = await readTools(asked, server.name, log);
      changed();
    } catch (error) {
      lost(asked, reasonOf(error));
      throw error;
    }
  });

  function tend(): void {
    if (!client) return;
    if (inUse > 0 || performance.now() - lastUsed < idleMs) return void refresh().catch(() => {});
    const unused = client;
    client = undefined;
    state = "idle";
    void disconnect(unused);
  }
  const tending = setInterval(tend, Math.min(idleMs, refreshMs)).unref();

  const attempted = connected().then(
    () => {},
    () => void keepTrying(),
  );

  /**
   * The session for a call. Only the first call waits long for a server that is away: while it
   * stays away, the others fail soon.
   */
  async function reached(withinMs: number): Promise<Client> {
    if (client) return client;
    const patienceMs = Math.min(withinMs, failed ? PATIENCE_MS : Infinity);
    const giveUp = new AbortController();
    try {
      const away = sleep(patienceMs, undefined, { signal: giveUp.signal }).then(() =>
        Promise.reject(new Error(detail)),
      );
      return await Promise.race([connected(), away]);
    } catch (error) {
      throw unreachable(server.name, error);
    } finally {
      giveUp.abort();
    }
  }

  /** @throws what `callTool` throws, after a broken connection was dropped. */
  async function callOnce(
    name: string,
    args: Record<string, unknown>,
    { until, signal }: { until: number; signal: AbortSignal },
  ): Promise<ToolResult> {
    const through = await reached(until - performance.now());
    const timeoutMs = until - performance.now();
    if (timeoutMs <= 0) throw new McpError(ErrorCode.RequestTimeout, "no time was left");
    inUse += 1;
    try {
      return await callTool({ client: through, server, outgoing, timeoutMs }, name, args, signal);
    } catch (error) {
      if (isTimeout(error)) void refresh().catch(() => {});
      if (isSessionGone(error)) lost(through, "the session was lost");
      else if (!signal.aborted && !explainFailure(error, server.name, callTimeoutMs))
        lost(through, "the server broke off");
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
    call(name, args, signal) {
      const within = { until: performance.now() + callTimeoutMs, signal };
      return inTurn(signal, async () => {
        try {
          // a session that is gone did not run the tool: a new one may
          return await callOnce(name, args, within).catch((error: unknown) => {
            if (!isSessionGone(error)) throw error;
            return callOnce(name, args, within);
          });
        } catch (error) {
          signal.throwIfAborted();
          const failure =
            explainFailure(error, server.name, callTimeoutMs) ?? unreachable(server.name, error);
          logFailedCall(log, { toolServer: server.name, tool: name }, failure);
          throw failure;
        }
      });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(tending);
      const last = client;
      client = undefined;
      if (last) await disconnect(last);
    },
  };
}
