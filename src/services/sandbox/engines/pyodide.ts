import { createRequire } from "node:module";
import { join } from "node:path";
import {
  EMPTY_ENVIRONMENT,
  isolatedNode,
} from "../../../platform/isolation/isolated-node.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import type { Engine } from "./engine.ts";
import { makeSnapshot } from "./pyodide-snapshot.ts";

const HEAP_MB = 256;
const ENTRY = new URL("./pyodide-runner.ts", import.meta.url);

/**
 * Python as WebAssembly, which comes with Parlance: the standard library, on every machine.
 * @param folder where a picture of its memory after the start is kept, from which it starts in a
 *   tenth of the time.
 */
export function pyodideEngine(folder: string): Engine {
  const { version } = createRequire(import.meta.url)("pyodide/package.json") as {
    version: string;
  };
  const path = join(folder, `pyodide-${version}.snapshot`);
  let made: Promise<boolean> | undefined;
  const runner = (isolation: Isolation, files: readonly string[] = []) =>
    isolatedNode(isolation, { entry: ENTRY, heapMb: HEAP_MB, files });
  return {
    name: "pyodide",
    async start(isolation) {
      made ??= makeSnapshot(path, {
        ...runner(isolation),
        environment: { ...EMPTY_ENVIRONMENT, SNAPSHOT: "make" },
      });
      // without one it starts as slowly as the first time
      if (!(await made)) return { ...runner(isolation), environment: EMPTY_ENVIRONMENT };
      const environment = { ...EMPTY_ENVIRONMENT, SNAPSHOT: path };
      return { ...runner(isolation, [path]), environment };
    },
  };
}
