import { type Failure, toFailure } from "../../api/failure.ts";

/** Something of a list, and what it is called. */
export interface BulkItem {
  id: string;
  name: string;
}

export interface BulkRefusal {
  item: BulkItem;
  failure: Failure;
}

export interface BulkOutcome {
  done: BulkItem[];
  refused: BulkRefusal[];
  /** Not begun: it was stopped, or the server did not answer. */
  left: BulkItem[];
}

interface BulkOptions {
  /** Changes these, at most `size`. @returns those that it could not change, by their ids. */
  act: (ids: string[]) => Promise<ReadonlyMap<string, Failure> | undefined>;
  size: number;
  signal: AbortSignal;
  onProgress: (handled: number) => void;
}

/** More at once would keep other requests of the page waiting. */
const LANES = 3;

/**
 * Changes many things, a few at once. What cannot be changed stops nothing else, but a server that
 * does not answer does. What has begun is not cut off by `signal`, for its end would be unknown.
 */
export async function runBulk(
  items: readonly BulkItem[],
  { act, size, signal, onProgress }: BulkOptions,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], refused: [], left: [] };
  const waiting = [...items];
  let isCut = false;
  const runSome = async (some: BulkItem[]) => {
    try {
      const refused = await act(some.map(({ id }) => id));
      for (const item of some) {
        const failure = refused?.get(item.id);
        if (failure) outcome.refused.push({ item, failure });
        else outcome.done.push(item);
      }
    } catch (thrown) {
      const failure = toFailure(thrown);
      isCut ||= failure.isTemporary;
      outcome.refused.push(...some.map((item) => ({ item, failure })));
    }
    onProgress(outcome.done.length + outcome.refused.length);
  };
  const runLane = async () => {
    while (waiting.length > 0 && !isCut && !signal.aborted)
      await runSome(waiting.splice(0, size));
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  outcome.left = waiting;
  return outcome;
}
