import { ApiError, type ErrorParams } from "../../platform/http/errors.ts";
import { readRetryAfter } from "../../platform/http/retry-after.ts";

import type { FailureCode } from "./failure-meanings.ts";

const DEFAULT_RETRY_AFTER_MS = 10_000;

interface FailureOptions {
  retryable: boolean;
  retryAfterMs?: number | undefined;
  params?: ErrorParams;
  cause?: unknown;
}

/**
 * A provider failed. `retryable`: the same request may succeed later. The message never contains
 * the provider's own words.
 */
export class ProviderFailure extends ApiError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: FailureCode, message: string, options: FailureOptions) {
    const { retryAfterMs, params, cause } = options;
    const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000));
    const headers = { "retry-after": String(seconds) };
    super(status, code, message, {
      cause,
      params,
      ...(retryAfterMs !== undefined && { headers }),
    });
    this.retryable = options.retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the same model should be asked again at once. */
export function isWorthRepeating(error: unknown): error is ProviderFailure {
  // after a timeout the user has waited for long enough
  return (
    error instanceof ProviderFailure && error.retryable && error.code !== "provider_timeout"
  );
}

/** The failure behind an HTTP status of a provider. */
export function statusFailure(
  status: number,
  retryAfter?: string,
  cause?: unknown,
): ProviderFailure {
  const retryAfterMs =
    retryAfter === undefined
      ? undefined
      : (readRetryAfter(retryAfter) ?? DEFAULT_RETRY_AFTER_MS);
  switch (status) {
    case 429:
      return new ProviderFailure(
        503,
        "provider_rate_limited",
        "The model's provider accepts no more requests now. Wait a moment and try again.",
        { retryable: true, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_AFTER_MS },
      );
    case 401:
    case 403:
      return badGateway(
        "provider_refused_key",
        "The model's provider refused the key. Check it under Models → Providers, " +
          "or ask an administrator to.",
      );
    case 404:
      return badGateway(
        "provider_model_unknown",
        "The provider does not know this model or address. " +
          "Check the model's name under Models, or ask an administrator to.",
      );
    case 400:
    case 413:
    case 422:
      return badGateway(
        "provider_refused_request",
        "The model's provider refused the request. It may be too long for the model, " +
          "or need something that the model cannot do. Choose another model, or ask for less.",
      );
    default:
      return badGateway(
        "provider_failed",
        "The model's provider failed. Try again, or choose another model.",
        // an overloaded provider says when to come back, with 503 or Anthropic's 529
        { retryable: status >= 500 || status === 408, retryAfterMs, cause },
      );
  }
}

export function timeoutFailure(timeoutMs: number): ProviderFailure {
  return new ProviderFailure(
    504,
    "provider_timeout",
    `The model's provider sent nothing for ${timeoutMs / 1000} s. ` +
      "Try again, or choose another model.",
    { retryable: true, params: { seconds: timeoutMs / 1000 } },
  );
}

export function tooSlowFailure(replyTimeoutMs: number): ProviderFailure {
  return new ProviderFailure(
    504,
    "reply_timeout",
    `The reply was stopped after ${replyTimeoutMs / 1000} s. ` +
      "Ask for less at once, or choose another model.",
    { retryable: false, params: { seconds: replyTimeoutMs / 1000 } },
  );
}

export function unreachableFailure(cause: unknown): ProviderFailure {
  return badGateway(
    "provider_unreachable",
    "The model's provider cannot be reached. " +
      "Try again, or check its address under Models → Providers, or ask an administrator to.",
    { retryable: true, cause },
  );
}

export function cutFailure(cause?: unknown): ProviderFailure {
  return badGateway(
    "provider_cut",
    "The connection to the model's provider ended in the middle of the reply. Try again.",
    { retryable: true, cause },
  );
}

export function invalidFailure(cause?: unknown): ProviderFailure {
  return badGateway(
    "provider_invalid",
    "The model's provider sent something that is not a reply. Try again, or choose another model.",
    { retryable: false, cause },
  );
}

export function tooLongFailure(): ProviderFailure {
  return badGateway(
    "provider_reply_too_long",
    "The reply of the model's provider is too long. Ask for less at once, or choose another model.",
  );
}

export function redirectFailure(): ProviderFailure {
  return badGateway(
    "provider_redirects",
    "The address of the model's provider leads to another one. Enter that address " +
      "under Models → Providers, or ask an administrator to.",
  );
}

export function misconfiguredFailure(provider: string): ProviderFailure {
  return new ProviderFailure(
    502,
    "provider_misconfigured",
    `A required setting of the provider "${provider}" is missing or wrong. ` +
      "Correct it under Models → Providers, or ask an administrator to.",
    { retryable: false, params: { name: provider } },
  );
}

export function badGateway(
  code: FailureCode,
  message: string,
  options: FailureOptions = { retryable: false },
): ProviderFailure {
  return new ProviderFailure(502, code, message, options);
}
