import { pushed } from "../../../platform/batches.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { encodeWholeEvent } from "../../../platform/http/stream.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import type { Usage as TokenUsage } from "../../completion/contract.ts";
import { approvalNeeded, deliverLines } from "../openai-api/answer-chat.ts";
import { answeringModel } from "../openai-api/list-models.ts";
import { encodeState } from "../openai-api/call-state.ts";
import {
  type StopReason,
  toAnthropicError,
  type Usage,
  type Written,
  type WrittenMessage,
} from "./contract.ts";

type Batches = AsyncIterable<readonly ReplyEvent[]>;

export interface Head {
  id: string;
  model: string;
}

/** Whether the client runs the tools. The calls of an agent's own tools stay inside. */
interface Options {
  showsCalls: boolean;
}

/** Events as Anthropic's server-sent events in wire form. */
export function toMessageEvents(
  batches: Batches,
  head: Head,
  options: Options,
): AsyncIterable<string[]> {
  return pushed(async (emit) => {
    const writer = new MessageWriter(head, options);
    try {
      await deliverLines(batches, (event, lines) => writer.write(event, lines), emit);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await emit([encodeFailure(error)]);
    }
  });
}

/** The same reply as one object. @throws ApiError of the reply. */
export async function toMessage(
  batches: Batches,
  head: Head,
  options: Options,
): Promise<WrittenMessage> {
  const writer = new MessageWriter(head, options);
  for await (const events of batches) for (const event of events) writer.write(event, []);
  return writer.message;
}

/** The last event of a stream that failed. */
export function encodeFailure(error: ApiError): string {
  return encodeWholeEvent(toAnthropicError(error));
}

/** Writes a message block by block, and keeps it. */
class MessageWriter {
  readonly message: WrittenMessage;
  readonly #showsCalls: boolean;
  #hasBegun = false;
  /** The block that text is added to. */
  #open: Extract<Written, { type: "text" | "thinking" }> | undefined;

  constructor({ id, model }: Head, { showsCalls }: Options) {
    this.#showsCalls = showsCalls;
    this.message = {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: toUsage({ inputTokens: 0, outputTokens: 0 }),
    };
  }

  /** Adds the first event, once it is known who answers. */
  #beginMessage(lines: string[]): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    lines.push(encodeWholeEvent({ type: "message_start", message: this.message }));
  }

  /** Adds the lines of one event. @throws ApiError of an event that ends the reply. */
  write(event: ReplyEvent, lines: string[]): void {
    if (event.type === "answered_by") {
      this.message.model = answeringModel(this.message.model, event);
      return;
    }
    this.#beginMessage(lines);
    switch (event.type) {
      case "text_delta":
        this.#addText(event.delta, lines);
        break;
      case "reasoning_delta":
        this.#addThought(event.delta, lines);
        break;
      case "tool_call":
        if (this.#showsCalls) this.#addCall(event, lines);
        break;
      case "done":
        this.#end(event, lines);
        break;
      case "error":
        throw toApiError(event);
      case "approval":
        throw approvalNeeded(event.name);
    }
  }

  get #index(): number {
    return this.message.content.length - 1;
  }

  #addText(text: string, lines: string[]): void {
    if (this.#open?.type !== "text") this.#begin({ type: "text", text: "" }, lines);
    if (this.#open?.type === "text") this.#open.text += text;
    this.#delta({ type: "text_delta", text }, lines);
  }

  #addThought(thinking: string, lines: string[]): void {
    if (this.#open?.type !== "thinking")
      this.#begin({ type: "thinking", thinking: "", signature: "" }, lines);
    if (this.#open?.type === "thinking") this.#open.thinking += thinking;
    this.#delta({ type: "thinking_delta", thinking }, lines);
  }

  #addCall(
    { toolCallId: id, name, arguments: input, unreadable, state }: ToolCallEvent,
    lines: string[],
  ): void {
    if (unreadable !== undefined) throw callUnreadable(name);
    if (state)
      this.#add({ type: "redacted_thinking", data: encodeState(id, state) }, lines);
    this.#close(lines);
    const block: Written = { type: "tool_use", id, name, input };
    this.message.content.push(block);
    this.#start({ ...block, input: {} }, lines);
    this.#delta({ type: "input_json_delta", partial_json: JSON.stringify(input) }, lines);
    this.#stop(lines);
  }

  /** A whole block. */
  #add(block: Written, lines: string[]): void {
    this.#close(lines);
    this.message.content.push(block);
    this.#start(block, lines);
    this.#stop(lines);
  }

  #begin(block: Extract<Written, { type: "text" | "thinking" }>, lines: string[]): void {
    this.#close(lines);
    this.message.content.push(block);
    this.#open = block;
    this.#start(block, lines);
  }

  #close(lines: string[]): void {
    if (!this.#open) return;
    if (this.#open.type === "thinking") {
      this.#open.signature = SIGNATURE;
      this.#delta({ type: "signature_delta", signature: SIGNATURE }, lines);
    }
    this.#open = undefined;
    this.#stop(lines);
  }

  #start(block: object, lines: string[]): void {
    lines.push(
      encodeWholeEvent({
        type: "content_block_start",
        index: this.#index,
        content_block: block,
      }),
    );
  }

  #delta(delta: object, lines: string[]): void {
    lines.push(
      encodeWholeEvent({ type: "content_block_delta", index: this.#index, delta }),
    );
  }

  #stop(lines: string[]): void {
    lines.push(encodeWholeEvent({ type: "content_block_stop", index: this.#index }));
  }

  #end({ finishReason, usage }: DoneEvent, lines: string[]): void {
    this.#close(lines);
    const { message } = this;
    message.stop_reason = toStopReason(finishReason, this.#callsTools);
    message.usage = toUsage(usage);
    const { stop_reason, stop_sequence } = message;
    lines.push(
      encodeWholeEvent({
        type: "message_delta",
        delta: { stop_reason, stop_sequence },
        usage: message.usage,
      }),
      encodeWholeEvent({ type: "message_stop" }),
    );
  }

  get #callsTools(): boolean {
    return this.message.content.some(({ type }) => type === "tool_use");
  }
}

/** Clients send thoughts back with a signature only. */
const SIGNATURE = "parlance";

type DoneEvent = Extract<ReplyEvent, { type: "done" }>;
type ToolCallEvent = Extract<ReplyEvent, { type: "tool_call" }>;

function toStopReason(reason: DoneEvent["finishReason"], callsTools: boolean): StopReason {
  if (reason === "length") return "max_tokens";
  if (reason === "content_filter") return "refusal";
  return callsTools ? "tool_use" : "end_turn";
}

function toUsage({
  inputTokens,
  outputTokens,
  cachedInputTokens = 0,
  cacheWriteInputTokens = 0,
}: TokenUsage): Usage {
  return {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteInputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation_input_tokens: cacheWriteInputTokens,
  };
}

/** Anthropic's form has no place for arguments that are no JSON. */
function callUnreadable(name: string): ApiError {
  return new ApiError(
    502,
    "tool_arguments_unreadable",
    `The model called "${name}" with arguments that are no JSON object. Ask again.`,
  );
}
