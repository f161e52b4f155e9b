import type { CompletionEvent, ToolCall } from "./contract.ts";
import { mapBatches } from "./map-batches.ts";
import type { ProviderClient } from "./provider-client.ts";
import { MAX_STATE_CHARACTERS } from "./reply-limits.ts";

/**
 * What a provider wants back stands in the calls of a turn, because nothing else needs it: in
 * `call` what belongs to the call, and in `message` of the first call what belongs to the message.
 */

/** Adds the state of the message to the calls of its turn. */
export function withMessageState(
  calls: readonly CompletionEvent[],
  message: Record<string, unknown> | undefined,
): CompletionEvent[] {
  const [first, ...rest] = calls;
  if (first?.type !== "tool_call" || !message) return [...calls];
  return [{ ...first, state: { ...first.state, message } }, ...rest];
}

export function messageStateOf([first]: readonly ToolCall[]): unknown {
  return first?.state?.["message"];
}

/**
 * Marks what a provider wants back with the model that sent it, and gives it to the same model
 * alone: others refuse it, or would read another's signature.
 */
export function withOwnState(client: ProviderClient, origin: string): ProviderClient {
  return (call) => {
    const { request } = call;
    const messages = request.messages.map((message) =>
      message.toolCalls?.some(({ state }) => state)
        ? { ...message, toolCalls: message.toolCalls.map((one) => keepOwn(one, origin)) }
        : message,
    );
    const batches = client({ ...call, request: { ...request, messages } });
    return mapBatches(batches, (events) =>
      events.some(hasState) ? events.map((event) => mark(event, origin)) : events,
    );
  };
}

function hasState(event: CompletionEvent): boolean {
  return event.type === "tool_call" && event.state !== undefined;
}

function mark(event: CompletionEvent, origin: string): CompletionEvent {
  if (event.type !== "tool_call" || !event.state) return event;
  const { state, ...rest } = event;
  const isSmall = JSON.stringify(state).length <= MAX_STATE_CHARACTERS;
  return isSmall ? { ...event, state: { ...state, origin } } : rest;
}

function keepOwn({ state, ...call }: ToolCall, origin: string): ToolCall {
  return state?.["origin"] === origin ? { ...call, state } : call;
}
