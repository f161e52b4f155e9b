import { traceHeaders } from "../../../platform/http/context.ts";
import {
  beginningOf,
  eventLimit,
  type Watch,
  watched,
} from "../../../platform/outgoing/bounded-body.ts";
import { frameLimit } from "../../../platform/outgoing/frame-limit.ts";
import { invalidFailure } from "../provider-failures.ts";

/** The readers of the AI SDK collect an event in memory without a limit. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** The SDK parses the JSON of a message of an AWS event stream without a limit of its own. */
const MAX_FRAME_BYTES = 5 * 1024 * 1024;
/** A few compressed kilobytes of an error can unpack to gigabytes. */
const MAX_ERROR_BYTES = 64 * 1024;

type Fetch = typeof globalThis.fetch;

/** `fetch` whose bodies fail with `provider_invalid` when a server-sent event exceeds 8 MB. */
export function boundedEvents(fetch: Fetch): Fetch {
  return bounded(fetch, () => eventLimit(MAX_EVENT_BYTES, () => invalidFailure()));
}

/**
 * `fetch` whose bodies fail with `provider_invalid` when a message of AWS exceeds 5 MB or holds too
 * much JSON.
 */
export function boundedFrames(fetch: Fetch): Fetch {
  return bounded(fetch, () => frameLimit(MAX_FRAME_BYTES, () => invalidFailure()));
}

function bounded(fetch: Fetch, createWatch: () => Watch): Fetch {
  return async (input, init) => {
    const headers = {
      ...Object.fromEntries(new Headers(init?.headers)),
      ...traceHeaders(),
    };
    const response = await fetch(input, { ...init, headers });
    if (!response.ok) return beginningOf(response, MAX_ERROR_BYTES);
    return watched(response, createWatch());
  };
}
