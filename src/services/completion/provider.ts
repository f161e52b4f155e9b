import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";

/** One call of a provider. */
export interface ProviderAsk {
  request: CompletionRequest;
  /** The model's name at the provider. */
  model: string;
  config: Record<string, unknown>;
  outgoing: Outgoing;
  /** Until the first event, and between events: bytes that say nothing do not count. */
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * A provider: streams events in the batches in which they arrive and ends with `done` (its usage
 * zero where the provider tells none). Throws `ProviderFailure`.
 */
export type Provider = (ask: ProviderAsk) => AsyncIterable<CompletionEvent[]>;

/**
 * Characters of text, reasoning and arguments in one reply: several times what any model writes,
 * and what many at once may hold.
 */
export const MAX_REPLY_CHARACTERS = 4 * 1024 * 1024;

/**
 * A provider failed. `retryable`: the same request may succeed. The provider's own words stay out
 * of the message.
 */
export class ProviderFailure extends ApiError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    const { retryAfterMs } = options;
    super(status, code, message, {
      cause: options.cause,
      ...(retryAfterMs !== undefined && {
        headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
      }),
    });
    this.retryable = options.retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The failure behind an HTTP status of a provider. */
export function statusFailure(status: number, retryAfter: string | undefined): ProviderFailure {
  if (status === 429) {
    const retryAfterMs = retryAfter === undefined ? 10_000 : waitOf(retryAfter);
    return new ProviderFailure(
      503,
      "provider_rate_limited",
      "The model's provider has no room for more requests now. Wait a moment and try again.",
      { retryable: true, retryAfterMs },
    );
  }
  if (status === 401 || status === 403) {
    return new ProviderFailure(
      502,
      "provider_refused_key",
      "The model's provider refused our key. Ask an administrator to check the provider's key.",
      { retryable: false },
    );
  }
  if (status === 404) {
    return new ProviderFailure(
      502,
      "provider_model_unknown",
      "The provider does not know this model or address. Ask an administrator to check the model's name.",
      { retryable: false },
    );
  }
  if (status === 413 || status === 400 || status === 422) {
    return new ProviderFailure(
      502,
      "provider_refused_request",
      "The model's provider refused the request: it may be too long for the model, or use what the model cannot do.",
      { retryable: false },
    );
  }
  return new ProviderFailure(
    502,
    "provider_failed",
    "The model's provider failed. Try again, or choose another model.",
    {
      retryable: status >= 500 || status === 408,
      // one that is overloaded or down for a while says for how long: 503, and 529 of Anthropic's
      retryAfterMs: retryAfter === undefined ? undefined : waitOf(retryAfter),
    },
  );
}

function waitOf(retryAfter: string): number {
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 10_000 : Math.max(0, at - Date.now());
}

export function timeoutFailure(timeoutMs: number): ProviderFailure {
  return new ProviderFailure(
    504,
    "provider_timeout",
    `The model's provider was silent for ${timeoutMs / 1000} s. Try again, or choose another model.`,
    { retryable: true },
  );
}

export function tooSlowFailure(replyTimeoutMs: number): ProviderFailure {
  return new ProviderFailure(
    504,
    "reply_timeout",
    `The reply was ended after ${replyTimeoutMs / 1000} s. Ask for less at once, or choose another model.`,
    { retryable: false },
  );
}

export function unreachableFailure(cause: unknown): ProviderFailure {
  return new ProviderFailure(
    502,
    "provider_unreachable",
    "The model's provider cannot be reached. Try again, or ask an administrator to check its address.",
    { retryable: true, cause },
  );
}

export function cutFailure(cause?: unknown): ProviderFailure {
  return new ProviderFailure(
    502,
    "provider_cut",
    "The model's provider broke off in the middle of its reply. Try again.",
    {
      retryable: true,
      cause,
    },
  );
}

export function invalidFailure(cause?: unknown): ProviderFailure {
  return new ProviderFailure(
    502,
    "provider_invalid",
    "The model's provider sent something that is not a reply. Try again, or choose another model.",
    { retryable: false, cause },
  );
}

export function tooLongFailure(): ProviderFailure {
  return new ProviderFailure(
    502,
    "provider_reply_too_long",
    "The model's provider did not come to an end. Ask for less at once, or choose another model.",
    { retryable: false },
  );
}

export function misconfiguredFailure(provider: string): ProviderFailure {
  return new ProviderFailure(
    502,
    "provider_misconfigured",
    `The provider "${provider}" lacks a setting that it needs. Ask an administrator to complete it.`,
    {
      retryable: false,
    },
  );
}
