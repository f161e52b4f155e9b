import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { ToolServer } from "./contract.ts";
import { toolFetch } from "./tool-fetch.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const DISCONNECT_TIMEOUT_MS = 1_000;

interface Listeners {
  /** The server says that its list of tools changed. */
  onToolsChanged(): void;
  /** Something on the connection failed. The connection may be broken. */
  onError(error: Error): void;
}

/** Opens a session at a tool server. */
export async function connect(
  { url, headers }: ToolServer,
  outgoing: Outgoing,
  { onToolsChanged, onError }: Listeners,
  signal: AbortSignal,
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: toolFetch(outgoing),
    requestInit: { ...(headers && { headers }) },
  });
  const client = new Client({ name: "parlance", version: "1" }, { capabilities: {} });
  client.onerror = onError;
  try {
    // the SDK declares the optional fields of its transport wider than its own interface
    await client.connect(transport as Parameters<Client["connect"]>[0], {
      timeout: CONNECT_TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  return client;
}

/**
 * Ends a session, so that the server can free it. Source: Model Context Protocol, session
 * management.
 */
export async function disconnect(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof StreamableHTTPClientTransport) {
    await Promise.race([
      transport.terminateSession().catch(() => {}),
      sleep(DISCONNECT_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  }
  await client.close().catch(() => {});
}
