import { type Fetch, stream } from "../../platform/http/call.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import { toApiError } from "../../platform/http/reported-error.ts";
import {
  completionContract,
  type CompletionRequest,
  type Message,
  type Usage,
} from "./contract.ts";

/** A task of the platform for a model, which is not part of a conversation. */
export interface ModelTask extends Pick<
  CompletionRequest,
  "model" | "temperature" | "maxTokens" | "responseFormat" | "context" | "labels"
> {
  /** What the model does with the content. */
  task: string;
  content: Message["content"];
}

interface AskOptions {
  /** For `askModel` the limit of the whole answer, for `streamAnswer` of a pause within it. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * The whole answer of a model, trimmed. It may be empty.
 * @throws ApiError of the completion service.
 */
export async function askModel(
  completion: Fetch,
  modelTask: ModelTask,
  options: AskOptions,
): Promise<string> {
  return (await askModelOnce(completion, modelTask, options)).content;
}

/** As `askModel`, with what it used. */
export async function askModelOnce(
  completion: Fetch,
  modelTask: ModelTask,
  options: AskOptions,
): Promise<{ content: string; usage: Usage }> {
  const body = toRequest(modelTask, false);
  for await (const events of stream(
    completion,
    completionContract.complete,
    { body },
    options,
  ))
    for (const event of events) {
      if (event.type === "error") throw toApiError(event);
      if (event.type === "message")
        return { content: event.content.trim(), usage: event.usage };
    }
  return { content: "", usage: { inputTokens: 0, outputTokens: 0 } };
}

/**
 * Yields the answer of a model in pieces, as they arrive. For long answers, which it does not limit
 * as a whole.
 * @throws ApiError of the completion service, BadGateway `output_too_long` when the answer ends at
 * the model's limit of tokens.
 */
export async function* streamAnswer(
  completion: Fetch,
  modelTask: ModelTask,
  options: AskOptions,
): AsyncGenerator<string> {
  const body = toRequest(modelTask, true);
  for await (const events of stream(
    completion,
    completionContract.complete,
    { body },
    options,
  )) {
    let text = "";
    for (const event of events) {
      if (event.type === "text_delta") text += event.delta;
      if (event.type === "error") throw toApiError(event);
      if (event.type === "done" && event.finishReason === "length") throw outputTooLong();
    }
    if (text !== "") yield text;
  }
}

function toRequest({ task, content, ...settings }: ModelTask, isStream: boolean) {
  const messages: Message[] = [
    { role: "system", content: task },
    { role: "user", content },
  ];
  return { ...settings, messages, stream: isStream };
}

function outputTooLong(): BadGateway {
  return new BadGateway(
    "output_too_long",
    "The model stopped before the end. Use a model with a higher limit of output tokens.",
  );
}
