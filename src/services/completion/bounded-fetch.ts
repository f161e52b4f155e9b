import { invalidFailure } from "./provider.ts";

/** No part of a reply is longer than this; the AI SDK's readers would gather it without end. */
const LONGEST_PART = 8 * 1024 * 1024;

/** Watches a body's bytes as they pass. Throws on a part that is too long. */
type Watch = (chunk: Uint8Array) => void;

/** `fetch` whose successful bodies fail with `provider_invalid` when a line grows beyond 8 MB. */
export function boundedLines(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return watched(fetch, () => {
    let length = 0;
    return (chunk) => {
      const end = chunk.lastIndexOf(10);
      const first = end < 0 ? chunk.byteLength : chunk.indexOf(10);
      if (length + first > LONGEST_PART) throw invalidFailure();
      length = end < 0 ? length + chunk.byteLength : chunk.byteLength - end - 1;
    };
  });
}

/** The same for the messages of an AWS event stream: each begins with its length as 32 bits, big end first. */
export function boundedFrames(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return watched(fetch, () => {
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
        if (length < 16 || length > LONGEST_PART) throw invalidFailure();
        skip = length - 4;
        length = 0;
        read = 0;
      }
    };
  });
}

function watched(fetch: typeof globalThis.fetch, watch: () => Watch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    const see = watch();
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          see(chunk);
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
