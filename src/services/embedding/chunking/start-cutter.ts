import { Worker } from "node:worker_threads";
import { GatewayTimeout, TooLarge, Unavailable } from "../../../platform/http/errors.ts";
import { type CutChunk, type CutOptions, MAX_REPETITIONS } from "./cut-text.ts";

/**
 * Cuts texts one after the other in a thread of its own, which starts on demand and ends when idle.
 */
export interface Cutter extends AsyncDisposable {
  /**
   * @throws GatewayTimeout when a text takes too long, Unavailable when too many wait, TooLarge
   * `chunks_too_large`.
   */
  cut(text: string, options: CutOptions): Promise<CutChunk[]>;
}

const IDLE_MS = 60_000;
const MAX_MS_CHARACTERS = 60_000;
const MAX_WAITING = 64;

export function startCutter(): Cutter {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const end = async () => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const cutNow = async (text: string, options: CutOptions): Promise<CutChunk[]> => {
    clearTimeout(idle);
    worker ??= new Worker(new URL("./cut-thread.ts", import.meta.url));
    const running = worker;
    try {
      return await answerOf(running, text, options);
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  };
  return {
    async cut(text, options) {
      if (waiting >= MAX_WAITING)
        throw new Unavailable(
          "chunking_busy",
          "Too many texts wait to be cut. Try again in a moment.",
          5_000,
        );
      waiting += 1;
      const mine = turn.then(() => cutNow(text, options));
      turn = mine.catch(() => {});
      return mine.finally(() => (waiting -= 1));
    },
    [Symbol.asyncDispose]: end,
  };
}

function answerOf(worker: Worker, text: string, options: CutOptions): Promise<CutChunk[]> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      clearTimeout(late);
      // one by one: a worker has listeners of its own and would receive no messages without them
      worker.off("message", onAnswer).off("error", onError).off("exit", onExit);
      worker.unref();
      then();
    };
    const onAnswer = (answer: Answer) =>
      settle(() =>
        "chunks" in answer ? resolve(answer.chunks) : reject(failureOf(answer)),
      );
    const onError = (error: unknown) => settle(() => reject(error));
    const onExit = () =>
      settle(() =>
        reject(
          new Unavailable("chunking_stopped", "Cutting the text was stopped. Try again."),
        ),
      );
    const late = setTimeout(() => {
      const tooLong = `Cutting the text took longer than ${MAX_MS_CHARACTERS / 1000} s. Cut it with another method.`;
      settle(() => reject(new GatewayTimeout("chunking_timeout", tooLong)));
    }, MAX_MS_CHARACTERS);
    worker.ref();
    worker.on("message", onAnswer).on("error", onError).on("exit", onExit);
    worker.postMessage({ text, options });
  });
}

type Answer = { chunks: CutChunk[] } | { isTooLarge: true } | { error: string };

function failureOf(answer: Exclude<Answer, { chunks: CutChunk[] }>): Error {
  if ("error" in answer) return new Error(`the text could not be cut: ${answer.error}`);
  return new TooLarge(
    "chunks_too_large",
    "These sizes give more chunks than can be answered, or chunks that repeat the text more than " +
      `${MAX_REPETITIONS} times. Choose larger chunks or a smaller overlap.`,
    { params: { max: MAX_REPETITIONS } },
  );
}
