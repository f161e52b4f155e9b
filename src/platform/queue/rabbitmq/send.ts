import type { Publisher } from "rabbitmq-client";
import { TooLarge, Unavailable } from "../../http/errors.ts";
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

export function createSend(topology: Topology, publisher: Publisher): Send {
  return (queue, body, outgoing, target = queue) =>
    withinTimeout(async () => {
      await topology.declare(queue);
      const { delayMs } = outgoing;
      const routingKey = delayMs > 0 ? await topology.declareWait(queue, delayMs) : target;
      const { envelope, bytes } = toBrokerMessage(routingKey, body, outgoing);
      await publisher.send(envelope, bytes);
    });
}

/** @throws Unavailable `queue_unavailable` when the broker fails or does not answer in time. */
export async function withinTimeout<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), BROKER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    const sentence = "The message queue does not answer. Try again in a moment.";
    throw new Unavailable("queue_unavailable", sentence, 5_000, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
