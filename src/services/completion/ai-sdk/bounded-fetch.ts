import { traceHeaders } from "../../../platform/http/context.ts";
import {
  beginningOf,
  eventLimit,
  type Watch,
  watched,
} from "../../../platform/outgoing/bounded-body.ts";
import { invalidFailure } from "../provider-failures.ts";

/** The readers of the AI SDK collect an event in memory without a limit. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** The SDK parses the JSON of a message of an AWS event stream without a limit of its own. */
const MAX_FRAME_BYTES = 5 * 1024 * 1024;
/** Two lengths and two checksums of 32 bits. */
const MIN_FRAME_BYTES = 16;
/** A few compressed kilobytes of an error can unpack to gigabytes. */
const MAX_ERROR_BYTES = 64 * 1024;

type Fetch = typeof globalThis.fetch;

/** `fetch` whose bodies fail with `provider_invalid` when a server-sent event exceeds 8 MB. */
export function boundedEvents(fetch: Fetch): Fetch {
  return bounded(fetch, () => eventLimit(MAX_EVENT_BYTES, () => invalidFailure()));
}

/** `fetch` whose bodies fail with `provider_invalid` when a message of AWS exceeds 5 MB. */
export function boundedFrames(fetch: Fetch): Fetch {
  return bounded(fetch, frameLimit);
}

/**
 * Each message of an AWS event stream begins with its length in bytes, a 32-bit big-endian integer.
 * Source: AWS, event stream encoding.
 */
function frameLimit(): Watch {
  let bytesToNextMessage = 0;
  let length = 0;
  let lengthBytes = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.byteLength;) {
      if (bytesToNextMessage > 0) {
        const step = Math.min(bytesToNextMessage, chunk.byteLength - at);
        bytesToNextMessage -= step;
        at += step;
        continue;
      }
      length = length * 256 + (chunk[at] ?? 0);
      at += 1;
      lengthBytes += 1;
      if (lengthBytes < 4) continue;
      if (length < MIN_FRAME_BYTES || length > MAX_FRAME_BYTES) throw invalidFailure();
      bytesToNextMessage = length - 4;
      length = 0;
      lengthBytes = 0;
    }
  };
}

function bounded(fetch: Fetch, createWatch: () => Watch): Fetch {
  return async (input, init) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...traceHeaders() };
    const response = await fetch(input, { ...init, headers });
    if (!response.ok) return beginningOf(response, MAX_ERROR_BYTES);
    return watched(response, createWatch());
  };
}
