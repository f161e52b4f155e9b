import { BadRequest } from "../../platform/http/errors.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { shortenText } from "../../platform/shorten-text.ts";
import { connect } from "./connect.ts";
import { MAX_SUMMARY_CHARACTERS, type ToolServer } from "./contract.ts";
import type { ServerTest, TestedServer } from "./contract-server-test.ts";
import { explainState } from "./explain-failure.ts";
import { readTools, type RemoteTool } from "./read-tools.ts";
import { headerTemplatesOf } from "./user-values/header-templates.ts";

const TIMEOUT_MS = 15_000;
const NAME = "tested";

export interface ServerTestDeps {
  outgoingOf: (url: string) => Outgoing;
  log: Logger;
  /** The registered server of this name, with its headers. */
  findServer: (name: string) => ToolServer | undefined;
}

/**
 * Opens a session at a server that is not saved, lists its tools and leaves.
 * @throws BadRequest `tool_server_headers_kept` for the stored headers of another address,
 * `tool_server_headers_personal` for headers that each user fills in.
 */
export async function testServer(
  deps: ServerTestDeps,
  asked: TestedServer,
  signal: AbortSignal,
): Promise<ServerTest> {
  const server = { name: NAME, enabled: true, url: asked.url, ...headersOf(deps, asked) };
  if (headerTemplatesOf(server)) throw personal();
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const tools = await listTools(deps, server, limit);
    return { ok: true, latencyMs: latencyMs(), tools: tools.map(summarise) };
  } catch (error) {
    signal.throwIfAborted();
    const refusal = reportError(explainState(error));
    return { ok: false, latencyMs: latencyMs(), tools: [], error: refusal };
  }
}

/** Stored headers may be keys: they go to the stored address alone. */
function headersOf(
  { findServer }: ServerTestDeps,
  { url, headers, name }: TestedServer,
): Pick<ToolServer, "headers"> {
  if (headers) return { headers };
  const stored = name === undefined ? undefined : findServer(name);
  if (!stored?.headers) return {};
  if (stored.url === url) return { headers: stored.headers };
  throw new BadRequest(
    "tool_server_headers_kept",
    "The stored headers belong to another address. Enter the headers for this one to test it.",
  );
}

function personal(): BadRequest {
  return new BadRequest(
    "tool_server_headers_personal",
    "Its headers hold values of each user, which nobody has filled in yet. Save it, then connect it.",
  );
}

async function listTools(
  { outgoingOf, log }: ServerTestDeps,
  server: ToolServer,
  limit: AbortSignal,
): Promise<RemoteTool[]> {
  const client = await connect(
    server,
    outgoingOf(server.url),
    { onToolsChanged() {}, onError() {} },
    limit,
  );
  // closing the session ends a request that still waits
  const leave = () => void client.close();
  limit.addEventListener("abort", leave, { once: true });
  try {
    limit.throwIfAborted();
    return await readTools(client, server.name, log);
  } finally {
    limit.removeEventListener("abort", leave);
    leave();
  }
}

function summarise({ name, title, description }: RemoteTool): ServerTest["tools"][number] {
  return {
    name,
    ...(title !== undefined && { title }),
    description: shortenText(description, MAX_SUMMARY_CHARACTERS),
  };
}
