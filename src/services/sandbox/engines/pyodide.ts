import {
  EMPTY_ENVIRONMENT,
  isolatedNode,
} from "../../../platform/isolation/isolated-node.ts";
import type { Engine } from "./engine.ts";

const HEAP_MB = 256;

/** Python as WebAssembly, which comes with Parlance: the standard library, on every machine. */
export const pyodideEngine: Engine = {
  name: "pyodide",
  environment: EMPTY_ENVIRONMENT,
  async command(isolation) {
    const entry = new URL("./pyodide-runner.ts", import.meta.url);
    return isolatedNode(isolation, { entry, heapMb: HEAP_MB });
  },
};
