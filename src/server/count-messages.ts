import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { Queue } from "../platform/queue/queue.ts";
import { QUEUES } from "./queues.ts";

/** A scrape does not wait longer for a broker, and then leaves these numbers out. */
const MAX_WAIT_MS = 2_000;

/** Shows how many messages wait in each queue, counted when somebody asks for the metrics. */
export function countMessages(registry: Registry, queue: Pick<Queue, "count">): void {
  const labelNames = ["queue"];
  const dead = new Gauge({
    name: "queue_dead_letters",
    help: "Messages that failed for good; every process shows all queues",
    labelNames,
    registers: [registry],
  });
  const waiting = new Gauge({
    name: "queue_messages",
    help: "Messages that are not done; every process shows all queues",
    labelNames,
    registers: [registry],
    async collect() {
      waiting.reset();
      dead.reset();
      const ended = new AbortController();
      const late = sleep(MAX_WAIT_MS, undefined, { signal: ended.signal });
      const counted = Promise.all(
        QUEUES.map(async (name) => ({ name, ...(await queue.count(name)) })),
      );
      // a queue that cannot be reached is in the health already
      const counts = await Promise.race([counted, late]).catch(() => undefined);
      late.catch(() => {}); // it was ended
      ended.abort();
      for (const { name, waiting: count, deadLetters } of counts ?? []) {
        waiting.set({ queue: name }, count);
        dead.set({ queue: name }, deadLetters);
      }
    },
  });
}
