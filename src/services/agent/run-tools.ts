import { ApiError } from "../../platform/http/errors.ts";
import type { ToolCall } from "../completion/contract.ts";
import type { ToolResult } from "../tool-gateway/contract.ts";
import type { RunEvent, ToolOutcome } from "./contract.ts";
import type { Progress } from "./progress.ts";
import { renderResult } from "./render-result.ts";

export type CallTool = (
  call: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
) => Promise<ToolResult>;

/** A call that needs to wait for nobody: to be run, or with what became of it already. */
export interface ReadyCall {
  call: ToolCall;
  refusal?: string;
  answer?: { content: string; isError: boolean };
}

/** More calls of one reply than this are a model that has lost its way; the rest is refused. */
const MAX_PER_TURN = 32;

/**
 * Runs the calls of one reply in parallel. Each result is an event when it comes; the outcomes are
 * returned in call order. A tool's failure is an outcome; a failure of the gateway is thrown.
 */
export async function* runTools(
  callTool: CallTool,
  calls: readonly ReadyCall[],
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[], ToolOutcome[]> {
  const running = new Map(
    calls.map((ready, index) => [
      index,
      runOne(callTool, index < MAX_PER_TURN ? ready : tooMany(ready), signal, index),
    ]),
  );
  // one that fails while another is awaited must not count as unhandled
  for (const outcome of running.values()) outcome.catch(() => {});
  const outcomes: ToolOutcome[] = [];
  const before = progress.toolCalls.length;
  while (running.size > 0) {
    const { index, outcome } = await Promise.race(running.values());
    running.delete(index);
    outcomes[index] = outcome;
    // those that are there, in call order
    progress.toolCalls.splice(before, Infinity, ...Object.values(outcomes));
    const { arguments: _, ...shown } = outcome;
    yield [{ type: "tool_result", ...shown }];
  }
  return outcomes;
}

function tooMany({ call }: ReadyCall): ReadyCall {
  return { call, refusal: "too_many_calls: call fewer tools at once." };
}

async function runOne(
  callTool: CallTool,
  { call: { id, name, arguments: given }, refusal, answer }: ReadyCall,
  signal: AbortSignal,
  index: number,
) {
  const startedAt = performance.now();
  const outcome = (content: string, isError: boolean) => ({
    index,
    outcome: {
      toolCallId: id,
      name,
      arguments: given,
      content,
      isError,
      durationMs: Math.round(performance.now() - startedAt),
    },
  });
  if (refusal !== undefined) return outcome(refusal, true);
  if (answer !== undefined) return outcome(answer.content, answer.isError);
  try {
    const result = await callTool({ name, arguments: given }, signal);
    return outcome(renderResult(result), result.isError === true);
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || !concernsTheTool(error)) throw error;
    return outcome(
      `${error.code}: ${error.message}${error.details === undefined ? "" : ` ${JSON.stringify(error.details)}`}`,
      true,
    );
  }
}

/**
 * What the gateway says of one tool or its server (wrong arguments, unknown, unreachable, too slow)
 * is for the model to deal with.
 */
function concernsTheTool({ code }: ApiError): boolean {
  return code.startsWith("tool_") || code === "validation_failed";
}
