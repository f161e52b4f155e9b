import type { ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { isRecord } from "../../platform/json/is-record.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { type Answer, askServer } from "./call-tool.ts";
import type { ToolServer } from "./contract.ts";
import { isTimeout, otherVersion, UNSUPPORTED_VERSION } from "./explain-failure.ts";
import type { Listeners } from "./remote.ts";
import { STATELESS_VERSION, StatelessRemote } from "./stateless-remote.ts";

const TIMEOUT_MS = 10_000;

/**
 * Asks a server whether it speaks 2026-07-28.
 * @returns undefined for one that may speak an older version: `initialize` has the better reason
 * where it speaks none.
 * @throws BadGateway `tool_server_version` for one that speaks only newer versions, McpError for
 * one that does not answer, StreamableHTTPError for one that wants other credentials.
 */
export async function discover(
  server: ToolServer,
  outgoing: Outgoing,
  listeners: Listeners,
  signal: AbortSignal,
): Promise<StatelessRemote | undefined> {
  let answer = await ask(server, outgoing, listeners, signal);
  // it names the versions that it speaks, and ours may be among them
  if (refusedFor(answer).includes(STATELESS_VERSION))
    answer = await ask(server, outgoing, listeners, signal);
  signal.throwIfAborted();
  const { result } = answer ?? {};
  if (isRecord(result)) {
    const versions = textsIn(result["supportedVersions"]);
    if (versions.includes(STATELESS_VERSION)) {
      const capabilities = capabilitiesIn(result);
      const remote = new StatelessRemote({ server, outgoing, listeners, capabilities });
      remote.listen();
      return remote;
    }
    refuseOnlyNewer(versions);
  }
  refuseOnlyNewer(refusedFor(answer));
  return undefined;
}

/** The versions that a server speaks which refused ours. */
function refusedFor({ error }: Answer = {}): string[] {
  const isOther = error?.code === UNSUPPORTED_VERSION && isRecord(error.data);
  return isOther ? textsIn((error.data as { supported?: unknown }).supported) : [];
}

async function ask(
  server: ToolServer,
  outgoing: Outgoing,
  listeners: Listeners,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const remote = new StatelessRemote({ server, outgoing, listeners, capabilities: {} });
  const limits = { timeoutMs: TIMEOUT_MS, silenceMs: TIMEOUT_MS, progressMs: 0 };
  try {
    const asked = { method: "server/discover", params: {} };
    return await askServer({ remote, server, outgoing, ...limits }, asked, signal);
  } catch (error) {
    const isClosed =
      error instanceof StreamableHTTPError && [401, 403].includes(error.code ?? 0);
    if (isClosed || isTimeout(error)) throw error;
    return undefined;
  }
}

/** @throws BadGateway for a server that none of our versions fits. */
function refuseOnlyNewer(versions: readonly string[]): void {
  const [first] = versions;
  // versions are dates, and an older one can be agreed upon by `initialize`
  if (first !== undefined && versions.every((version) => version > STATELESS_VERSION))
    throw otherVersion(first);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function capabilitiesIn(result: Record<string, unknown>): ServerCapabilities {
  const { capabilities } = result;
  // the repair of messages left known fields alone
  return isRecord(capabilities) ? (capabilities as ServerCapabilities) : { tools: {} };
}
