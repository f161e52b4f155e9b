import type { z } from "zod";
import { Poison } from "../queue/queue.ts";
import { readMessage } from "../queue/message.ts";
import type { Consumer } from "./job.ts";

/** Whom it asks may start again, or be updated, in the meantime: about a quarter of an hour. */
const TRIES = 12;

/** How an attempt ended. */
export interface Outcome {
  attempt: number;
  /** Whether the message goes to the dead letters when this attempt failed. */
  isLast: boolean;
  /** Absent: it succeeded. */
  error?: unknown;
}

interface Options<Schema extends z.ZodType> {
  queue: string;
  schema: Schema;
  /** Asks the service that knows. @returns what is so; undefined when nothing of it is. */
  confirm(message: z.output<Schema>): Promise<z.output<Schema> | undefined>;
  handle(confirmed: z.output<Schema>): Promise<void>;
  /** Tells who asked for it how it ended. Success that cannot be reported is tried again. */
  report?(message: z.output<Schema>, outcome: Outcome): Promise<void>;
}

/**
 * A consumer that acts on what the service that knows says, and takes a message for a hint alone.
 * So nobody who may publish, or who finds an old message, can have it do anything else.
 */
export function confirmedConsumer<Schema extends z.ZodType>({
  queue,
  schema,
  confirm,
  handle,
  report,
}: Options<Schema>): Consumer {
  async function handleReported(confirmed: z.output<Schema>, attempt: number) {
    const isLast = attempt >= TRIES;
    try {
      await handle(confirmed);
    } catch (error) {
      // the failure itself is what the queue must know
      await report?.(confirmed, { attempt, isLast, error }).catch(() => {});
      throw error;
    }
    await report?.(confirmed, { attempt, isLast });
  }
  return {
    queue,
    foreign: true,
    handle: async (delivery) => {
      const confirmed = await confirm(readMessage(schema, delivery));
      if (confirmed !== undefined) return handleReported(confirmed, delivery.attempt);
      throw new Poison(
        "message_denied",
        "The service that knows says that this is not so. Nothing was done. Find out who may publish at RabbitMQ.",
      );
    },
    options: { tries: TRIES },
  };
}
