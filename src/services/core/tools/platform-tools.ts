import { z } from "zod";
import { ApiError } from "../../../platform/http/errors.ts";
import type { ListedTool } from "../../tool-gateway/contract.ts";
import { CANVAS_TOOLS } from "../canvas/tools.ts";
import { callFlow, isFlowTool, listFlowTools } from "../flows/flow-tools.ts";
import { searchTool } from "../sources/search-tool.ts";
import type { PlatformResult } from "./contract.ts";
import type { PlatformTool, ToolDeps, ToolOutput } from "./platform-tool.ts";
import { findToolSession, type ToolSession } from "./tool-sessions.ts";

/** Takes the place of the name of a tool server. */
const SERVER = "parlance";
/** The fingerprint of all platform tools, which change only with Parlance itself. */
const FINGERPRINT = "1";

const TOOLS = new Map([...CANVAS_TOOLS, searchTool].map((tool) => [tool.name, tool]));

/** Whether the platform itself has a tool of this name. */
export function isPlatformTool(name: string): boolean {
  return TOOLS.has(name) || isFlowTool(name);
}

/**
 * Returns the platform's tools for a run: the named ones that its conversation or documents allow,
 * and the flows that the user may run now.
 */
export async function listPlatformTools(
  { flows }: Pick<ToolDeps, "flows">,
  {
    names,
    userId,
    conversationId,
    retrieval,
  }: Pick<ToolSession, "userId" | "conversationId" | "retrieval"> & {
    names: readonly string[];
  },
  signal: AbortSignal,
): Promise<ListedTool[]> {
  const listed: ListedTool[] = [];
  for (const tool of CANVAS_TOOLS)
    if (conversationId !== undefined && names.includes(tool.name))
      listed.push(toListed(tool));
  if (retrieval && retrieval.mode !== "step") listed.push(toListed(searchTool));
  const flowNames = names.filter(isFlowTool);
  if (flows && flowNames.length > 0)
    listed.push(...(await listFlowTools(flows, flowNames, userId, signal)));
  return listed;
}

/**
 * Runs a tool of a session as its user. A failure that the model can react to is a result.
 * @throws NotFound `tool_session_ended`.
 */
export async function callPlatformTool(
  deps: ToolDeps,
  sessionId: string,
  { name, arguments: values }: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
): Promise<PlatformResult> {
  const session = await findToolSession(deps.db, sessionId);
  if (!session.tools.includes(name))
    return toError(
      `tool_not_permitted: "${name}" is not among the tools that may be used here.`,
    );
  try {
    const {
      content,
      isError = false,
      events = [],
    } = await run(deps, session, name, values, signal);
    return { content, isError, events };
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
  const tool = TOOLS.get(name);
  if (tool) return tool.run(deps, session, tool.input.parse(values), signal);
  return callFlow(deps, session, name, values, signal);
}

function toListed({ name, description, input, effect }: PlatformTool): ListedTool {
  const inputSchema = z.toJSONSchema(input);
  return {
    name,
    description,
    inputSchema,
    effect,
    server: SERVER,
    fingerprint: FINGERPRINT,
  };
}

function toError(content: string): PlatformResult {
  return { content, isError: true, events: [] };
}
