import { setImmediate as immediate } from "node:timers/promises";
import type { Envelope, Publisher } from "rabbitmq-client";
import { TooLarge, Unavailable } from "../../http/errors.ts";
import { within } from "../../within.ts";
import type { Body } from "../message.ts";
import { type Outgoing, toBrokerMessage } from "./envelope.ts";
import type { Topology } from "./topology.ts";

export const BROKER_TIMEOUT_MS = 10_000;

/** Publishes a message and waits until the broker has confirmed it. */
export type Send = (
  queue: string,
  body: Body,
  outgoing: Outgoing,
  /** Another queue than the one that declares it, such as the dead letters. */
  target?: string,
) => Promise<void>;

type TrySend = (
  queue: string,
  body: Body,
  outgoing: Outgoing,
  target: string,
) => Promise<boolean>;

/**
 * The broker confirms a message that no queue takes, such as one whose queue was deleted there. It
 * returns a mandatory one before that, and then the queues are declared again.
 */
export function createSend(topology: Topology, publisher: Publisher): Send {
  const returned = new Set<string>();
  const keyOf = ({ routingKey, messageId }: Envelope) => `${routingKey} ${messageId}`;
  publisher.on("basic.return", (message) => returned.add(keyOf(message)));

  /** @returns whether a queue took it. */
  const trySend: TrySend = async (queue, body, outgoing, target) => {
    await topology.declare(queue);
    const { delayMs } = outgoing;
    const routingKey = delayMs > 0 ? await topology.declareWait(queue, delayMs) : target;
    const { envelope, bytes } = toBrokerMessage(routingKey, body, outgoing);
    await publisher.send({ ...envelope, mandatory: true }, bytes);
    await immediate(); // the client reports a returned message in a later turn than its confirm
    return !returned.delete(keyOf(envelope));
  };

  return (queue, body, outgoing, target = queue) =>
    withinTimeout(async () => {
      if (await trySend(queue, body, outgoing, target)) return;
      topology.forget(queue);
      if (await trySend(queue, body, outgoing, target)) return;
      throw new Error(`no queue takes a message for ${target}`);
    });
}

/** @throws Unavailable `queue_unavailable` when the broker fails or does not answer in time. */
export async function withinTimeout<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await within(BROKER_TIMEOUT_MS, work());
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    const sentence = "The message queue does not answer. Try again in a moment.";
    throw new Unavailable("queue_unavailable", sentence, 5_000, { cause: error });
  }
}
