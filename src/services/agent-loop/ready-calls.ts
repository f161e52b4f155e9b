import { shortenText } from "../../platform/shorten-text.ts";
import type { Message, ToolCall } from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import {
  type Act,
  type CarriedLabel,
  judgeByLabels,
} from "../users/contract-judge-labels.ts";
import type { RunRequest } from "./contract.ts";
import type { Visit } from "./contract-events.ts";
import { FINDER } from "./find-tools.ts";

/** A call that runs now, or that is refused for a reason which the model reads. */
export interface ReadyCall {
  call: ToolCall;
  refusal?: string;
}

/** Of arguments that cannot be read. */
const MAX_QUOTED_CHARACTERS = 500;

type Decisions = NonNullable<RunRequest["decisions"]>;

/** A call that waits for the user, and why it does although the user allowed its tool. */
export interface WaitingCall {
  call: ToolCall;
  because?: "open_world" | "label" | "sign_in" | "visit";
  /** The name of the label that asks. */
  label?: string;
  visit?: Visit;
}

interface TurnCalls {
  calls: readonly ToolCall[];
  tools: readonly ListedTool[];
  request: RunRequest;
  /** What the model has read: the messages of the request and of the run. */
  read: readonly Message[];
  /** Of what it has read. */
  labels: readonly CarriedLabel[];
  decisions: Decisions;
}

/**
 * Divides the calls of a turn into those that run now and those that wait for the user's decision.
 * A denied call and one that is not permitted are ready, with their refusal.
 */
export function divideCalls({
  calls,
  tools,
  request,
  read,
  labels,
  decisions,
}: TurnCalls): {
  ready: ReadyCall[];
  waiting: WaitingCall[];
} {
  const ready: ReadyCall[] = [];
  const waiting: WaitingCall[] = [];
  const sources = openWorldSources(read, tools);
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    const decision = decisions.find(({ toolCallId }) => toolCallId === call.id);
    const { verdict, label } = judgeByLabels(labels, tool ? actOf(tool) : NOTHING);
    if (!tool) ready.push({ call, refusal: notPermitted(call.name) });
    else if (call.unreadable !== undefined)
      ready.push({ call, refusal: unreadable(call.unreadable) });
    // no decision lifts it, so a forged one does not either
    else if (label && verdict === "refused")
      ready.push({ call, refusal: refusedByLabel(call.name, label.name) });
    else if (decision) ready.push(decideCall(call, decision));
    else if (label) waiting.push({ call, because: "label", label: label.name });
    else if (tool === FINDER || !mayWait(request, tool)) ready.push({ call });
    else if (!isAllowed(request, tool)) waiting.push({ call });
    else if (request.hasReadOpenWorld || sources.some((name) => name !== tool.name))
      waiting.push({ call, because: "open_world" });
    else ready.push({ call });
  }
  return { ready, waiting };
}

const NOTHING: Act = { kind: "call", openWorld: false, destructive: false };

/**
 * What a call of the tool may do, as far as it is known: a tool that does not say that it stays
 * within the installation may leave it, as its protocol has it.
 */
function actOf({ annotations, effect }: ListedTool): Extract<Act, { kind: "call" }> {
  return {
    kind: "call",
    openWorld: annotations?.openWorldHint !== false,
    destructive: effect !== "read_only" && effect !== "additive",
  };
}

function refusedByLabel(name: string, label: string): string {
  return (
    `label_forbids_tool: "${name}" reaches what is outside, which the label "${label}" of what was ` +
    "read here forbids. Go on without it, and say so."
  );
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
    `object: ${shortenText(text, MAX_QUOTED_CHARACTERS)}`
  );
}

function notPermitted(name: string): string {
  return `tool_not_permitted: "${name}" is not among the tools that may be used here.`;
}

type ApprovalRules = Pick<RunRequest, "approval" | "allowedTools">;
type Tool = Pick<ListedTool, "server" | "name" | "effect" | "fingerprint">;

/**
 * Whether a call of the tool may wait for the user's decision. With `destructive`, it does not if
 * the tool only reads or adds. A tool of unknown effect counts as destructive.
 */
function mayWait({ approval }: ApprovalRules, { effect }: Tool): boolean {
  if (approval !== "destructive") return approval === "always";
  return effect !== "read_only" && effect !== "additive";
}

/** Whether the user has allowed the tool as it is now, which counts with `destructive` alone. */
function isAllowed({ approval, allowedTools = [] }: ApprovalRules, tool: Tool): boolean {
  return (
    approval === "destructive" &&
    allowedTools.some(
      ({ server, name, fingerprint }) =>
        server === tool.server && name === tool.name && fingerprint === tool.fingerprint,
    )
  );
}

/**
 * The tools that may reach the open world and have answered: all that do not say, as servers that
 * are trusted may, that they stay inside. What they return may have been written by anybody, so the
 * user's word for a tool does not cover what it suggests.
 */
function openWorldSources(
  messages: readonly Message[],
  tools: readonly ListedTool[],
): string[] {
  const open = new Set(tools.filter((tool) => actOf(tool).openWorld).map(nameOf));
  if (open.size === 0) return [];
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
  return messages
    .flatMap(({ toolCalls = [] }) => toolCalls)
    .filter(({ id, name }) => open.has(name) && answered.has(id))
    .map(nameOf);
}

const nameOf = ({ name }: { name: string }) => name;
