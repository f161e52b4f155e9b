import { deliver, pushed } from "../../platform/batches.ts";
import type { CompletionEvent } from "./contract.ts";

/** The batches with each of them changed by a function. */
export function mapBatches(
  batches: AsyncIterable<CompletionEvent[]>,
  change: (events: CompletionEvent[]) => CompletionEvent[],
): AsyncIterable<CompletionEvent[]> {
  return pushed((emit) => deliver(batches, (events) => emit(change(events))));
}
