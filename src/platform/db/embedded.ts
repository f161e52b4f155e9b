import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "../telemetry/log.ts";

/** PGlite in a worker thread: on the calling thread one long query would freeze every service. */
export interface Embedded {
  /** Where `.s.PGSQL.5432` is. */
  socketFolder: string;
  ready(): Promise<void>;
  /** Ends whatever runs, at once, and starts again; what was not committed is gone. */
  restart(): void;
  stop(): Promise<void>;
}

export async function startEmbedded(folder: string, log: Logger): Promise<Embedded> {
  const socketFolder = await mkdtemp(join(tmpdir(), "parlance-"));
  const start = () => startWorker({ folder, socket: join(socketFolder, ".s.PGSQL.5432") });
  let worker = start();
  let stopping = false;

  const restart = () => {
    log.error("the embedded database hung on a statement and is started again");
    const old = worker;
    const next = old.then((running) => running.terminate()).then(start);
    next.catch((error: unknown) => log.fatal({ err: error }, "the embedded database does not start again"));
    worker = next;
  };

  await worker;
  return {
    socketFolder,
    async ready() {
      await worker;
    },
    restart() {
      if (!stopping) restart();
    },
    async stop() {
      stopping = true;
      const running = await worker;
      const exited = new Promise((resolve) => running.once("exit", resolve));
      running.postMessage("stop");
      await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 5_000).unref())]);
      await running.terminate();
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

function startWorker(workerData: { folder: string; socket: string }): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), { workerData });
    worker.once("message", () => resolve(worker));
    worker.once("error", (error) =>
      reject(new Error(`The embedded database in ${workerData.folder} does not start: ${String(error)}`)),
    );
  });
}
