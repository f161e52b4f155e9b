import type { LanguageModelV3 } from "@ai-sdk/provider";
import { Deadline } from "../../../platform/http/deadline.ts";
import { cutFailure, timeoutFailure, tooLongFailure } from "../provider-failures.ts";
import type { ProviderClient } from "../provider-client.ts";
import { MAX_REPLY_CHARACTERS } from "../reply-limits.ts";
import { type RareOption, type CompletionRequest, RARE_OPTIONS } from "../contract.ts";
import { boundedEvents } from "./bounded-fetch.ts";
import { toProviderFailure } from "./to-provider-failure.ts";
import { toCallOptions } from "./to-call-options.ts";
import { PartReader } from "./read-parts.ts";
import { BadRequest } from "../../../platform/http/errors.ts";

type Fetch = typeof globalThis.fetch;
interface Options {
  /** Limits the size of what the provider sends. */
  bound?: (fetch: Fetch) => Fetch;
  /** Whether the provider requires a limit of tokens: then the catalogue's is the default. */
  needsLimit?: boolean;
  /** The options that its protocol has a place for, of those that not every provider takes. */
  takes?: readonly RareOption[];
}
type OpenModel<Config> = (config: Config, model: string, fetch: Fetch) => LanguageModelV3;

/**
 * The client of a provider whose protocol a package of the AI SDK speaks. Only `doStream` of the
 * package's model is used.
 */
export function aiSdkClient<Config>(
  openModel: OpenModel<Config>,
  { bound = boundedEvents, needsLimit = false, takes = [] }: Options = {},
): ProviderClient<Config> {
  return async function* (call) {
    const { request, model, config, endpoints, timeoutMs, signal, onSend } = call;
    const limit = needsLimit ? call.maxOutputTokens : undefined;
    signal.throwIfAborted();
    refuseOptions(request, takes);
    onSend();
    const idle = new Deadline(signal, timeoutMs);
    const reader = new PartReader();
    let isFinished = false;
    let argumentCharacters = 0;
    try {
      const options = { ...toCallOptions(request, limit), abortSignal: idle.signal };
      const { stream } = await openModel(config, model, bound(endpoints.fetch)).doStream(
        options,
      );
      for await (const part of stream) {
        // backpressure from a slow client does not count towards the idle timeout
        idle.pause();
        if (part.type === "tool-input-delta") argumentCharacters += part.delta.length;
        if (argumentCharacters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
        const events = reader.read(part);
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

/** @throws BadRequest for an option that the provider's protocol has no place for. */
function refuseOptions(request: CompletionRequest, taken: readonly RareOption[]): void {
  const name = RARE_OPTIONS.find(
    (option) => request[option] !== undefined && !taken.includes(option),
  );
  if (name === undefined) return;
  throw new BadRequest(
    "option_unsupported",
    `The provider of this model does not take ${name}. Leave it out, or choose another model.`,
    { params: { name } },
  );
}
