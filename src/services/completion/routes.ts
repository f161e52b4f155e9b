import { ApiError } from "../../platform/http/errors.ts";
import { Routes } from "../../platform/http/routes.ts";
import { ndjsonStream } from "../../platform/http/stream.ts";
import { complete, type CompleteDeps } from "./complete.ts";
import { type CompletionEvent, completionContract } from "./contract.ts";
import { gather } from "./gather.ts";
import { ProviderFailure } from "./provider.ts";

export function completionRoutes(deps: CompleteDeps): Routes {
  return new Routes().on(completionContract.complete, async ({ body, signal }) => {
    const replies = complete(deps, body, signal);
    if (!body.stream) return ndjsonStream(single(await gather(replies)));
    // the first events are awaited, so that a provider that refuses is an HTTP error and not a
    // stream with an error in it
    const first = await replies.next();
    return ndjsonStream(withErrors(first.done ? [] : first.value, replies, signal));
  });
}

async function* single(event: CompletionEvent): AsyncGenerator<CompletionEvent[]> {
  yield [event];
}

async function* withErrors(
  first: CompletionEvent[],
  rest: AsyncGenerator<CompletionEvent[]>,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent[]> {
  try {
    yield first;
    yield* rest;
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) throw error;
    yield [
      {
        type: "error",
        error: error.message,
        code: error.code,
        retryable: error instanceof ProviderFailure && error.retryable,
      },
    ];
  } finally {
    await rest.return(undefined);
  }
}
