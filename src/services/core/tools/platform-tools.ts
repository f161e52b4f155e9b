import { z } from "zod";
import { ApiError } from "../../../platform/http/errors.ts";
import type { ListedTool } from "../../tool-gateway/contract.ts";
import type { EndsBecause } from "../../agent-loop/contract-events.ts";
import type { PlatformResult } from "./contract.ts";
import { documentsIn } from "../labels/read-resources.ts";
import { addLabels, findToolSession, type ToolSession } from "./tool-sessions.ts";
import {
  type OfferDeps,
  type PlatformTool,
  toEffect,
  type ToolDeps,
  type ToolOutput,
  type ToolContext,
} from "./toolset.ts";
import { findTool, TOOLSETS, toolsetOf } from "./toolsets.ts";

/** Takes the place of the name of a tool server. */
const SERVER = "parlance";
/** The fingerprint of all platform tools, which change only with Parlance itself. */
const FINGERPRINT = "1";

/** The platform's tools for a reply. */
export interface Offer {
  tools: ListedTool[];
  /** For the model. */
  instructions: string[];
  /** Why toolsets that are named cannot be used. */
  lacking: ApiError[];
}

/**
 * Returns the platform's tools for a reply: the named ones, and those that come unasked, as far
 * as it suits them and nothing that they need is missing.
 */
export async function offerPlatformTools(
  deps: OfferDeps,
  { names, ...context }: ToolContext & { names: readonly string[] },
  signal: AbortSignal,
): Promise<Offer> {
  const offer: Offer = { tools: [], instructions: [], lacking: [] };
  for (const toolset of TOOLSETS) {
    if (toolset.suits?.(context) === false) continue;
    const { records } = toolset;
    const isUnasked =
      typeof toolset.unasked === "function" ? toolset.unasked(context) : toolset.unasked;
    const chosen = toolset.tools.filter(
      (tool) => (isUnasked || names.includes(tool.name)) && tool.suits?.(context) !== false,
    );
    const named = records ? names.filter((name) => records.owns(name)) : [];
    if (chosen.length === 0 && named.length === 0) continue;
    if ((await toolset.holds?.(deps, context, signal)) === false) continue;
    const lack = await toolset.lacks?.(deps, signal);
    if (lack) {
      offer.lacking.push(lack);
      continue;
    }
    const lacks = await Promise.all(chosen.map((tool) => tool.lacks?.(deps, signal)));
    offer.lacking.push(...lacks.filter((one) => one !== undefined));
    const listed = chosen.filter((_, at) => !lacks[at]).map(toListed);
    if (records && named.length > 0)
      listed.push(...(await records.list(deps, named, context.userId, signal)));
    offer.tools.push(...listed);
    if (toolset.instructions && listed.length > 0)
      offer.instructions.push(toolset.instructions);
  }
  return offer;
}

/**
 * Runs a tool of a session as its user. A failure that the model can react to is a result.
 * @throws NotFound `tool_session_ended`.
 */
export async function callPlatformTool(
  deps: ToolDeps,
  sessionId: string,
  {
    name,
    arguments: values,
    endsBecause,
    callId,
  }: {
    name: string;
    arguments: Record<string, unknown>;
    callId?: string | undefined;
    endsBecause?: EndsBecause | undefined;
  },
  signal: AbortSignal,
): Promise<PlatformResult> {
  const found = await findToolSession(deps.db, sessionId);
  const session = {
    ...found,
    ...(endsBecause && { endsBecause }),
    ...(callId !== undefined && { callId }),
  };
  if (!session.tools.includes(name)) return toError(notPermitted(name));
  try {
    const {
      content,
      isError = false,
      files,
      figures,
      events = [],
      reads = [],
      usage,
    } = await run(deps, session, name, values, signal);
    const { added } = await addLabels(deps, session, [...reads, ...documentsIn(events)]);
    if (added.length > 0) events.push({ type: "labels", labels: added });
    return {
      content,
      isError,
      ...(files && { files }),
      ...(figures && { figures }),
      events,
      ...(usage && { usage }),
    };
  } catch (error) {
    if (error instanceof z.ZodError)
      return toError(`tool_arguments_invalid: ${z.prettifyError(error)}`);
    if (error instanceof ApiError) return toError(`${error.code}: ${error.message}`);
    throw error;
  }
}

async function run(
  deps: ToolDeps,
  session: ToolSession,
  name: string,
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const tool = findTool(name);
  if (tool) return tool.run(deps, session, tool.input.parse(values), signal);
  const records = toolsetOf(name)?.records;
  // a session of an earlier version may name a tool that is no more
  if (!records) return { content: notPermitted(name), isError: true };
  return records.run(deps, session, name, values, signal);
}

function toListed({ name, description, input, effects }: PlatformTool): ListedTool {
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(input),
    ...toEffect(effects),
    server: SERVER,
    fingerprint: FINGERPRINT,
  };
}

function notPermitted(name: string): string {
  return `tool_not_permitted: "${name}" is not among the tools that may be used here.`;
}

function toError(content: string): PlatformResult {
  return { content, isError: true, events: [] };
}
