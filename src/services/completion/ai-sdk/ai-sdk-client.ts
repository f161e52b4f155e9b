import type { LanguageModelV3 } from "@ai-sdk/provider";
import { Deadline } from "../../../platform/http/deadline.ts";
import { cutFailure, timeoutFailure, tooLongFailure } from "../provider-failures.ts";
import type { ProviderClient } from "../provider-client.ts";
import { MAX_REPLY_CHARACTERS } from "../reply-limits.ts";
import { boundedEvents } from "./bounded-fetch.ts";
import { toProviderFailure } from "./to-provider-failure.ts";
import { toCallOptions } from "./to-call-options.ts";
import { toEvents } from "./to-events.ts";

type Fetch = typeof globalThis.fetch;
type OpenModel<Config> = (config: Config, model: string, fetch: Fetch) => LanguageModelV3;

/**
 * The client of a provider whose protocol a package of the AI SDK speaks. Only `doStream` of the
 * package's model is used.
 * @param bound limits the size of what the provider sends.
 */
export function aiSdkClient<Config>(
  openModel: OpenModel<Config>,
  bound: (fetch: Fetch) => Fetch = boundedEvents,
): ProviderClient<Config> {
  return async function* (call) {
    const { request, model, config, outgoing, timeoutMs, signal, onSend } = call;
    signal.throwIfAborted();
    onSend();
    const idle = new Deadline(signal, timeoutMs);
    let isFinished = false;
    let argumentCharacters = 0;
    try {
      const options = { ...toCallOptions(request), abortSignal: idle.signal };
      const { stream } = await openModel(config, model, bound(outgoing.fetch)).doStream(
        options,
      );
      for await (const part of stream) {
        // backpressure from a slow client does not count towards the idle timeout
        idle.pause();
        if (part.type === "tool-input-delta") argumentCharacters += part.delta.length;
        if (argumentCharacters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
        const events = toEvents(part);
        isFinished ||= part.type === "finish";
        if (events.length > 0) yield events;
        idle.restart();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw idle.late ? timeoutFailure(timeoutMs) : toProviderFailure(error);
    } finally {
      idle.stop();
    }
    if (!isFinished) throw cutFailure();
  };
}
