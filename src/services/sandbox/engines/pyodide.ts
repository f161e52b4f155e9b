import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import {
  EMPTY_ENVIRONMENT,
  isolatedNode,
} from "../../../platform/isolation/isolated-node.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import { lowerPriority } from "../../../platform/isolation/lower-priority.ts";
import type { Engine, Start } from "./engine.ts";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { access, chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readFrames } from "../frames.ts";

const HEAP_MB = 256;
const ENTRY = new URL("./pyodide-runner.ts", import.meta.url);

/**
 * Python as WebAssembly, which comes with Parlance: the standard library, on every machine.
 * @param folder where a picture of its memory after the start is kept, from which it starts in a
 *   tenth of the time.
 * @param wheels a folder with packages that code may import, too.
 */
export function pyodideEngine(folder: string, wheels?: string): Engine {
  const { version } = createRequire(import.meta.url)("pyodide/package.json") as {
    version: string;
  };
  const path = join(folder, `pyodide-${version}.snapshot`);
  let making: Promise<void> | undefined;
  const runner = (isolation: Isolation, files: readonly string[] = []) =>
    isolatedNode(isolation, { entry: ENTRY, heapMb: HEAP_MB, files });
  return {
    name: "pyodide",
    async start(isolation) {
      const isMade = await isThere(path);
      // nobody waits for it: until it is there, sessions start without
      if (!isMade)
        making ??= makeSnapshot(path, {
          ...runner(isolation),
          environment: { ...EMPTY_ENVIRONMENT, SNAPSHOT: "make" },
        });
      const packages = wheels === undefined ? [] : await listWheels(wheels);
      const environment = {
        ...EMPTY_ENVIRONMENT,
        ...(isMade && { SNAPSHOT: path }),
        ...(packages.length > 0 && { WHEELS: JSON.stringify(packages) }),
      };
      const files = [...(isMade ? [path] : []), ...packages];
      return { ...runner(isolation, files), environment };
    },
  };
}

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
async function makeSnapshot(path: string, start: Start): Promise<void> {
  const part = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await receive(part, start);
    // the processes of sessions are other users, and it holds no secret
    await chmod(part, 0o644);
    await rename(part, path);
  } catch {
    // the next process makes it, or none can be made here
    await rm(part, { force: true }).catch(() => {});
  }
}

async function receive(path: string, { file, args, environment }: Start): Promise<void> {
  const child = spawn(file, args, {
    env: { ...environment },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    timeout: MAKE_MS,
    killSignal: "SIGKILL",
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
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
