import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import {
  EMPTY_ENVIRONMENT,
  isolatedNode,
} from "../../../platform/isolation/isolated-node.ts";
import { type Isolation, notIsolated } from "../../../platform/isolation/isolation.ts";
import { lowerPriority } from "../../../platform/isolation/lower-priority.ts";
import type { Engine, Start } from "./engine.ts";
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { access, chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readFrames } from "../frames.ts";

const HEAP_MB = 256;
const ENTRY = new URL("./pyodide-runner.ts", import.meta.url);
const CELLS = new URL("./cell.py", import.meta.url);
const ENDING = ".snapshot";
/** The folder of the snapshot that `npm ci` makes. */
export const PREPARED = fileURLToPath(
  new URL("../../../../node_modules/.cache/parlance-pyodide/", import.meta.url),
);

interface Options {
  /** Where a snapshot is kept that is made after the start, as none was prepared. */
  folder: string;
  /** A folder with packages that code may import, too. */
  wheels?: string | undefined;
  /** Default: `PREPARED`. */
  prepared?: string | undefined;
}

/**
 * Python as WebAssembly, which comes with Parlance: the standard library, on every machine. A
 * session starts from a picture of the interpreter's memory, in a tenth of the time.
 */
export function pyodideEngine({ folder, wheels, prepared = PREPARED }: Options): Engine {
  const own = snapshotIn(folder);
  let making: Promise<void> | undefined;
  const findSnapshot = async (isolation: Isolation) => {
    for (const path of [snapshotIn(prepared), own]) if (await isThere(path)) return path;
    // nobody waits for it: until it is there, sessions start without
    making ??= makeSnapshot(own, isolation).catch(() => {
      // the next process makes it, or none can be made here
    });
    return undefined;
  };
  return {
    name: "pyodide",
    async start(isolation) {
      const snapshot = await findSnapshot(isolation);
      const packages = wheels === undefined ? [] : await listWheels(wheels);
      const environment = {
        ...EMPTY_ENVIRONMENT,
        ...(snapshot !== undefined && { SNAPSHOT: snapshot }),
        ...(packages.length > 0 && { WHEELS: JSON.stringify(packages) }),
      };
      const files = [...(snapshot === undefined ? [] : [snapshot]), ...packages];
      return { ...runner(isolation, files), environment };
    },
  };
}

/** Makes the snapshot of this version where there is none. @throws Error */
export async function preparePyodide(folder = PREPARED): Promise<void> {
  const path = snapshotIn(folder);
  if (await isThere(path)) return;
  // it runs nobody's code
  await makeSnapshot(path, notIsolated);
  for (const name of await readdir(folder))
    if (name.endsWith(ENDING) && join(folder, name) !== path)
      await rm(join(folder, name), { force: true });
}

/** What a snapshot is made by is in its name, so that a change makes another. */
function snapshotIn(folder: string): string {
  const { version } = createRequire(import.meta.url)("pyodide/package.json") as {
    version: string;
  };
  const hash = createHash("sha256");
  for (const file of [ENTRY, CELLS]) hash.update(readFileSync(file));
  const made = hash.digest("hex").slice(0, 8);
  return join(folder, `pyodide-${version}-${made}${ENDING}`);
}

const runner = (isolation: Isolation, files: readonly string[] = []) =>
  isolatedNode(isolation, { entry: ENTRY, heapMb: HEAP_MB, files });

const MAX_WHEELS = 200;
const MAX_WHEELS_BYTES = 50 * 2 ** 20;

/** Those that are there now: a new one is there in the next session. @throws Error if too many. */
async function listWheels(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".whl")).sort();
  const paths = names.map((name) => join(folder, name));
  let bytes = 0;
  for (const path of paths) bytes += (await stat(path)).size;
  if (paths.length > MAX_WHEELS || bytes > MAX_WHEELS_BYTES)
    throw new Error(
      `SANDBOX_WHEELS, ${folder}, has ${paths.length} wheels of ${bytes} bytes. Leave at most ` +
        `${MAX_WHEELS} of ${MAX_WHEELS_BYTES} bytes there.`,
    );
  return paths;
}

const MAX_SNAPSHOT_BYTES = 128 * 2 ** 20;
const MAKE_MS = 60_000;

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Lets a process that has run nobody's code write down its memory. */
async function makeSnapshot(path: string, isolation: Isolation): Promise<void> {
  const part = `${path}.${randomUUID()}`;
  const environment = { ...EMPTY_ENVIRONMENT, SNAPSHOT: "make" };
  try {
    await mkdir(dirname(path), { recursive: true });
    await receive(part, { ...runner(isolation), environment });
    // the processes of sessions are other users, and it holds no secret
    await chmod(part, 0o644);
    await rename(part, path);
  } finally {
    await rm(part, { force: true }).catch(() => {}); // its name is its own
  }
}

async function receive(path: string, { file, args, environment }: Start): Promise<void> {
  const child = spawn(file, args, {
    env: { ...environment },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    timeout: MAKE_MS,
    killSignal: "SIGKILL",
  });
  if (child.pid !== undefined) void lowerPriority(child.pid);
  const exited = once(child, "exit");
  await using target = await open(path, "wx");
  let bytes = 0;
  for await (const { payload } of readFrames(child.stdio[3] as Readable)) {
    bytes += payload.byteLength;
    if (bytes > MAX_SNAPSHOT_BYTES) child.kill("SIGKILL");
    await target.write(payload);
  }
  const [code] = (await exited) as [number | null];
  if (code !== 0 || bytes === 0) throw new Error("the interpreter gave no snapshot");
}
