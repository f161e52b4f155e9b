import type { CompletionEvent } from "./contract.ts";

/**
 * The batches with each of them changed by a function. Costs one promise a batch, where a generator
 * costs several: a reply passes through some such functions, word by word.
 */
export function mapBatches(
  batches: AsyncIterable<CompletionEvent[]>,
  change: (events: CompletionEvent[]) => CompletionEvent[],
): AsyncIterable<CompletionEvent[]> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = batches[Symbol.asyncIterator]();
      const end = async () => {
        await iterator.return?.();
        return { done: true as const, value: undefined };
      };
      const toNext = (next: IteratorResult<CompletionEvent[]>) => {
        if (next.done === true) return next;
        try {
          return { done: false as const, value: change(next.value) };
        } catch (error) {
          // whoever gets a failure takes the iteration for ended
          return end().then(() => Promise.reject(error));
        }
      };
      return { next: () => iterator.next().then(toNext), return: end };
    },
  };
}
