import { isRecord } from "../../platform/json/is-record.ts";
import type { Notice } from "./call-tool.ts";
import { type Inputs, isInputRequired } from "./input-required.ts";
import { TASKS } from "./created-task.ts";
import type { RequestContext } from "./mcp-request.ts";
import type { StateOf, StateSeal } from "./request-state.ts";

// What a client says with a request beside its params, in both eras of the protocol.

const PREFIX = "io.modelcontextprotocol/";
/** Those that a server may ask for; a client's other capabilities are between it and us. */
const ASKED = ["elicitation", "sampling", "roots"];
/** Source: Model Context Protocol, Apps (SEP-1865). */
const VIEWS = "io.modelcontextprotocol/ui";
/** From least to most. Source: RFC 5424; Model Context Protocol, logging. */
const LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];
/** What a client of the older era gets, which cannot say it in a request. */
const OLDER_LEVEL = "info";

export type McpEra = "legacy" | "modern";

/** The level of log lines that a client wants; undefined for none. */
export function logLevelOf({ mcpReq }: RequestContext, era: McpEra): string | undefined {
  if (era === "legacy") return OLDER_LEVEL;
  const level = field(mcpReq.envelope, "logLevel");
  return typeof level === "string" && LEVELS.includes(level) ? level : undefined;
}

/** Tells the client what the tool server says meanwhile, where the client wants to hear it. */
export function passOn({ method, params }: Notice, context: RequestContext, era: McpEra) {
  const { mcpReq } = context;
  const progressToken = mcpReq._meta?.progressToken;
  const isProgress = method === "notifications/progress";
  if (isProgress && progressToken === undefined) return;
  if (!isProgress && era === "modern" && !isWanted(params, logLevelOf(context, era)))
    return;
  const told = isProgress ? { ...params, progressToken } : params;
  // the client has gone: the call ends by its signal
  mcpReq.notify({ method, params: told }).catch(() => {});
}

function isWanted({ level }: Record<string, unknown>, least: string | undefined): boolean {
  if (least === undefined) return false;
  const at = typeof level === "string" ? LEVELS.indexOf(level) : -1;
  return at < 0 || at >= LEVELS.indexOf(least);
}

/**
 * Sends a request of a client of the newer era on with its answers, and signs the state of what
 * comes back. One of the older era is asked by other means.
 * @throws ProtocolError for a state that belongs elsewhere.
 */
export async function exchange<T>(
  { context, era, seal, of }: Exchange,
  send: (inputs: Inputs | undefined) => Promise<T>,
): Promise<T> {
  if (era === "legacy") return send(undefined);
  const state = context.mcpReq.requestState();
  const key = { ...of, method: context.mcpReq.method };
  const result = await send({
    capabilities: capabilitiesIn(context),
    inputResponses: context.mcpReq.inputResponses,
    requestState: typeof state === "string" ? seal.open(key, state) : undefined,
  });
  if (!isInputRequired(result) || typeof result.requestState !== "string") return result;
  return { ...result, requestState: seal.seal(key, result.requestState) };
}

interface Exchange {
  context: RequestContext;
  era: McpEra;
  seal: StateSeal;
  of: Omit<StateOf, "method">;
}

function capabilitiesIn({ mcpReq }: RequestContext): Record<string, unknown> {
  const declared = field(mcpReq.envelope, "clientCapabilities");
  if (!isRecord(declared)) return {};
  const views = isRecord(declared["extensions"]) && declared["extensions"][VIEWS];
  return {
    ...Object.fromEntries(
      Object.entries(declared).filter(([name]) => ASKED.includes(name)),
    ),
    // views of results are the client's: they pass through
    ...(isRecord(views) && { extensions: { [VIEWS]: views } }),
  };
}

/** Whether a client of the newer era follows tasks by itself. */
export function takesTasks({ mcpReq }: RequestContext, era: McpEra): boolean {
  if (era === "legacy") return false;
  const declared = field(mcpReq.envelope, "clientCapabilities");
  const extensions = isRecord(declared) ? declared["extensions"] : undefined;
  return isRecord(extensions) && TASKS in extensions;
}

function field(envelope: unknown, name: string): unknown {
  return isRecord(envelope) ? envelope[`${PREFIX}${name}`] : undefined;
}
