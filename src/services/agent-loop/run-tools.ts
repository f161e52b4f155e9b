import { ApiError } from "../../platform/http/errors.ts";
import { type ReplyEvent, Visit } from "./contract-events.ts";
import type { ToolCall, Usage } from "../completion/contract.ts";
import type { ReadyCall, WaitingCall } from "./ready-calls.ts";
import type { Toolbox, ToolAnswer } from "./toolbox.ts";

/** More calls in one turn indicate a confused model; the rest is refused. */
const MAX_CALLS_PER_TURN = 32;

/**
 * Runs the calls of one turn in parallel and yields the events of each when it ends: what its tool
 * reports, then its result. A tool's failure is a result. `onUsage`: a tool asked a model itself.
 * `onUserNeeded`: takes calls that only their user can let go on, by an account at the tool server
 * or a visit, which then have no result; without it, that is their result.
 * @throws ApiError when the gateway or core fails.
 */
export async function* runTools(
  toolbox: Toolbox,
  calls: readonly ReadyCall[],
  signal: AbortSignal,
  onUsage: (usage: Usage) => void = () => {},
  onUserNeeded?: (one: WaitingCall) => void,
): AsyncGenerator<ReplyEvent[]> {
  const running = new Map<number, Promise<{ index: number; events: ReplyEvent[] }>>();
  for (const [index, ready] of calls.slice(0, MAX_CALLS_PER_TURN).entries()) {
    const ended = runCall(toolbox, ready, signal, onUsage, onUserNeeded).then((events) => ({
      index,
      events,
    }));
    // a failure while another call is awaited must not count as unhandled
    ended.catch(() => {});
    running.set(index, ended);
  }
  const excess = calls.slice(MAX_CALLS_PER_TURN);
  if (excess.length > 0) yield excess.map(refuseExcess);
  while (running.size > 0) {
    const { index, events } = await Promise.race(running.values());
    running.delete(index);
    yield events;
  }
}

function refuseExcess({ call }: ReadyCall): ReplyEvent {
  return toResult(call, "too_many_calls: call fewer tools at once.", true, 0);
}

/** What people see of a result beside its text. */
type Shown = Pick<ToolAnswer, "files" | "view" | "figures">;

function toResult(
  { id, name }: ReadyCall["call"],
  content: string,
  isError: boolean,
  durationMs: number,
  { files = [], view, figures }: Shown = {},
): ReplyEvent {
  return {
    type: "tool_result",
    toolCallId: id,
    name,
    content,
    isError,
    durationMs,
    ...(files.length > 0 && { files: [...files] }),
    ...(view && { view }),
    ...(figures && { figures }),
  };
}

async function runCall(
  toolbox: Toolbox,
  { call, refusal }: ReadyCall,
  signal: AbortSignal,
  onUsage: (usage: Usage) => void,
  onUserNeeded: ((one: WaitingCall) => void) | undefined,
): Promise<ReplyEvent[]> {
  const startedAt = performance.now();
  const end = (content: string, isError: boolean, shown?: Shown) => {
    const durationMs = Math.round(performance.now() - startedAt);
    return toResult(call, content, isError, durationMs, shown);
  };
  if (refusal !== undefined) return [end(refusal, true)];
  try {
    const {
      content,
      isError,
      events = [],
      usage,
      ...shown
    } = await toolbox.call(call.name, call.arguments, signal, undefined, call.id);
    if (usage) onUsage(usage);
    return [...events, end(content, isError, shown)];
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || !isOfTool(error)) throw error;
    const waiting = onUserNeeded && waitingFor(call, error);
    if (!waiting) return [end(describe(error), true)];
    onUserNeeded(waiting);
    return [];
  }
}

/** A call that only its user can let go on, by an error of the tool gateway. */
function waitingFor(call: ToolCall, { code, params }: ApiError): WaitingCall | undefined {
  if (code === "tool_sign_in_needed") return { call, because: "sign_in" };
  const visit = Visit.safeParse(params).data;
  if (code !== "tool_visit_needed" || !visit) return undefined;
  return { call, because: "visit", visit };
}

/**
 * Whether an error of the gateway concerns one tool or its server (wrong arguments, unknown,
 * unreachable, too slow), so that the model can react to it.
 */
function isOfTool({ code }: ApiError): boolean {
  return code.startsWith("tool_") || code === "validation_failed";
}

function describe({ code, message, details }: ApiError): string {
  const more = details === undefined ? "" : ` ${JSON.stringify(details)}`;
  return `${code}: ${message}${more}`;
}
