import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "rabbitmq-client";
import type { Body } from "../message.ts";
import type { DeadLetter, QueueCounts } from "../queue.ts";
import {
  type BrokerMessage,
  idOf,
  nameDeadLetters,
  readBody,
  signatureOf,
  toDeadLetter,
} from "./envelope.ts";
import type { Send } from "./send.ts";
import { deadLetterQueue } from "./topology.ts";

const RETURN_POLLS = 40;
const RETURN_POLL_INTERVAL_MS = 25;

/** Reads a page of the dead letters. The broker has no such request: it delivers and takes back. */
export async function readDeadLetters(
  connection: Connection,
  queue: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: DeadLetter[]; total: number }> {
  const from = deadLetterQueue(queue);
  const channel = await connection.acquire();
  const nameOf = nameDeadLetters();
  const items: DeadLetter[] = [];
  let total = 0;
  try {
    total = (await channel.queueDeclare({ queue: from, passive: true })).messageCount;
    for (let index = 0; index < Math.min(offset + limit, total); index += 1) {
      const message = await channel.basicGet({ queue: from });
      if (message === undefined) break;
      const id = nameOf(message);
      if (index >= offset) items.push(toDeadLetter(message, id));
    }
  } finally {
    // messages that were not acknowledged return to the queue
    await channel.close();
  }
  await waitForReturn(connection, from, total);
  return { items, total };
}

/** The broker takes messages back a moment after the channel closed. The next read needs them. */
async function waitForReturn(
  connection: Connection,
  queue: string,
  count: number,
): Promise<void> {
  for (let poll = 0; poll < RETURN_POLLS; poll += 1) {
    const { messageCount } = await connection.queueDeclare({ queue, passive: true });
    if (messageCount >= count) return;
    await sleep(RETURN_POLL_INTERVAL_MS);
  }
}

/** Publishes dead letters to their queue again: those with the ids, or all. @returns how many. */
export async function redriveDeadLetters(
  connection: Connection,
  send: Send,
  queue: string,
  ids: readonly string[] | undefined,
): Promise<number> {
  return takeDeadLetters(connection, queue, ids, (message) =>
    send(queue, bodyOf(queue, message), {
      id: idOf(message),
      tries: 0,
      delayMs: 0,
      signature: signatureOf(message),
    }),
  );
}

/** Deletes dead letters: those with the ids, or all. @returns how many. */
export async function discardDeadLetters(
  connection: Connection,
  queue: string,
  ids: readonly string[] | undefined,
): Promise<number> {
  return takeDeadLetters(connection, queue, ids, async () => {});
}

/** Removes dead letters, each once it is handled. */
async function takeDeadLetters(
  connection: Connection,
  queue: string,
  ids: readonly string[] | undefined,
  handle: (message: BrokerMessage) => Promise<void>,
): Promise<number> {
  const from = deadLetterQueue(queue);
  const channel = await connection.acquire();
  const nameOf = nameDeadLetters();
  let taken = 0;
  let total = 0;
  try {
    const { messageCount } = await channel.queueDeclare({ queue: from, passive: true });
    total = messageCount;
    for (let index = 0; index < total; index += 1) {
      const message = await channel.basicGet({ queue: from });
      if (message === undefined) break;
      const id = nameOf(message);
      if (ids && !ids.includes(id)) continue;
      await handle(message);
      channel.basicAck({ deliveryTag: message.deliveryTag });
      taken += 1;
    }
  } finally {
    await channel.close();
  }
  await waitForReturn(connection, from, total - taken);
  return taken;
}

export async function countBrokerMessages(
  connection: Connection,
  queue: string,
): Promise<QueueCounts> {
  const [work, dead] = await Promise.all([
    connection.queueDeclare({ queue, passive: true }),
    connection.queueDeclare({ queue: deadLetterQueue(queue), passive: true }),
  ]);
  return { waiting: work.messageCount, deadLetters: dead.messageCount };
}

/** A body that cannot be read becomes an empty one, which its consumer refuses again. */
function bodyOf(queue: string, message: BrokerMessage): Body {
  try {
    return readBody(message);
  } catch {
    return { pattern: queue, data: null };
  }
}
