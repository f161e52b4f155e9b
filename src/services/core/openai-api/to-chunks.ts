import { ApiError } from "../../../platform/http/errors.ts";
import type { RunEvent } from "../../agent/contract.ts";
import type { CompletionEvent, Usage } from "../../completion/contract.ts";
import type { ChatCompletion, FinishReason } from "./contract.ts";
import { toApiError } from "../../../platform/http/to-api-error.ts";

/** What a reply may consist of: a model's own events, or those of an agent whose tools ran here. */
export type ReplyEvent = CompletionEvent | RunEvent;

export interface Head {
  id: string;
  created: number;
  model: string;
}

/**
 * Events as `chat.completion.chunk`s in wire form. What an agent's tools did stays inside. Source:
 * OpenAI API reference, streaming.
 */
export async function* chunksOf(
  replies: AsyncIterable<readonly ReplyEvent[]>,
  head: Head,
  { includeUsage }: { includeUsage: boolean },
): AsyncGenerator<string[]> {
  const chunk = (delta: object, finish: FinishReason | null = null) =>
    data({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage && { usage: null }),
    });
  yield [chunk({ role: "assistant", content: "" })];
  let calls = 0;
  try {
    for await (const events of replies) {
      const lines: string[] = [];
      for (const event of events) {
        if (event.type === "text_delta") lines.push(chunk({ content: event.delta }));
        else if (event.type === "reasoning_delta")
          lines.push(chunk({ reasoning_content: event.delta }));
        else if (event.type === "tool_call" && "id" in event)
          lines.push(chunk({ tool_calls: [{ index: calls++, ...functionCall(event) }] }));
        else if (event.type === "done") {
          lines.push(chunk({}, finishOf(event.finishReason)));
          if (includeUsage)
            lines.push(
              data({
                ...head,
                object: "chat.completion.chunk",
                choices: [],
                usage: usageOf(event.usage),
              }),
            );
        } else if (event.type === "error") throw toApiError(event);
        else if (event.type === "approval") throw needsPerson(event.name);
      }
      if (lines.length > 0) yield lines;
    }
    yield ["data: [DONE]\n\n"];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield [failed(error)];
  }
}

/** The last event of a stream that failed. */
export function failed({ message, code }: ApiError): string {
  return data({ error: { message, type: "server_error", param: null, code } });
}

/** The same as one object. @throws what the reply throws. */
export async function completionFrom(
  replies: AsyncIterable<readonly ReplyEvent[]>,
  head: Head,
): Promise<ChatCompletion> {
  let content = "";
  let reasoning = "";
  const calls: ReturnType<typeof functionCall>[] = [];
  let finish: FinishReason = "stop";
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  for await (const events of replies) {
    for (const event of events) {
      if (event.type === "text_delta") content += event.delta;
      else if (event.type === "reasoning_delta") reasoning += event.delta;
      else if (event.type === "tool_call" && "id" in event) calls.push(functionCall(event));
      // before a tool ran, an agent may have said something that is not its answer
      else if (event.type === "tool_result") content = "";
      else if (event.type === "done") [finish, usage] = [finishOf(event.finishReason), event.usage];
      else if (event.type === "error") throw toApiError(event);
      else if (event.type === "approval") throw needsPerson(event.name);
    }
  }
  const message = {
    role: "assistant" as const,
    content: content || (calls.length > 0 ? null : ""),
    refusal: null,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: usageOf(usage),
  };
}

function functionCall({
  id,
  name,
  arguments: given,
}: {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}) {
  return { id, type: "function" as const, function: { name, arguments: JSON.stringify(given) } };
}

function finishOf(reason: string): FinishReason {
  return reason === "length" || reason === "tool_calls" || reason === "content_filter"
    ? reason
    : "stop";
}

function usageOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
  };
}

function needsPerson(tool: string): ApiError {
  return new ApiError(
    409,
    "approval_needed",
    `The agent wants to use "${tool}", which a person must allow. Use a conversation for that.`,
  );
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
