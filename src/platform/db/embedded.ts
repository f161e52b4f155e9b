import { execFile } from "node:child_process";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
} from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Logger } from "../telemetry/log.ts";
import { once } from "../single-flight.ts";
import { endsWithin } from "../within.ts";

/** PGlite in a worker thread: on the calling thread one long query would block every service. */
export interface Embedded {
  /** The folder of the socket `.s.PGSQL.5432`. */
  socketFolder: string;
  /** Resolves when it accepts connections. */
  ready(): Promise<void>;
  /** Ends all statements at once and starts again. Open transactions are rolled back. */
  restart(): void;
  stop(): Promise<void>;
}

interface Options {
  /** Finds the folder of a database that a new one is a copy of. */
  findTemplate?: (() => Promise<string | undefined>) | undefined;
  log: Logger;
}

/** The path of a Unix socket is limited to 108 bytes, with its file name. */
const MAX_SOCKET_FOLDER_BYTES = 80;
const STOP_TIMEOUT_MS = 5_000;
const CREATE_TIMEOUT_MS = 120_000;

/**
 * Starts PGlite on `<dataDir>/database` and starts it again whenever its worker ends.
 * @throws Error when the first start fails.
 */
export async function startEmbedded(
  dataDir: string,
  { findTemplate, log }: Options,
): Promise<Embedded> {
  const socketFolder =
    Buffer.byteLength(dataDir) < MAX_SOCKET_FOLDER_BYTES
      ? dataDir
      : await mkdtemp(join(tmpdir(), "parlance-"));
  const workerData = {
    folder: join(dataDir, "database"),
    socket: join(socketFolder, ".s.PGSQL.5432"),
  };
  let isStopping = false;
  if (!existsSync(join(workerData.folder, "PG_VERSION")))
    await createDatabase(workerData.folder, await findTemplate?.());
  let worker = startWorker(workerData);

  let alive: Worker | undefined;

  const watch = (running: Worker) => {
    alive = running;
    running.once("exit", () => replace(running));
  };
  /** Later calls of `ready` wait for the next worker. */
  const replace = (old: Worker | undefined) => {
    if (isStopping || old === undefined || old !== alive) return;
    log.error("the embedded database ended; it is started again");
    alive = undefined;
    worker = old.terminate().then(startAgain);
    worker.then(watch, () => {});
  };
  async function startAgain(): Promise<Worker> {
    for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        return await startWorker(workerData);
      } catch (error) {
        if (isStopping) throw error;
        log.error(
          { err: error },
          "the embedded database does not start; it is tried again",
        );
        await sleep(delayMs, undefined, { ref: false });
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
      isStopping = true;
      // one that did not start has nothing to stop, and `ready` has failed with why
      const running = await worker.catch(() => undefined);
      if (running) await stopWorker(running);
      await rm(socketFolder === dataDir ? workerData.socket : socketFolder, {
        recursive: true,
        force: true,
      });
    },
  };
}

/**
 * Makes a database beside the folder and moves it there, so that a start that ends on the way
 * leaves none that is half made.
 * @throws Error when the folder holds other files, or the database cannot be created.
 */
async function createDatabase(folder: string, template: string | undefined): Promise<void> {
  const made = `${folder}.new`;
  await rm(made, { recursive: true, force: true });
  if (template) copyFolder(template, made);
  else await initialize(made);
  try {
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    const reason = (error as Error).message; // of the file system
    throw new Error(
      `The embedded database cannot be created in ${folder}, which must be absent or empty: ${reason}`,
      { cause: error },
    );
  }
}

/** Creates an empty database in a process of its own. @throws Error with that process's output. */
async function initialize(folder: string): Promise<void> {
  const program = fileURLToPath(new URL("./create-embedded.ts", import.meta.url));
  await new Promise<void>((resolve, reject) => {
    execFile(
      process.execPath,
      // to optimise code that runs once takes half a gigabyte
      ["--liftoff-only", program, folder],
      { timeout: CREATE_TIMEOUT_MS },
      (error, _, output) =>
        error
          ? reject(
              new Error(
                `The embedded database in ${folder} cannot be created: ${output.trim().slice(-500)}`,
              ),
            )
          : resolve(),
    );
  });
}

async function startWorker(given: { folder: string; socket: string }): Promise<Worker> {
  const workerData = { ...given, program: await compileProgram() };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), {
      workerData,
    });
    const refuse = (reason: unknown) =>
      reject(
        new Error(
          `The embedded database in ${workerData.folder} does not start: ${String(reason)}`,
        ),
      );
    worker.once("message", () => resolve(worker));
    // this listener stays: without one, an error of the worker would end the process
    worker.on("error", refuse);
    worker.once("exit", (code) => refuse(`its worker ended with ${code}`));
  });
}

/** Node has it, and its published types lack its functions. */
const { compile } = Reflect.get(globalThis, "WebAssembly") as {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
};

/**
 * PostgreSQL's code, compiled once for all databases of the process: V8 compiles each function when
 * it is first called, and a database that is started again finds it compiled.
 */
const compileProgram = once(async () => {
  const file = new URL("./pglite.wasm", import.meta.resolve("@electric-sql/pglite"));
  return compile(await readFile(file));
});

async function stopWorker(worker: Worker): Promise<void> {
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  worker.postMessage("stop");
  await endsWithin(STOP_TIMEOUT_MS, exited);
  await worker.terminate();
}

/**
 * Copies the files of a database that nobody has open. To copy its 1,400 small
 * files one by one takes a tenth of the time of `fs.cp`, which asks the file system about each of
 * them several times. The kernel copies: 44 MB never become garbage here. Blocking: a first start
 * has nothing else to do.
 */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyFolder(source, target);
    else {
      copyFileSync(source, target, constants.COPYFILE_EXCL);
      chmodSync(target, 0o600);
    }
  }
}
