import { uuidv7 } from "uuidv7";
import { estimateTokens } from "../../platform/estimate-tokens.ts";
import type {
  CompletionEvent,
  CompletionRequest,
  Transaction,
  Usage,
  Message,
} from "./contract.ts";

type Publish = (transaction: Transaction) => Promise<void>;

interface Target {
  provider: string;
  model: string;
}

/**
 * Counts one reply and records its usage once. Without usage from the provider, as when the reply
 * was cut, the usage is estimated from the text.
 */
export class UsageMeter {
  readonly #publish: Publish;
  readonly #target: Target;
  readonly #request: CompletionRequest;
  readonly #startedAt = performance.now();
  #sentAt: number | undefined;
  #firstTokenMs: number | undefined;
  #isStarted = false;
  #isAbandoned = false;
  #isRecorded = false;
  #characters = 0;
  #usage: Usage | undefined;
  #finishReason = "cancelled";

  constructor(publish: Publish, target: Target, request: CompletionRequest) {
    this.#publish = publish;
    this.#target = target;
    this.#request = request;
  }

  /** Whether the provider was asked. */
  get isSent(): boolean {
    return this.#sentAt !== undefined;
  }

  /** From the request to the provider to the first event of its reply. */
  get firstTokenMs(): number | undefined {
    return this.#firstTokenMs;
  }

  /** Whether any event of the reply has arrived. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Characters of its text and reasoning. */
  get characters(): number {
    return this.#characters;
  }

  /** Whether `done` has arrived. */
  get isComplete(): boolean {
    return this.#usage !== undefined;
  }

  /** The provider is asked. */
  send(): void {
    this.#sentAt = performance.now();
  }

  count(events: readonly CompletionEvent[]): void {
    if (!this.#isStarted && this.#sentAt !== undefined)
      this.#firstTokenMs = performance.now() - this.#sentAt;
    this.#isStarted = true;
    for (const event of events) {
      if (event.type === "text_delta" || event.type === "reasoning_delta")
        this.#characters += event.delta.length;
      if (event.type === "done") {
        this.#usage = event.usage;
        this.#finishReason = event.finishReason;
      }
    }
  }

  fail(reason: "cancelled" | "error"): void {
    this.#finishReason = reason;
  }

  /** Nobody waits for the reply any more. Providers charge for what they read until then. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Records the usage, if there can be any. Idempotent. */
  async record(): Promise<void> {
    if (!this.#isStarted && !(this.isSent && this.#isAbandoned)) return;
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const { userId, conversationId, agentId } = this.#request.context ?? {};
    const transaction: Transaction = {
      id: uuidv7(),
      ...this.#target,
      ...(userId && { userId }),
      ...(conversationId && { conversationId }),
      ...(agentId && { agentId }),
      ...this.#countedUsage(),
      durationMs: Math.round(performance.now() - this.#startedAt),
      finishReason: this.#finishReason,
      createdAt: new Date().toISOString(),
    };
    await this.#publish(transaction);
  }

  #countedUsage(): Usage & { estimated?: true } {
    const { inputTokens = 0, outputTokens = 0, ...more } = this.#usage ?? {};
    // a count that is missing or impossible must not make its part free
    const isWhole = inputTokens > 0 && (outputTokens > 0 || this.#characters === 0);
    if (isWhole) return { inputTokens, outputTokens, ...more };
    return {
      inputTokens: inputTokens || estimateInput(this.#request.messages),
      outputTokens: outputTokens || estimateTokens(this.#characters),
      ...more,
      estimated: true,
    };
  }
}

/** Models count an image by its width and height, never by the length of its file. */
const TOKENS_PER_IMAGE = 1_000;
/** Of base64: a page has about 100 kB, and counts as 2,500 tokens. */
const CHARACTERS_PER_PDF_TOKEN = 40;
/** A second of speech has about 20 kB, and counts as 20 tokens. */
const CHARACTERS_PER_SOUND_TOKEN = 1_000;

/** An estimate of the tokens of messages, for replies whose provider reports no usage. */
export function estimateInput(messages: readonly Message[]): number {
  let other = 0;
  const texts = messages.map((message) => {
    if (typeof message.content === "string") return message;
    for (const part of message.content) other += tokensOf(part);
    return { ...message, content: message.content.filter(({ type }) => type === "text") };
  });
  return estimateTokens(JSON.stringify(texts).length) + other;
}

function tokensOf(part: Exclude<Message["content"], string>[number]): number {
  if (part.type === "text") return 0;
  if (part.type === "image") return TOKENS_PER_IMAGE;
  const isPdf = part.mediaType === "application/pdf";
  const perToken = isPdf ? CHARACTERS_PER_PDF_TOKEN : CHARACTERS_PER_SOUND_TOKEN;
  return Math.max(TOKENS_PER_IMAGE, Math.ceil(part.data.length / perToken));
}
