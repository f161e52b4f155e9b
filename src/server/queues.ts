import type { Service } from "../platform/service.ts";
import { TRANSACTIONS_QUEUE } from "../services/completion/contract.ts";
import { REMOVALS } from "../services/documents/contract-removals.ts";
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
