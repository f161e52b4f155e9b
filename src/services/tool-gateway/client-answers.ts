import type { Cache } from "../../platform/cache/cache.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { CallKey } from "./cancel-calls.ts";

const CHANNEL = "mcp-answers";
const MAX_ANSWER_CHARACTERS = 512 * 1024;
/** People answer forms. */
const MAX_WAIT_MS = 10 * 60_000;

/** What a client answers to a question of a tool server: a response of JSON-RPC. */
export interface ClientAnswer {
  result?: unknown;
  error?: unknown;
}

/**
 * Questions that tool servers ask MCP clients in the middle of a call, on all replicas: the client
 * answers by another request, which any replica may get.
 */
export interface ClientAnswers extends AsyncDisposable {
  /** Resolves with the answer; rejects with the reason of the signal, or after ten minutes. */
  wait(key: CallKey, signal: AbortSignal): Promise<ClientAnswer>;
  answer(key: CallKey, answer: ClientAnswer): Promise<void>;
}

export async function createClientAnswers(cache: Cache): Promise<ClientAnswers> {
  const waiting = new Map<string, (answer: ClientAnswer) => void>();
  const subscription = await cache.subscribe(CHANNEL, (text) => {
    const message = JSON.parse(text) as { key: string; answer: ClientAnswer }; // our own
    waiting.get(message.key)?.(message.answer);
  });
  return {
    wait(callKey, signal) {
      const key = toText(callKey);
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
      return new Promise<ClientAnswer>((resolve, reject) => {
        const stop = () => reject(bounded.reason as Error);
        if (bounded.aborted) return stop();
        bounded.addEventListener("abort", stop, { once: true });
        waiting.set(key, resolve);
      }).finally(() => waiting.delete(key));
    },
    async answer(callKey, { result, error }) {
      const answer = error === undefined ? { result } : { error };
      const text = JSON.stringify({ key: toText(callKey), answer });
      const isLong = text.length > MAX_ANSWER_CHARACTERS;
      const tooLong = {
        error: { code: -32_602, message: "The client's answer is too long." },
      };
      await cache.publish(
        CHANNEL,
        isLong ? JSON.stringify({ key: toText(callKey), answer: tooLong }) : text,
      );
    },
    [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
  };
}

/** The response in a body, and the question that it answers. */
export function responseIn(
  body: unknown,
): { requestId: string | number; answer: ClientAnswer } | undefined {
  if (!isRecord(body) || "method" in body) return undefined;
  const { id, result, error } = body;
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  if (result === undefined && error === undefined) return undefined;
  return { requestId: id, answer: error === undefined ? { result } : { error } };
}

function toText({ caller, session, requestId }: CallKey): string {
  return JSON.stringify([caller, session, requestId]);
}
