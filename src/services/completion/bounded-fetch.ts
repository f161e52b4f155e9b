import { traceHeaders } from "../../platform/http/context.ts";
import {
  beginningOf,
  eventLimit,
  type Watch,
  watched,
} from "../../platform/outgoing/bounded-body.ts";
import { invalidFailure } from "./provider.ts";

/** No part of a reply is longer than this; the AI SDK's readers would gather it without end. */
const MAX_PART_CHARACTERS = 8 * 1024 * 1024;
/**
 * Nor is a message of an AWS event stream, whose JSON is not looked at before the SDK parses it.
 */
const MAX_FRAME_BYTES = 5 * 1024 * 1024;
/** Nor do we read more of an error: of a few kilobytes a small answer can unpack to gigabytes. */
const MAX_ERROR_CHARACTERS = 64 * 1024;

/** `fetch` whose successful bodies fail with `provider_invalid` when an event grows beyond 8 MB. */
export function boundedEvents(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return bounded(fetch, () => eventLimit(MAX_PART_CHARACTERS, () => invalidFailure()));
}

/**
 * The same for the messages of an AWS event stream: each begins with its length as 32 bits, big end
 * first.
 */
export function boundedFrames(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return bounded(fetch, () => {
    /** Bytes until the next message; the bytes of its length that have come. */
    let skip = 0;
    let length = 0;
    let read = 0;
    return (chunk) => {
      for (let at = 0; at < chunk.byteLength;) {
        if (skip > 0) {
          const step = Math.min(skip, chunk.byteLength - at);
          skip -= step;
          at += step;
          continue;
        }
        length = length * 256 + (chunk[at] ?? 0);
        at += 1;
        read += 1;
        if (read < 4) continue;
        // 16 bytes are the checksums and the lengths alone
        if (length < 16 || length > MAX_FRAME_BYTES) throw invalidFailure();
        skip = length - 4;
        length = 0;
        read = 0;
      }
    };
  });
}

function bounded(fetch: typeof globalThis.fetch, watch: () => Watch): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...traceHeaders() };
    const response = await fetch(input, { ...init, headers });
    return response.ok ? watched(response, watch()) : beginningOf(response, MAX_ERROR_CHARACTERS);
  };
}
