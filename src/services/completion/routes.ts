import { begun, deliver, pushed } from "../../platform/batches.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { toErrorEvent } from "../../platform/http/reported-error.ts";
import { Routes } from "../../platform/http/routes.ts";
import { ndjsonStream } from "../../platform/http/stream.ts";
import { collectMessage } from "./collect-message.ts";
import { complete, type CompleteDeps } from "./complete.ts";
import { type CompletionEvent, completionContract, type Transaction } from "./contract.ts";
import { ProviderFailure } from "./provider-failures.ts";

interface Deps extends CompleteDeps {
  publish: (transaction: Transaction) => Promise<void>;
}

export function completionRoutes(deps: Deps): Routes {
  return new Routes()
    .on(completionContract.complete, async ({ body, signal }) => {
      const batches = complete(deps, body, signal);
      if (!body.stream) return ndjsonStream(onlyEvent(await collectMessage(batches)));
      // a provider that fails before its first event is an HTTP error, not an event of a stream
      return ndjsonStream(withErrorEvents(await begun(batches), signal));
    })
    .on(completionContract.recordEmbedding, async ({ body: { estimated, ...use } }) => {
      await deps.publish({ ...use, outputTokens: 0, ...(estimated && { estimated }) });
      return { id: use.id };
    });
}

async function* onlyEvent(event: CompletionEvent): AsyncGenerator<CompletionEvent[]> {
  yield [event];
}

function withErrorEvents(
  batches: AsyncIterable<CompletionEvent[]>,
  signal: AbortSignal,
): AsyncIterable<CompletionEvent[]> {
  return pushed(async (emit) => {
    try {
      await deliver(batches, emit);
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      const retryable = error instanceof ProviderFailure && error.retryable;
      await emit([{ ...toErrorEvent(error), retryable }]);
    }
  });
}
