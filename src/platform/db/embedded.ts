import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Logger } from "../telemetry/log.ts";

/** PGlite in a worker thread: on the calling thread one long query would freeze every service. */
export interface Embedded {
  /** Where `.s.PGSQL.5432` is. */
  socketFolder: string;
  /** Resolves when it can be connected to. */
  ready(): Promise<void>;
  /** Ends whatever runs, at once, and starts again; what was not committed is gone. */
  restart(): void;
  stop(): Promise<void>;
}

/** A path of a Unix socket must fit into 108 bytes. */
const MAX_SOCKET_CHARACTERS = 100;
const STOP_WAIT_MS = 5_000;
const CREATE_WAIT_MS = 120_000;

/**
 * Starts PGlite on `<dataDir>/database` and starts it again whenever its worker ends.
 * @throws Error when the first start fails.
 */
export async function startEmbedded(dataDir: string, log: Logger): Promise<Embedded> {
  const socketFolder =
    Buffer.byteLength(dataDir) < MAX_SOCKET_CHARACTERS - 20
      ? dataDir
      : await mkdtemp(join(tmpdir(), "parlance-"));
  const workerData = {
    folder: join(dataDir, "database"),
    socket: join(socketFolder, ".s.PGSQL.5432"),
  };
  let stopping = false;
  if (!existsSync(join(workerData.folder, "PG_VERSION"))) await createDatabase(workerData.folder);
  let worker = startWorker(workerData);

  let alive: Worker | undefined;

  const watch = (running: Worker) => {
    alive = running;
    running.once("exit", () => replace(running));
  };
  /** Whoever asks `ready` from now on waits for the next worker. */
  const replace = (old: Worker | undefined) => {
    if (stopping || old === undefined || old !== alive) return;
    log.error("the embedded database ended and is started again");
    alive = undefined;
    worker = old.terminate().then(startAgain);
    worker.then(watch, () => {});
  };
  async function startAgain(): Promise<Worker> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await startWorker(workerData);
      } catch (error) {
        if (stopping) throw error;
        log.error({ err: error }, "the embedded database does not start again; trying on");
        await sleep(wait, undefined, { ref: false });
      }
    }
  }

  watch(await worker);
  return {
    socketFolder,
    async ready() {
      await worker;
    },
    restart: () => replace(alive),
    async stop() {
      stopping = true;
      const running = await worker.catch(() => undefined);
      if (running) await stopWorker(running);
      await rm(socketFolder === dataDir ? workerData.socket : socketFolder, {
        recursive: true,
        force: true,
      });
    },
  };
}

/** @throws Error with what the process that makes it said. */
async function createDatabase(folder: string): Promise<void> {
  const program = fileURLToPath(new URL("./create-embedded.ts", import.meta.url));
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [program, folder], { timeout: CREATE_WAIT_MS }, (error, _, said) =>
      error
        ? reject(
            new Error(
              `The embedded database in ${folder} cannot be made: ${said.trim().slice(-500)}`,
            ),
          )
        : resolve(),
    );
  });
}

function startWorker(workerData: { folder: string; socket: string }): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), { workerData });
    const refuse = (reason: unknown) =>
      reject(
        new Error(
          `The embedded database in ${workerData.folder} does not start: ${String(reason)}`,
        ),
      );
    worker.once("message", () => resolve(worker));
    // stays: without a listener an error of the worker would end the process
    worker.on("error", refuse);
    worker.once("exit", (code) => refuse(`its worker ended with ${code}`));
  });
}

async function stopWorker(worker: Worker): Promise<void> {
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  worker.postMessage("stop");
  await Promise.race([exited, sleep(STOP_WAIT_MS, undefined, { ref: false })]);
  await worker.terminate();
}
