import { expect, test } from "vitest";
import { TRANSACTIONS_QUEUE } from "../services/completion/contract.ts";
import { checkQueues } from "./queues.ts";

const consumer = (queue: string) => ({
  consumers: [{ queue, handle: () => Promise.resolve() }],
});

test("a service that consumes a queue which nobody administers does not start", () => {
  expect(() => checkQueues([{}, consumer(TRANSACTIONS_QUEUE)])).not.toThrow();
  expect(() => checkQueues([consumer(TRANSACTIONS_QUEUE), consumer("unlisted")])).toThrow(
    "Add these queues to src/server/queues.ts: unlisted.",
  );
});
