import type { CompletionEvent, ToolCall } from "./contract.ts";
import { cutFailure } from "./provider-failures.ts";

/** Joins the events of a reply into one `message`. @throws what the stream throws. */
export async function collectMessage(
  batches: AsyncIterable<CompletionEvent[]>,
): Promise<CompletionEvent> {
  let content = "";
  const toolCalls: ToolCall[] = [];
  let end: Extract<CompletionEvent, { type: "done" }> | undefined;
  for await (const events of batches) {
    for (const event of events) {
      if (event.type === "text_delta") content += event.delta;
      else if (event.type === "tool_call") toolCalls.push({ ...event, type: "tool_call" });
      else if (event.type === "done") end = event;
    }
  }
  if (end === undefined) throw cutFailure();
  return {
    type: "message",
    content,
    toolCalls,
    finishReason: end.finishReason,
    usage: end.usage,
    ...(end.answeredBy && { answeredBy: end.answeredBy }),
  };
}
