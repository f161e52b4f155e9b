import { createHash } from "node:crypto";
import { shortenText } from "../../platform/shorten-text.ts";
import type { CompletionEvent, Message, ToolCall } from "./contract.ts";
import { mapBatches } from "./map-batches.ts";
import type { ProviderClient } from "./provider-client.ts";

/** What Claude, Bedrock and OpenAI accept. */
const USUAL_ID = /^[a-zA-Z0-9_-]{1,40}$/;
/** What Mistral's models accept. */
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;
/** They have rules of their own behind any server. */
export const MISTRAL_MODEL =
  /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/i;
const NEW_ID_CHARACTERS = 9;
const MAX_ID_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 300;
const NO_NAME = "unnamed";

/**
 * Gives calls ids that the provider accepts, and that differ from those of all other calls of the
 * thread. Some servers begin the numbers of each turn at 0, and a thread may come from another
 * model.
 */
export function withUniqueCallIds(client: ProviderClient): ProviderClient {
  return (call) => {
    const { request, model } = call;
    const pattern = MISTRAL_MODEL.test(model) ? MISTRAL_ID : USUAL_ID;
    const messages = rewriteIds(request.messages, pattern);
    return withNewIds(
      client({ ...call, request: { ...request, messages } }),
      request.messages,
    );
  };
}

/** Renames the model's calls that have an id of the thread. */
function withNewIds(
  batches: AsyncIterable<CompletionEvent[]>,
  messages: readonly Message[],
): AsyncIterable<CompletionEvent[]> {
  const known = new Set(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)),
  );
  const rename = (event: CompletionEvent): CompletionEvent => {
    if (event.type !== "tool_call") return event;
    const id = unusedId(event.id, known);
    return { ...event, id, name: shortenText(event.name, MAX_NAME_CHARACTERS) || NO_NAME };
  };
  return mapBatches(batches, (events) =>
    events.some(({ type }) => type === "tool_call") ? events.map(rename) : events,
  );
}

function unusedId(given: string, known: Set<string>): string {
  const base = shortenText(given, MAX_ID_CHARACTERS);
  let id = base;
  for (let copy = 2; known.has(id); copy += 1) id = `${base}_${copy}`;
  known.add(id);
  return id;
}

/** The same messages with ids of the pattern, each once. Results keep their calls. */
function rewriteIds(messages: readonly Message[], pattern: RegExp): Message[] {
  const used = new Set<string>();
  let sent = new Map<string, string[]>();
  return messages.map((message) => {
    const { role, toolCalls, toolCallId } = message;
    if (role === "tool") {
      const id = sent.get(toolCallId ?? "")?.shift();
      return id === undefined || id === toolCallId
        ? message
        : { ...message, toolCallId: id };
    }
    if (!toolCalls) return message;
    sent = new Map();
    return {
      ...message,
      toolCalls: toolCalls.map((call) => rewrite(call, pattern, used, sent)),
    };
  });
}

function rewrite(
  call: ToolCall,
  pattern: RegExp,
  used: Set<string>,
  sent: Map<string, string[]>,
): ToolCall {
  let { id } = call;
  // the same in every request, so that the provider's cache of the thread holds
  for (let copy = 1; !pattern.test(id) || used.has(id); copy += 1)
    id = newId(`${call.id} ${copy}`);
  used.add(id);
  const ids = sent.get(call.id) ?? [];
  ids.push(id);
  sent.set(call.id, ids);
  return id === call.id ? call : { ...call, id };
}

function newId(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, NEW_ID_CHARACTERS);
}
