import { AMQPChannelError, type Connection } from "rabbitmq-client";
import type { Logger } from "../../telemetry/log.ts";

/** Deliveries by the broker to workers that end without an answer, before a message is dead. */
export const DELIVERY_LIMIT = 20;
const MIN_WAIT_MS = 32;

/** Reading a dead letter delivers it and takes it back. No number of reads may lose it. */
const DEAD_LETTER_ARGUMENTS = {
  "x-queue-type": "quorum" as const,
  "x-delivery-limit": 1_000_000,
};

/**
 * `plain`: durable and without arguments, which is what clients of other systems assert by default.
 * Its type is the default type of the virtual host.
 */
export type QueueKind = "quorum" | "plain";

function workArguments(queue: string, kind: QueueKind) {
  if (kind === "plain") return {};
  return {
    "x-queue-type": "quorum" as const,
    "x-delivery-limit": DELIVERY_LIMIT,
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": deadLetterQueue(queue),
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish" as const,
  };
}

function waitArguments(queue: string, ms: number) {
  return {
    "x-queue-type": "quorum" as const,
    "x-message-ttl": ms,
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": queue,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish" as const,
  };
}

export function deadLetterQueue(queue: string): string {
  return `${queue}.dlq`;
}

type QueueOptions = NonNullable<
  Parameters<Connection["createConsumer"]>[0]["queueOptions"]
>;

/** Declares queues at the broker, each once. */
export interface Topology {
  /** A work queue and its dead letters. */
  declare(queue: string): Promise<void>;
  /** How a consumer asserts a queue that is declared. */
  asDeclared(queue: string): QueueOptions;
  /** A queue whose messages expire into the work queue after the delay. @returns its name. */
  declareWait(queue: string, delayMs: number): Promise<string>;
  /** Somebody deleted queues of this one at the broker: declares them again when next needed. */
  forget(queue: string): void;
}

export function createTopology(
  connection: Connection,
  { kind, log }: { kind: QueueKind; log: Logger },
): Topology {
  const declared = new Map<string, Promise<void>>();
  /** Queues that another system declared in its own way. */
  const foreign = new Set<string>();
  const declare = async (queue: string, args: object) => {
    try {
      await connection.queueDeclare({ queue, durable: true, arguments: args });
      foreign.delete(queue);
    } catch (error) {
      if (!(error instanceof AMQPChannelError) || error.code !== "PRECONDITION_FAILED")
        throw error;
      await connection.queueDeclare({ queue, passive: true });
      foreign.add(queue);
      const { message } = error;
      log.warn({ queue, difference: message }, "a queue was declared with other arguments");
    }
  };
  return {
    declare: (queue) =>
      declareOnce(declared, queue, async () => {
        await declare(deadLetterQueue(queue), DEAD_LETTER_ARGUMENTS);
        await declare(queue, workArguments(queue, kind));
      }),
    asDeclared: (queue) =>
      foreign.has(queue)
        ? { passive: true }
        : { durable: true, arguments: workArguments(queue, kind) },
    async declareWait(queue, delayMs) {
      const ms = roundUp(delayMs);
      const name = `${queue}.wait.${ms}`;
      await declareOnce(declared, name, async () => {
        // one without these arguments would keep its messages for ever
        const args = waitArguments(queue, ms);
        await connection.queueDeclare({ queue: name, durable: true, arguments: args });
      });
      return name;
    },
    forget(queue) {
      for (const name of declared.keys())
        if (name === queue || name.startsWith(`${queue}.wait.`)) declared.delete(name);
    },
  };
}

/** Rounds a delay up to a power of two, so that there are few queues. */
function roundUp(ms: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(MIN_WAIT_MS, ms)));
}

function declareOnce(
  done: Map<string, Promise<void>>,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  const running = done.get(key) ?? work();
  done.set(key, running);
  running.catch(() => done.delete(key));
  return running;
}
