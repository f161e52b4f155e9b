import { type AsyncMessage, type Connection, ConsumerStatus } from "rabbitmq-client";
import type { Logger } from "../../telemetry/log.ts";
import { backoff } from "../../backoff.ts";
import { logFailure } from "../database-consumer.ts";
import { finishWork, judgeFailure, workerEnded } from "../finish-work.ts";
import type { Body } from "../message.ts";
import type { ConsumeOptions, Handler } from "../queue.ts";
import { attemptOf, idOf, readBody, signatureOf } from "./envelope.ts";
import type { Send } from "./send.ts";
import type { Signer } from "./signature.ts";
import { deadLetterQueue, type Topology } from "./topology.ts";

interface Options {
  connection: Connection;
  topology: Pick<Topology, "asDeclared">;
  send: Send;
  signer: Signer;
  log: Logger;
  queue: string;
  handler: Handler;
  options: ConsumeOptions | undefined;
}

/** Handles the messages of a queue. @returns a function that closes the consumer. */
export function startRabbitConsumer(given: Options): () => Promise<void> {
  const { connection, topology, log, queue, options = {} } = given;
  const abandoned = new AbortController();
  const consumer = connection.createConsumer(
    {
      queue,
      queueOptions: topology.asDeclared(queue),
      qos: { prefetchCount: options.prefetch ?? 8 },
      requeue: true,
    },
    (message) => handleMessage(given, message, abandoned.signal),
  );
  consumer.on("error", (error: unknown) =>
    log.warn({ err: error, queue }, "a consumer failed; it is started again"),
  );
  return () => finishWork(consumer.close(), abandoned);
}

/** Handles one message. A failed one is published again, for later or to the dead letters. */
async function handleMessage(
  { handler, log, options = {}, queue, send, signer }: Options,
  message: AsyncMessage,
  signal: AbortSignal,
): Promise<ConsumerStatus> {
  const { tries: maxAttempts = 5, backoffMs = 1_000 } = options;
  const id = idOf(message);
  const attempt = attemptOf(message);
  let body: Body = { pattern: queue, data: null };
  try {
    body = readBody(message);
    if (attempt > maxAttempts) throw workerEnded();
    const isOwn = signer.isSigned(queue, message, body);
    await handler({ id, attempt, data: body.data, isOwn, signal });
  } catch (error) {
    const { failure, isLast } = judgeFailure(error, attempt, maxAttempts);
    logFailure(log, { err: error, queue, id, tries: attempt }, isLast);
    const delayMs = isLast ? 0 : backoff(attempt, backoffMs);
    const target = isLast ? deadLetterQueue(queue) : queue;
    const signature = signatureOf(message);
    const next = { id, tries: attempt, failure, delayMs, signature };
    // confirmed before the former one is acknowledged: it may be delivered twice, but is never lost
    await send(queue, body, next, target);
  }
  return ConsumerStatus.ACK;
}
