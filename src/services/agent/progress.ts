import type { Message } from "../completion/contract.ts";
import type { FinishReason, RunResult } from "./contract.ts";

/** What a run has done so far: its result in the making, kept also when it fails. */
export type Progress = Omit<RunResult, "finishReason"> & { finishReason?: FinishReason };

export function newProgress(): Progress {
  return {
    content: "",
    iterations: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    messages: [],
    toolCalls: [],
  };
}

/** Adds what a turn cost. */
export function addUsage(
  { usage }: Progress,
  more: { inputTokens: number; outputTokens: number; cachedInputTokens?: number | undefined },
): void {
  usage.inputTokens += more.inputTokens;
  usage.outputTokens += more.outputTokens;
  if (more.cachedInputTokens)
    usage.cachedInputTokens = (usage.cachedInputTokens ?? 0) + more.cachedInputTokens;
}

/** Calls at the end of a history that nothing answers yet. */
export function openCalls(messages: readonly Message[]) {
  const at = messages.findLastIndex(
    ({ role, toolCalls = [] }) => role === "assistant" && toolCalls.length > 0,
  );
  if (at < 0 || messages.slice(at + 1).some(({ role }) => role !== "tool")) return [];
  const answered = new Set(messages.slice(at + 1).map(({ toolCallId }) => toolCallId));
  return (messages[at]?.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}
