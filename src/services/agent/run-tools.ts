import { ApiError } from "../../platform/http/errors.ts";
import type { ReplyEvent } from "./contract-events.ts";
import type { ReadyCall } from "./ready-calls.ts";
import type { Toolbox } from "./toolbox.ts";

/** More calls in one turn indicate a confused model; the rest is refused. */
const MAX_CALLS_PER_TURN = 32;

/**
 * Runs the calls of one turn in parallel and yields the events of each when it ends: what its tool
 * reports, then its result. A tool's failure is a result.
 * @throws ApiError when the gateway or core fails.
 */
export async function* runTools(
  toolbox: Toolbox,
  calls: readonly ReadyCall[],
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[]> {
  const running = new Map<number, Promise<{ index: number; events: ReplyEvent[] }>>();
  for (const [index, ready] of calls.entries()) {
    const permitted = index < MAX_CALLS_PER_TURN ? ready : refuseExcess(ready);
    const ended = runCall(toolbox, permitted, signal).then((events) => ({ index, events }));
    // a failure while another call is awaited must not count as unhandled
    ended.catch(() => {});
    running.set(index, ended);
  }
  while (running.size > 0) {
    const { index, events } = await Promise.race(running.values());
    running.delete(index);
    yield events;
  }
}

function refuseExcess({ call }: ReadyCall): ReadyCall {
  return { call, refusal: "too_many_calls: call fewer tools at once." };
}

async function runCall(
  toolbox: Toolbox,
  { call: { id, name, arguments: values }, refusal }: ReadyCall,
  signal: AbortSignal,
): Promise<ReplyEvent[]> {
  const startedAt = performance.now();
  const toResult = (content: string, isError: boolean): ReplyEvent => ({
    type: "tool_result",
    toolCallId: id,
    name,
    content,
    isError,
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (refusal !== undefined) return [toResult(refusal, true)];
  try {
    const { content, isError, events = [] } = await toolbox.call(name, values, signal);
    return [...events, toResult(content, isError)];
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || !isOfTool(error)) throw error;
    return [toResult(describe(error), true)];
  }
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
