import { ApiError } from "../../../platform/http/errors.ts";
import { reportError } from "../../../platform/http/reported-error.ts";
import type { Transcript } from "../../agent-loop/contract-transcript.ts";
import { citedIn } from "../sources/check-citations.ts";
import type { ConversationEvent } from "./contract.ts";
import type { Outcome } from "./record-reply.ts";

/** How the run of a reply ended. */
export type Ending = "complete" | "stopped" | { error: ApiError };

/** What is stored of a reply when it has ended. */
export function toOutcome(transcript: Transcript, ending: Ending): Omit<Outcome, "title"> {
  const { content, reasoning, toolCalls, waiting, usage, finishReason } = transcript;
  const cited = transcript.sources.length > 0 ? citedIn(content) : undefined;
  const sources = transcript.sources.map((source) => ({
    ...source,
    cited: cited?.has(source.index) === true,
  }));
  const { notFound, warnings, answeredBy } = transcript;
  const labels = transcript.labels.map(({ id, name, color }) => ({ id, name, color }));
  const found = { sources, notFound, warnings, ...(labels.length > 0 && { labels }) };
  const common = { content, reasoning, toolCalls, ...found, answeredBy, usage };
  if (ending === "complete")
    return {
      ...common,
      status: "complete",
      history: transcript.history,
      waiting,
      finishReason,
      error: null,
    };
  // calls without results would make every later request of the thread invalid, so only the text
  // stays
  const cut = { ...common, history: [], waiting: [] };
  if (ending === "stopped")
    return { ...cut, status: "stopped", finishReason: "cancelled", error: null };
  return { ...cut, status: "failed", finishReason: null, error: reportError(ending.error) };
}

/** The last event of a reply. */
export function toLastEvent(
  messageId: string,
  { content, status, usage, error }: Omit<Outcome, "title">,
  { finishReason, iterations, answeredBy }: Transcript,
): ConversationEvent {
  if (error) return { type: "error", ...error };
  return {
    type: "done",
    messageId,
    content,
    finishReason: status === "stopped" ? "cancelled" : (finishReason ?? "stop"),
    iterations,
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    ...(answeredBy && { answeredBy }),
  };
}

/** The error of a reply that failed for a reason which no part of the platform explains. */
export function unexpectedFailure(messageId: string, cause: unknown): ApiError {
  return new ApiError(
    500,
    "internal_error",
    "The server failed while it generated this reply. Ask again; if it fails again, give an " +
      `administrator the id of the message: ${messageId}.`,
    { cause },
  );
}
