import {
  EMPTY_ENVIRONMENT,
  isolatedNode,
} from "../../../platform/isolation/isolated-node.ts";
import { FOLDER, MAX_FILES_BYTES } from "../contract-limits.ts";
import type { Engine } from "./engine.ts";

/** More than a session may have: its limit of memory ends it before V8 gives up. */
const HEAP_MB = 1_024;
const ENTRY = new URL("./node-runner.ts", import.meta.url);

/** JavaScript in Node, with Node's own modules and its permission model beside the isolation. */
export const nodeEngine: Engine = {
  name: "node",
  async start(isolation) {
    const command = isolatedNode(isolation, {
      entry: ENTRY,
      heapMb: HEAP_MB,
      space: { path: FOLDER, bytes: MAX_FILES_BYTES },
      inspector: true,
    });
    return {
      ...command,
      environment: { ...EMPTY_ENVIRONMENT, HOME: FOLDER, TMPDIR: FOLDER },
    };
  },
};
