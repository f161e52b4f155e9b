import { cutText } from "../../platform/cut-text.ts";
import type { ToolCall } from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";

/** A call that runs now, or that is refused for a reason which the model reads. */
export interface ReadyCall {
  call: ToolCall;
  refusal?: string;
}

/** Of arguments that cannot be read. */
const MAX_QUOTED_CHARACTERS = 500;

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
    else if (call.unreadable !== undefined)
      ready.push({ call, refusal: unreadable(call.unreadable) });
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

function unreadable(text: string): string {
  return (
    "tool_arguments_unreadable: the call was not run, because its arguments are not a whole JSON " +
    `object: ${cutText(text, MAX_QUOTED_CHARACTERS)}`
  );
}

function notPermitted(name: string): string {
  return `tool_not_permitted: "${name}" is not among the tools that may be used here.`;
}

type ApprovalRules = Pick<RunRequest, "approval" | "allowedTools">;
type Tool = Pick<ListedTool, "server" | "name" | "effect" | "fingerprint">;

/**
 * Whether a call of the tool waits for the user's decision. With `destructive`, a call waits unless
 * its tool only reads or adds, or the user has allowed the tool as it is now. A tool of unknown
 * effect counts as destructive.
 */
function needsApproval({ approval, allowedTools }: ApprovalRules, tool: Tool): boolean {
  if (approval === "never") return false;
  if (approval === "always") return true;
  if (tool.effect === "read_only" || tool.effect === "additive") return false;
  return !allowedTools?.some(
    ({ server, name, fingerprint }) =>
      server === tool.server && name === tool.name && fingerprint === tool.fingerprint,
  );
}
