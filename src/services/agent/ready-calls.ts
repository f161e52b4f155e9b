import type { ToolCall } from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";
import { needsApproval } from "./needs-approval.ts";

/** A call that runs now, or that is refused for a reason which the model reads. */
export interface ReadyCall {
  call: ToolCall;
  refusal?: string;
}

type Decisions = NonNullable<RunRequest["decisions"]>;

/**
 * Divides the calls of a turn into those that run now and those that wait for the user's decision.
 * A denied call and one that is not permitted are ready, with their refusal.
 */
export function divideCalls(
  calls: readonly ToolCall[],
  tools: readonly ListedTool[],
  request: RunRequest,
  decisions: Decisions,
): { ready: ReadyCall[]; waiting: ToolCall[] } {
  const ready: ReadyCall[] = [];
  const waiting: ToolCall[] = [];
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    const decision = decisions.find(({ toolCallId }) => toolCallId === call.id);
    if (!tool) ready.push({ call, refusal: notPermitted(call.name) });
    else if (decision) ready.push(decideCall(call, decision));
    else if (needsApproval(request, tool)) waiting.push(call);
    else ready.push({ call });
  }
  return { ready, waiting };
}

function decideCall(
  call: ToolCall,
  { decision, arguments: values }: Decisions[number],
): ReadyCall {
  if (decision === "deny")
    return { call, refusal: "denied: the user did not allow this call." };
  return { call: { ...call, arguments: values ?? call.arguments } };
}

function notPermitted(name: string): string {
  return `tool_not_permitted: "${name}" is not among the tools that may be used here.`;
}
