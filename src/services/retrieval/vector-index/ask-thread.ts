import { Worker } from "node:worker_threads";
import {
  type Answer,
  type Answered,
  NOT_SAVED,
  type IndexCommand,
  type VectorThreadData,
} from "./messages.ts";

/** The thread that holds the vectors. It is gone when it ends: each command then fails. */
export interface VectorThread {
  ask(command: IndexCommand): Promise<Answer>;
  readonly exited: Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const PROGRAM = new URL("./vector-thread.ts", import.meta.url);

/** @throws Error when the thread does not start, for example because its file cannot be made. */
export async function startVectorThread(
  workerData: VectorThreadData,
  onNotSaved: (reason: string) => void,
): Promise<VectorThread> {
  const waiting = new Map<number, Waiting>();
  const worker = new Worker(PROGRAM, { workerData });
  let isOver = false;
  let last = NOT_SAVED;
  const end = (error: Error) => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("error", end);
  void exited.then(() => end(new Error("the thread of the vector index ended")));
  const ready = new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
    void exited.then(() =>
      reject(new Error("the thread of the vector index does not start")),
    );
  });
  await ready;
  worker.on("message", (answered: Answered) => {
    if (answered.id === NOT_SAVED && "failure" in answered)
      return onNotSaved(answered.failure);
    const asked = waiting.get(answered.id);
    waiting.delete(answered.id);
    if ("failure" in answered) asked?.reject(new Error(answered.failure));
    else asked?.resolve(answered.answer);
  });
  // it holds nothing that is not in the database
  worker.unref();
  const ask = (command: IndexCommand) =>
    new Promise<Answer>((resolve, reject) => {
      if (isOver) return reject(new Error("the thread of the vector index has ended"));
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ id: last, command });
    });
  return {
    ask,
    exited,
    async close() {
      // what is not saved is read from the database at the next start
      await ask({ kind: "close" }).catch(() => {});
      await worker.terminate();
    },
  };
}
