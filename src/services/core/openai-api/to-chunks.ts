import { pushed } from "../../../platform/batches.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import { Transcript } from "../../agent-loop/contract-transcript.ts";
import type { ToolCall, Usage } from "../../completion/contract.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";
import { approvalNeeded, deliverLines } from "./answer-chat.ts";
import type { ChatCompletion, FinishReason } from "./contract.ts";
import { answeringModel } from "./list-models.ts";

type Batches = AsyncIterable<readonly ReplyEvent[]>;

export interface Head {
  id: string;
  created: number;
  model: string;
}

interface Options {
  /** Whether the client runs the tools. The calls of an agent's own tools stay inside. */
  showsCalls: boolean;
  includeUsage: boolean;
}

/**
 * Events as `chat.completion.chunk`s in wire form. See the OpenAI API reference, streaming.
 */
export function toChunks(
  batches: Batches,
  head: Head,
  options: Options,
): AsyncIterable<string[]> {
  return pushed(async (emit) => {
    const writer = new ChunkWriter(head, options);
    try {
      await deliverLines(batches, (event, lines) => writer.write(event, lines), emit);
      const rest: string[] = [];
      writer.begin(rest);
      await emit([...rest, "data: [DONE]\n\n"]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await emit([encodeFailure(error)]);
    }
  });
}

class ChunkWriter {
  #head: Head;
  readonly #options: Options;
  #calls = 0;
  #hasBegun = false;

  constructor(head: Head, options: Options) {
    this.#head = head;
    this.#options = options;
  }

  chunk(delta: object, finish: FinishReason | null = null): string {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finish };
    const chunk = { ...this.#head, object: "chat.completion.chunk", choices: [choice] };
    return encode(this.#options.includeUsage ? { ...chunk, usage: null } : chunk);
  }

  /** Adds the first chunk, once it is known who answers. */
  begin(lines: string[]): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    lines.push(this.chunk({ role: "assistant", content: "" }));
  }

  /** Adds the lines of one event. @throws ApiError of an event that ends the reply. */
  write(event: ReplyEvent, lines: string[]): void {
    if (event.type === "answered_by") {
      const model = answeringModel(this.#head.model, event);
      this.#head = { ...this.#head, model };
      return;
    }
    this.begin(lines);
    switch (event.type) {
      case "text_delta":
        lines.push(this.chunk({ content: event.delta }));
        break;
      case "reasoning_delta":
        lines.push(this.chunk({ reasoning_content: event.delta }));
        break;
      case "tool_call":
        if (this.#options.showsCalls)
          lines.push(this.chunk({ tool_calls: [this.#call(event)] }));
        break;
      case "done":
        lines.push(this.chunk({}, toFinish(event.finishReason, this.#calls)));
        if (this.#options.includeUsage) lines.push(this.#usage(event.usage));
        break;
      case "error":
        throw toApiError(event);
      case "approval":
        throw approvalNeeded(event.name);
    }
  }

  #call({ toolCallId: id, ...call }: Extract<ReplyEvent, { type: "tool_call" }>) {
    const index = this.#calls;
    this.#calls += 1;
    return { index, ...toFunctionCall({ id, ...call }) };
  }

  #usage(usage: Usage): string {
    return encode({
      ...this.#head,
      object: "chat.completion.chunk",
      choices: [],
      usage: toUsage(usage),
    });
  }
}

/** The last event of a stream that failed. */
export function encodeFailure({ message, code }: ApiError): string {
  return encode({ error: { message, type: "server_error", param: null, code } });
}

/** The same reply as one object. @throws ApiError of the reply. */
export async function toCompletion(
  batches: Batches,
  head: Head,
  { showsCalls }: Pick<Options, "showsCalls">,
): Promise<ChatCompletion> {
  const transcript = new Transcript();
  let reasoning = "";
  let calls: ToolCall[] = [];
  for await (const events of batches)
    for (const event of events) {
      if (event.type === "error") throw toApiError(event);
      if (event.type === "approval") throw approvalNeeded(event.name);
      if (event.type === "reasoning_delta") reasoning += event.delta;
      if (event.type === "done" && showsCalls) calls = transcript.openCalls;
      transcript.add(event);
    }
  const { content, finishReason, usage } = transcript;
  const message: ChatCompletion["choices"][number]["message"] = {
    role: "assistant",
    content: content || (calls.length > 0 ? null : ""),
    refusal: null,
  };
  if (reasoning) message.reasoning_content = reasoning;
  if (calls.length > 0) message.tool_calls = calls.map(toFunctionCall);
  const finish = toFinish(finishReason ?? "stop", calls.length);
  const { answeredBy } = transcript;
  return {
    ...head,
    ...(answeredBy && { model: answeringModel(head.model, answeredBy) }),
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: toUsage(usage ?? { inputTokens: 0, outputTokens: 0 }),
  };
}

/** Arguments that are not JSON are the client's to judge, as with OpenAI. */
function toFunctionCall({
  id,
  name,
  arguments: values,
  unreadable,
  state,
}: Omit<ToolCall, "type">) {
  return {
    id,
    type: "function" as const,
    function: { name, arguments: unreadable ?? JSON.stringify(values) },
    // the place where Gemini's clients keep what it wants back
    ...(state && { extra_content: { parlance: state } }),
  };
}

/** `calls`: those that the client is to run. */
function toFinish(reason: string, calls: number): FinishReason {
  if (reason === "length" || reason === "content_filter") return reason;
  return calls > 0 ? "tool_calls" : "stop";
}

function toUsage({
  inputTokens,
  outputTokens,
  cachedInputTokens = 0,
  cacheWriteInputTokens = 0,
}: Usage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: cachedInputTokens,
      cache_write_tokens: cacheWriteInputTokens,
    },
  };
}

function encode(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
