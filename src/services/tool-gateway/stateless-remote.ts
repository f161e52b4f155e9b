import {
  ErrorCode,
  McpError,
  type ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../../platform/json/is-record.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { askServer } from "./call-tool.ts";
import type { ToolServer } from "./contract.ts";
import { ListenStream } from "./listen-stream.ts";
import { headerValue } from "./param-headers.ts";
import type { Credential } from "./sign-in/credential.ts";
import type { Listeners, Remote, RequestLimits, RequestMeta, Sent } from "./remote.ts";
import type { Ask } from "./questions.ts";
import { TASKS } from "./created-task.ts";
import { VIEWS } from "./views/view-meta.ts";

/** The version that we speak without sessions. */
export const STATELESS_VERSION = "2026-07-28";
/** Names in `_meta` that are the protocol's. */
const RESERVED = "io.modelcontextprotocol/";
const CLIENT_INFO = { name: "parlance", version: "1" };
/** The param that `Mcp-Name` repeats. Source: Model Context Protocol, streamable HTTP. */
const NAMED_BY: Record<string, string> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

interface Options {
  server: ToolServer;
  outgoing: Outgoing;
  listeners: Listeners;
  capabilities: ServerCapabilities;
  /** With whose account what nobody asked for is sent. */
  credential?: Credential | undefined;
}

/**
 * A server of 2026-07-28: each request says what it needs, and nothing is kept between two. Source:
 * Model Context Protocol, 2026-07-28, base protocol.
 */
export class StatelessRemote implements Remote {
  readonly era = "stateless";
  readonly isStateful = false;
  readonly hasOneStream = false;
  readonly capabilities: ServerCapabilities;
  readonly #options: Options;
  readonly #stream: ListenStream;

  constructor(options: Options) {
    this.#options = options;
    this.capabilities = options.capabilities;
    this.#stream = new ListenStream({ ...options, remote: this });
  }

  /** Listens for what the server announces. */
  listen(): void {
    this.#stream.start();
  }

  prepare({ method, params }: Ask, id: string, asked: RequestMeta): Sent {
    // of our own pages, where no client of MCP says what it can do
    const { meta, capabilities = { extensions: VIEWS }, logLevel, headers } = asked;
    const named = params[NAMED_BY[method] ?? ""];
    return {
      params: {
        ...params,
        _meta: {
          ...ownFields(meta),
          progressToken: id,
          [`${RESERVED}protocolVersion`]: STATELESS_VERSION,
          [`${RESERVED}clientInfo`]: CLIENT_INFO,
          [`${RESERVED}clientCapabilities`]: withTasks(method, capabilities),
          ...(logLevel !== undefined && { [`${RESERVED}logLevel`]: logLevel }),
        },
      },
      headers: {
        ...this.headers(),
        "mcp-method": method,
        ...(typeof named === "string" && { "mcp-name": headerValue(named) }),
        ...headers,
      },
    };
  }

  unwrap(result: unknown): unknown {
    if (!isRecord(result)) return result;
    const { resultType, _meta: meta, ...rest } = result;
    const ours = ownFields(isRecord(meta) ? meta : {});
    return {
      ...rest,
      ...(resultType !== undefined && resultType !== "complete" && { resultType }),
      ...(Object.keys(ours).length > 0 && { _meta: ours }),
    };
  }

  headers(): Record<string, string> {
    return { "mcp-protocol-version": STATELESS_VERSION };
  }

  /** Such servers ask by their answers. */
  answering(): () => void {
    return () => {};
  }

  /** The end of the request says so. */
  cancel(): void {}

  /** Servers send nothing but notices of a request, which it takes itself. */
  receive(): void {}

  async request(ask: Ask, { timeoutMs, signal }: RequestLimits): Promise<unknown> {
    const { server, outgoing, credential } = this.#options;
    const limits = { timeoutMs, silenceMs: timeoutMs };
    const connection = { remote: this, server, outgoing, credential };
    const { result, error } = await askServer({ ...connection, ...limits }, ask, signal);
    if (!error) return result;
    const { code = ErrorCode.InternalError, message = "", data } = error;
    throw new McpError(code, message, data);
  }

  async watch(): Promise<void> {
    this.#stream.renew();
  }

  async unwatch(): Promise<void> {
    this.#stream.renew();
  }

  async close(): Promise<void> {
    this.#stream.close();
  }
}

/** A call may be answered with a task, which the gateway follows or passes on. */
function withTasks(method: string, capabilities: object): object {
  const isAboutTasks = method.startsWith("tasks/") || method === "subscriptions/listen";
  if (method !== "tools/call" && !isAboutTasks) return capabilities;
  const { extensions } = { extensions: {}, ...capabilities };
  return { ...capabilities, extensions: { ...extensions, [TASKS]: {} } };
}

/** What the caller wrote into `_meta`, without what only we may say. */
function ownFields(meta: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta).filter(([name]) => !name.startsWith(RESERVED)),
  );
}
