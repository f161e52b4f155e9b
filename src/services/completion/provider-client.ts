import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";

/** One request to a provider. */
export interface ProviderCall<Config = Record<string, unknown>> {
  request: CompletionRequest;
  /** The provider's name of the model. */
  model: string;
  /** The most tokens that the model can write, where the catalogue says it. */
  maxOutputTokens: number | undefined;
  config: Config;
  /** Calls the provider. */
  endpoints: Outgoing;
  /** Fetches what a request names by address: images. */
  outgoing: Outgoing;
  /** Limit for the first event and between events. Bytes that carry no event do not count. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called before the request to the provider, which may charge for it from then on. */
  onSend: () => void;
}

/**
 * Streams the reply of a provider in batches of events as they arrive. The last event is `done`,
 * with zero usage where the provider reports none. Throws `ProviderFailure`.
 */
export type ProviderClient<Config = Record<string, unknown>> = (
  call: ProviderCall<Config>,
) => AsyncIterable<CompletionEvent[]>;
