import { setTimeout as sleep } from "node:timers/promises";
import type { Queue } from "../../platform/queue/queue.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Transaction, TRANSACTION_PATTERN, TRANSACTIONS_QUEUE } from "./contract.ts";

/** Publishes usage records, also across an outage of the queue. */
export interface UsagePublisher extends AsyncDisposable {
  /**
   * Resolves when the record is published, or after a while, so that the reply can end. Publishing
   * then continues in the background. Never throws.
   */
  publish(transaction: Transaction): Promise<void>;
}

interface Deps {
  queue: Queue;
  log: Logger;
}

/** The end of a reply waits no longer for its record. */
const MAX_WAIT_MS = 2_000;
const RETRY_INTERVAL_MS = 1_000;
const MAX_PENDING_RECORDS = 10_000;

export function createUsagePublisher({ queue, log }: Deps): UsagePublisher {
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();

  async function publishWithRetries(transaction: Transaction): Promise<void> {
    const options = { id: transaction.id, pattern: TRANSACTION_PATTERN };
    for (;;) {
      try {
        return await queue.publish(TRANSACTIONS_QUEUE, transaction, options);
      } catch (error) {
        if (closing.signal.aborted || pending.size > MAX_PENDING_RECORDS) {
          // the reply was sent, so at least the log holds the record
          log.error({ err: error, transaction }, "cannot publish a usage record");
          return;
        }
        const { signal } = closing;
        await sleep(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => {}); // it closes
      }
    }
  }

  return {
    async publish(transaction) {
      const published = publishWithRetries(transaction).finally(() =>
        pending.delete(published),
      );
      pending.add(published);
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise((resolve) => (timer = setTimeout(resolve, MAX_WAIT_MS)));
      await Promise.race([published, waited]);
      clearTimeout(timer);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(pending);
    },
  };
}
