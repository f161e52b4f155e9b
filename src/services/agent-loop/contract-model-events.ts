import type {
  CompletionEvent,
  CompletionFinish,
  ToolCall,
} from "../completion/contract.ts";
import type { FinishReason, ReplyEvent } from "./contract-events.ts";

type Call = Pick<ToolCall, "id" | "name" | "arguments" | "unreadable" | "state">;

/** Converts a batch of events of the completion service to events of a reply of one turn. */
export function toReplyEvents(batch: readonly CompletionEvent[]): ReplyEvent[] {
  const events: ReplyEvent[] = [];
  for (const event of batch) {
    switch (event.type) {
      case "text_delta":
      case "reasoning_delta":
      case "answered_by":
        events.push(event);
        break;
      case "tool_call":
        events.push(toToolCall(event));
        break;
      case "error":
        events.push(toReplyError(event));
        break;
      case "message":
        if (event.answeredBy) events.push({ type: "answered_by", ...event.answeredBy });
        if (event.content) events.push({ type: "text_delta", delta: event.content });
        for (const call of event.toolCalls) events.push(toToolCall(call));
        events.push(toDone(event, event.content));
        break;
      case "done":
        events.push(toDone(event, ""));
        break;
    }
  }
  return events;
}

function toReplyError({
  retryable: _,
  ...event
}: Extract<CompletionEvent, { type: "error" }>): ReplyEvent {
  return event;
}

function toToolCall({ id, name, arguments: values, unreadable, state }: Call): ReplyEvent {
  return {
    type: "tool_call",
    toolCallId: id,
    name,
    arguments: values,
    ...(unreadable !== undefined && { unreadable }),
    ...(state && { state }),
  };
}

function toDone(
  {
    finishReason,
    usage,
    answeredBy,
  }: Extract<CompletionEvent, { type: "done" | "message" }>,
  content: string,
): ReplyEvent {
  return {
    type: "done",
    content,
    finishReason: toFinish(finishReason),
    iterations: 1,
    usage,
    ...(answeredBy && { answeredBy }),
  };
}

/** The calls themselves show that the model calls tools. */
function toFinish(reason: CompletionFinish): FinishReason {
  return reason === "tool_calls" ? "stop" : reason;
}
