import { ApiError } from "../../platform/http/errors.ts";
import { toErrorEvent } from "../../platform/http/reported-error.ts";
import { Routes } from "../../platform/http/routes.ts";
import { ndjsonStream } from "../../platform/http/stream.ts";
import { collectMessage } from "./collect-message.ts";
import { complete, type CompleteDeps } from "./complete.ts";
import { type CompletionEvent, completionContract } from "./contract.ts";
import { ProviderFailure } from "./provider-failures.ts";

export function completionRoutes(deps: CompleteDeps): Routes {
  return new Routes().on(completionContract.complete, async ({ body, signal }) => {
    const batches = complete(deps, body, signal);
    if (!body.stream) return ndjsonStream(onlyEvent(await collectMessage(batches)));
    // a provider that fails before its first event is an HTTP error, not an event of a stream
    const first = await batches.next();
    return ndjsonStream(withErrorEvents(first.done ? [] : first.value, batches, signal));
  });
}

async function* onlyEvent(event: CompletionEvent): AsyncGenerator<CompletionEvent[]> {
  yield [event];
}

async function* withErrorEvents(
  first: CompletionEvent[],
  rest: AsyncGenerator<CompletionEvent[]>,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent[]> {
  try {
    yield first;
    yield* rest;
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) throw error;
    const retryable = error instanceof ProviderFailure && error.retryable;
    yield [{ ...toErrorEvent(error), retryable }];
  } finally {
    await rest.return(undefined);
  }
}
