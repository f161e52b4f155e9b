import type { Service } from "../platform/service.ts";
import { TRANSACTIONS_QUEUE } from "../services/completion/contract.ts";
import { PROVIDER_CALLS_QUEUE } from "../services/completion/contract-provider-calls.ts";
import { REMOVALS } from "../services/documents/contract-processing.ts";
import {
  EMBEDDING_JOBS,
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
} from "../services/embedding/contract-jobs.ts";
import {
  PARSING_JOBS,
  PARSING_PROGRESS,
  PARSING_RESULTS,
  PARSING_STOPS,
} from "../services/parser/contract-jobs.ts";
import {
  SERVICES_WITH_USER_DATA,
  userDeletionQueue,
} from "../services/users/contract-user-deletion.ts";
import { Gauge, type Registry } from "prom-client";
import type { Queue } from "../platform/queue/queue.ts";
import { within } from "../platform/within.ts";

/**
 * The queues of the whole installation. Each process administers all of them, whichever it
 * consumes, so that one address is enough for services that run apart.
 */
export const QUEUES: readonly string[] = [
  EMBEDDING_JOBS,
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
  PARSING_JOBS,
  PARSING_PROGRESS,
  PARSING_RESULTS,
  PARSING_STOPS,
  PROVIDER_CALLS_QUEUE,
  REMOVALS,
  TRANSACTIONS_QUEUE,
  ...SERVICES_WITH_USER_DATA.map(userDeletionQueue),
].toSorted();

/** Stops the start of a service whose queue nobody could administer. */
export function checkQueues(services: readonly Pick<Service, "consumers">[]): void {
  const consumed = services.flatMap(({ consumers = [] }) =>
    consumers.map(({ queue }) => queue),
  );
  const unknown = consumed.filter((name) => !QUEUES.includes(name));
  if (unknown.length > 0)
    throw new Error(`Add these queues to src/server/queues.ts: ${unknown.join(", ")}.`);
}

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
      const counted = Promise.all(
        QUEUES.map(async (name) => ({ name, ...(await queue.count(name)) })),
      );
      // a queue that cannot be reached is in the health already
      const counts = await within(MAX_WAIT_MS, counted).catch(() => undefined);
      for (const { name, waiting: count, deadLetters } of counts ?? []) {
        waiting.set({ queue: name }, count);
        dead.set({ queue: name }, deadLetters);
      }
    },
  });
}
