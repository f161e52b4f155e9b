import { setTimeout as sleep } from "node:timers/promises";

/** Sends usage records, also across an outage of who takes them. */
export interface UsagePublisher<Use> extends AsyncDisposable {
  /**
   * Resolves when the record is published, or after a while, so that the reply can end. Publishing
   * then continues in the background. Never throws.
   */
  publish(use: Use): Promise<void>;
}

interface Deps<Use> {
  send: (use: Use) => Promise<unknown>;
  log: { error(what: object, message: string): void };
}

/** The end of a reply waits no longer for its record. */
const MAX_WAIT_MS = 2_000;
const RETRY_INTERVAL_MS = 1_000;
const MAX_PENDING_RECORDS = 10_000;

export function createUsagePublisher<Use>({ send, log }: Deps<Use>): UsagePublisher<Use> {
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();

  async function publishWithRetries(use: Use): Promise<void> {
    for (;;) {
      try {
        await send(use);
        return;
      } catch (error) {
        if (closing.signal.aborted || pending.size > MAX_PENDING_RECORDS) {
          // the reply was sent, so at least the log holds the record
          log.error({ err: error, transaction: use }, "cannot publish a usage record");
          return;
        }
        const { signal } = closing;
        await sleep(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => {}); // it closes
      }
    }
  }

  return {
    async publish(use) {
      const published = publishWithRetries(use).finally(() => pending.delete(published));
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
