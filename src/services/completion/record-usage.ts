import { uuidv7 } from "uuidv7";
import {
  type CompletionEvent,
  type CompletionRequest,
  type Transaction,
  type Usage,
} from "./contract.ts";
import { countTokens } from "./offline.ts";
import type { UsagePublisher } from "./publish-usage.ts";

interface Target {
  provider: string;
  model: string;
}

/**
 * Counts one reply and records it once. Where the provider told no usage (it was cut, or it never
 * tells) the text is counted.
 */
export class Meter {
  readonly #publish: UsagePublisher["publish"];
  readonly #target: Target;
  readonly #request: CompletionRequest;
  readonly #startedAt = performance.now();
  #started = false;
  #recorded = false;
  #characters = 0;
  #usage: Usage | undefined;
  #finishReason = "cancelled";

  constructor(publish: UsagePublisher["publish"], target: Target, request: CompletionRequest) {
    this.#publish = publish;
    this.#target = target;
    this.#request = request;
  }

  /** Whether anything of the reply has come. */
  get started(): boolean {
    return this.#started;
  }

  /** Characters of its text and reasoning. */
  get characters(): number {
    return this.#characters;
  }

  /** Whether the reply is complete. */
  get ended(): boolean {
    return this.#usage !== undefined;
  }

  count(events: readonly CompletionEvent[]): void {
    this.#started = true;
    for (const event of events) {
      if (event.type === "text_delta" || event.type === "reasoning_delta")
        this.#characters += event.delta.length;
      if (event.type === "done") {
        this.#usage = event.usage;
        this.#finishReason = event.finishReason;
      }
    }
  }

  failed(reason: "cancelled" | "error"): void {
    this.#finishReason = reason;
  }

  /** Records it, the first time that it is asked to. */
  async record(): Promise<void> {
    if (!this.#started || this.#recorded) return;
    this.#recorded = true;
    const { userId, conversationId, agentId } = this.#request.context ?? {};
    const transaction: Transaction = {
      id: uuidv7(),
      ...this.#target,
      ...(userId && { userId }),
      ...(conversationId && { conversationId }),
      ...(agentId && { agentId }),
      ...this.#used(),
      durationMs: Math.round(performance.now() - this.#startedAt),
      finishReason: this.#finishReason,
      createdAt: new Date().toISOString(),
    };
    await this.#publish(transaction);
  }

  #used(): Usage & { estimated?: true } {
    const told = this.#usage;
    if (told && told.inputTokens + told.outputTokens > 0) return told;
    return {
      inputTokens: countTokens(JSON.stringify(this.#request.messages)),
      outputTokens: Math.ceil(this.#characters / 4),
      estimated: true,
    };
  }
}
