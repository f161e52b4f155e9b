import { uuidv7 } from "uuidv7";
import { type CompletionEvent, type CompletionRequest, type Transaction, type Usage } from "./contract.ts";
import { countTokens } from "./offline.ts";
import type { UsagePublisher } from "./publish-usage.ts";

/** Counts one reply and records it once. */
export interface Meter {
  /** Whether anything of the reply has come. */
  readonly started: boolean;
  /** Characters of its text and reasoning. */
  readonly characters: number;
  /** Whether the reply is complete. */
  readonly ended: boolean;
  count(events: readonly CompletionEvent[]): void;
  failed(reason: "cancelled" | "error"): void;
  /** Records it, the first time that it is asked to. */
  record(): Promise<void>;
}

/** What a reply cost, for the queue. Where the provider told no usage (it was cut, or it never tells) the text is counted. */
export function startMeter(
  publish: UsagePublisher["publish"],
  target: { provider: string; model: string },
  request: CompletionRequest,
): Meter {
  const startedAt = performance.now();
  let started = false;
  let recorded = false;
  let characters = 0;
  let usage: Usage | undefined;
  let finishReason = "cancelled";
  return {
    get started() {
      return started;
    },
    get characters() {
      return characters;
    },
    get ended() {
      return usage !== undefined;
    },
    count(events) {
      started = true;
      for (const event of events) {
        if (event.type === "text_delta" || event.type === "reasoning_delta") characters += event.delta.length;
        if (event.type === "done") ({ usage, finishReason } = event);
      }
    },
    failed(reason) {
      finishReason = reason;
    },
    async record() {
      if (!started || recorded) return;
      recorded = true;
      const told = usage !== undefined && usage.inputTokens + usage.outputTokens > 0;
      const counted =
        told && usage
          ? usage
          : {
              inputTokens: countTokens(JSON.stringify(request.messages)),
              outputTokens: Math.ceil(characters / 4),
            };
      const { userId, conversationId, agentId } = request.context ?? {};
      const transaction: Transaction = {
        id: uuidv7(),
        ...target,
        ...(userId && { userId }),
        ...(conversationId && { conversationId }),
        ...(agentId && { agentId }),
        ...counted,
        ...(!told && { estimated: true }),
        durationMs: Math.round(performance.now() - startedAt),
        finishReason,
        createdAt: new Date().toISOString(),
      };
      await publish(transaction);
    },
  };
}
