import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ClientCapabilities,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { ToolServer } from "./contract.ts";
import { toolFetch } from "./tool-fetch.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const DISCONNECT_TIMEOUT_MS = 1_000;

interface Listeners {
  /** The server says that its list of tools changed. */
  onToolsChanged(): void;
  /** A resource changed to which this session has subscribed. */
  onResourceUpdated?(uri: string): void;
  /** Something on the connection failed. The connection may be broken. */
  onError(error: Error): void;
}

/** A place for a value that nobody fills: `{{user}}`, `${KEY}`. */
const TEMPLATE = /\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}/;

/**
 * Opens a session at a tool server: over streamable HTTP, or over HTTP with server-sent events
 * where the server knows only that. Source: Model Context Protocol, transports: backwards
 * compatibility.
 * @throws BadGateway `tool_server_header_template`.
 */
export async function connect(
  server: ToolServer,
  outgoing: Outgoing,
  listeners: Listeners,
  signal: AbortSignal,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const { headers = {} } = server;
  const template = Object.keys(headers).find((name) => TEMPLATE.test(headers[name] ?? ""));
  if (template !== undefined) throw hasTemplate(template);
  const url = new URL(server.url);
  const options = { fetch: toolFetch(outgoing), requestInit: { headers } };
  try {
    const transport = new StreamableHTTPClientTransport(url, options);
    return await open(transport as Transport, listeners, signal, capabilities);
  } catch (error) {
    if (!mayBeOlder(error)) throw error;
    const transport = new SSEClientTransport(url, options);
    // what the newer transport says is the better reason
    return open(transport, listeners, signal, {}).catch(() => Promise.reject(error));
  }
}

async function open(
  transport: Transport,
  { onToolsChanged, onResourceUpdated, onError }: Listeners,
  signal: AbortSignal,
  capabilities: ClientCapabilities,
): Promise<Client> {
  const client = new Client({ name: "parlance", version: "1" }, { capabilities });
  client.onerror = onError;
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS, signal });
  } catch (error) {
    // the failure to connect is what counts
    await client.close().catch(() => {});
    throw error;
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    onResourceUpdated?.(params.uri),
  );
  return client;
}

/** Whether a refusal is that of a server which knows the older transport only. */
function mayBeOlder(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError)) return false;
  return [400, 404, 405, 406, 415].includes(error.code ?? 0);
}

/** Whether the server keeps something between the calls of a session. */
export function isStateful({ transport }: Client): boolean {
  return (
    transport instanceof SSEClientTransport ||
    (transport instanceof StreamableHTTPClientTransport &&
      transport.sessionId !== undefined)
  );
}

function hasTemplate(header: string): BadGateway {
  return new BadGateway(
    "tool_server_header_template",
    `Its header ${header} holds a placeholder such as {{…}} or \${…}, which nothing fills. ` +
      "Enter the value itself.",
    { params: { header } },
  );
}

/**
 * Ends a session, so that the server can free it. Source: Model Context Protocol, session
 * management.
 */
export async function disconnect(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof StreamableHTTPClientTransport) {
    await Promise.race([
      // a server that does not answer ends it when it is idle
      transport.terminateSession().catch(() => {}),
      sleep(DISCONNECT_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  }
  // it may be closed already
  await client.close().catch(() => {});
}
