import { setTimeout as sleep } from "node:timers/promises";
import type { Queue } from "../../platform/queue/queue.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Transaction, TRANSACTION_PATTERN, TRANSACTIONS_QUEUE } from "./contract.ts";

/** Publishes usage records, over an outage of the queue as well. */
export interface UsagePublisher extends AsyncDisposable {
  /**
   * Resolves when the record is safe, or when its reply should wait no longer: then it goes on
   * being tried. Never throws.
   */
  publish(transaction: Transaction): Promise<void>;
}

interface Deps {
  queue: Queue;
  log: Logger;
}

/** A reply's end waits no longer than this for its record. */
const PATIENCE_MS = 2_000;
const RETRY_MS = 1_000;
/** Records that may wait in memory. */
const MAX_WAITING = 10_000;

export function createUsagePublisher({ queue, log }: Deps): UsagePublisher {
  const waiting = new Set<Promise<void>>();
  const closing = new AbortController();

  async function keepTrying(transaction: Transaction): Promise<void> {
    for (;;) {
      try {
        return await queue.publish(TRANSACTIONS_QUEUE, transaction, {
          id: transaction.id,
          pattern: TRANSACTION_PATTERN,
        });
      } catch (error) {
        if (closing.signal.aborted || waiting.size > MAX_WAITING) {
          // the reply was given; the record stands in the log at least
          log.error({ err: error, transaction }, "a usage record could not be queued");
          return;
        }
        await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  return {
    async publish(transaction) {
      const done = keepTrying(transaction).finally(() => waiting.delete(done));
      waiting.add(done);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        done,
        new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS))),
      ]);
      clearTimeout(timer);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(waiting);
    },
  };
}
