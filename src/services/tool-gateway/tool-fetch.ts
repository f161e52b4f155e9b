import { AsyncLocalStorage } from "node:async_hooks";
import { BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";

/** Larger than any answer that a model could read. */
const LARGEST_ANSWER = 4 * 1024 * 1024;
/** An answer and the end of its stream follow one another within this time. */
const LAST_WORDS_MS = 1_000;
/** An event with an id can be asked for again, so its stream may end early and go on in another. */
const RESUMABLE = /^id:/m;

/** The call that a request to a tool server belongs to. */
interface Call {
  /** Aborts with its end: the SDK tells the server "cancelled" but leaves its request open. */
  ended: AbortSignal;
  /** Ends it: the SDK tells nobody when an answer breaks off. */
  fail(error: unknown): void;
}

const calls = new AsyncLocalStorage<Call>();

/** Runs a tool call; its request to the server ends with it, and it ends when its answer is too large or breaks off. */
export async function asCall<T>(work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const failure = Promise.withResolvers<never>();
  try {
    const result = await Promise.race([calls.run({ ended: ended.signal, fail: failure.reject }, work), failure.promise]);
    // the end of the stream follows the answer; cutting it off would cost the connection
    setTimeout(() => ended.abort(), LAST_WORDS_MS).unref();
    return result;
  } catch (error) {
    ended.abort();
    throw error;
  }
}

/** The way to a tool server for the SDK's transport: guarded, with answers bounded and requests that end with their call. */
export function toolFetch(outgoing: Outgoing): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    // the stream of notifications is as long as its session
    if (init?.method === "GET") return outgoing.fetch(url, init);
    const call = typeof init?.body === "string" && init.body.startsWith('{"method":"tools/call"') ? calls.getStore() : undefined;
    if (!call) return bounded(await outgoing.fetch(url, init), undefined);
    const signal = init?.signal ? AbortSignal.any([init.signal, call.ended]) : call.ended;
    return bounded(await outgoing.fetch(url, { ...init, signal }), call);
  };
}

function bounded(response: Response, call: Call | undefined): Response {
  const { body, headers, status, statusText } = response;
  const isPlain = !headers.has("content-encoding");
  if (!body || (isPlain && Number(headers.get("content-length") ?? Number.NaN) <= LARGEST_ANSWER)) return response;
  const reader = body.getReader();
  const text = call && headers.get("content-type")?.includes("event-stream") ? new TextDecoder() : undefined;
  let size = 0;
  let isResumable = false;
  const counted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          // a call that has its answer ends in a moment, and one that has none would wait for it in vain
          if (call && !isResumable) setTimeout(() => call.fail(new Error("the answer broke off")), LAST_WORDS_MS).unref();
          return;
        }
        size += value.byteLength;
        if (size > LARGEST_ANSWER) throw tooLarge();
        if (text && !isResumable) isResumable = RESUMABLE.test(text.decode(value));
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        call?.fail(error);
        await reader.cancel(error).catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(counted, { status, statusText, headers });
}

function tooLarge(): BadGateway {
  return new BadGateway("tool_result_too_large", `The tool's result is larger than ${LARGEST_ANSWER} bytes. Ask it for less.`);
}
