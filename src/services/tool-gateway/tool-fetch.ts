import { AsyncLocalStorage } from "node:async_hooks";
import { BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";

/** Larger than any answer that a model could read. */
const LARGEST_RESULT = 4 * 1024 * 1024;

/** The call that a request to a tool server belongs to. */
interface Call {
  /** Aborts with its end: the SDK tells the server "cancelled" but leaves its request open. */
  ended: AbortSignal;
  /** Ends it: the SDK tells nobody when an answer breaks off. */
  fail(error: unknown): void;
}

const calls = new AsyncLocalStorage<Call>();

/** Runs a tool call; its request to the server ends with it, and it ends with an answer that is too large. */
export async function asCall<T>(work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const failure = Promise.withResolvers<never>();
  try {
    return await Promise.race([calls.run({ ended: ended.signal, fail: failure.reject }, work), failure.promise]);
  } finally {
    ended.abort();
  }
}

/** The way to a tool server for the SDK's transport: guarded, with results bounded and requests that end with their call. */
export function toolFetch(outgoing: Outgoing): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const call = typeof init?.body === "string" && init.body.startsWith('{"method":"tools/call"') ? calls.getStore() : undefined;
    if (!call) return outgoing.fetch(url, init);
    const signal = init?.signal ? AbortSignal.any([init.signal, call.ended]) : call.ended;
    return bounded(await outgoing.fetch(url, { ...init, signal }), call);
  };
}

function bounded(response: Response, call: Call): Response {
  const { body, headers, status, statusText } = response;
  if (!body || Number(headers.get("content-length") ?? Number.NaN) <= LARGEST_RESULT) return response;
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size <= LARGEST_RESULT) return controller.enqueue(chunk);
        call.fail(tooLarge());
        controller.terminate();
      },
    }),
  );
  return new Response(counted, { status, statusText, headers });
}

function tooLarge(): BadGateway {
  return new BadGateway("tool_result_too_large", `The tool's result is larger than ${LARGEST_RESULT} bytes. Ask it for less.`);
}
