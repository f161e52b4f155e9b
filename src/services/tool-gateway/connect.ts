import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { ToolServer } from "./contract.ts";
import { toolFetch } from "./tool-fetch.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const GOODBYE_TIMEOUT_MS = 1_000;

interface Happenings {
  /** The server says that its tools are others now. */
  toolsChanged(): void;
  /** Something on the connection failed; it may be dead. */
  failed(problem: Error): void;
}

/** Opens a session at a tool server. */
export async function connect(
  { url, headers }: ToolServer,
  outgoing: Outgoing,
  { toolsChanged, failed }: Happenings,
  signal: AbortSignal,
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: toolFetch(outgoing),
    requestInit: { ...(headers && { headers }) },
  });
  const client = new Client({ name: "parlance", version: "1" }, { capabilities: {} });
  client.onerror = failed;
  try {
    // the SDK's transport declares its optional fields wider than its own interface
    await client.connect(transport as Parameters<Client["connect"]>[0], {
      timeout: CONNECT_TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
  return client;
}

/**
 * Tells the server that the session is over, so that it need not keep it. Source: Model Context
 * Protocol, session management.
 */
export async function disconnect(client: Client): Promise<void> {
  const { transport } = client;
  if (transport instanceof StreamableHTTPClientTransport) {
    await Promise.race([
      transport.terminateSession().catch(() => {}),
      sleep(GOODBYE_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  }
  await client.close().catch(() => {});
}
