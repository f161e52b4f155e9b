import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { ApiError } from "../../platform/http/errors.ts";
import { MAX_TASK_ID_CHARACTERS, type TASK_METHODS, TASKS } from "./created-task.ts";
import { takesTasks } from "./mcp-inputs.ts";
import type { Offer } from "./offer.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import type { Ask } from "./questions.ts";
import { MISSING_CAPABILITY } from "./remote-error.ts";
import type { StateSeal } from "./request-state.ts";
import type { CallOptions } from "./session-requests.ts";
import { openTask } from "./task-seal.ts";
import { ask } from "./to-client.ts";

/** Source: Model Context Protocol, Tasks extension. */
export const TaskParams = z.looseObject({
  taskId: z
    .string()
    .min(1)
    .max(4 * MAX_TASK_ID_CHARACTERS),
});
export const TaskState = z.looseObject({});

interface Deps {
  mcp: { caller: string; tools: PermittedTools; offer: Offer };
  states: StateSeal;
  era: McpRequestContext["era"];
}

interface Asking {
  params: z.output<typeof TaskParams>;
  context: ServerContext;
  options: CallOptions;
}

/** Passes a question about a task on to the server that does it. @throws ProtocolError. */
export async function askAboutTask(
  { mcp, states, era }: Deps,
  method: (typeof TASK_METHODS)[number],
  { params, context, options }: Asking,
): Promise<Record<string, unknown>> {
  if (!takesTasks(context, era)) throw tasksNotDeclared();
  // the SDK takes the answers out of the params
  const { inputResponses } = context.mcpReq;
  const asked = { ...params, ...(inputResponses && { inputResponses }) };
  return sendAboutTask({ mcp, states }, method, asked, options);
}

/** The same for whoever has said that they know tasks. @throws ProtocolError. */
export async function sendAboutTask(
  { mcp: { caller, tools, offer }, states }: Omit<Deps, "era">,
  method: (typeof TASK_METHODS)[number],
  { taskId: named, ...more }: z.output<typeof TaskParams>,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  const { server: holder, tool, taskId } = openTask(states, caller, named);
  const session = offer.session(holder);
  if (!session) throw taskGone(holder);
  try {
    await tools.check(tool, offer.list());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
  const asked: Ask = { method, params: { ...more, taskId } };
  const state: Record<string, unknown> = await ask(session, asked, options);
  return "taskId" in state ? { ...state, taskId: named } : state;
}

function tasksNotDeclared(): ProtocolError {
  return new ProtocolError(
    MISSING_CAPABILITY,
    "Declare the extension for tasks in the capabilities of this request.",
    { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  );
}

function taskGone(server: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The tool server "${server}" of this task is here no more. Call another tool.`,
  );
}
