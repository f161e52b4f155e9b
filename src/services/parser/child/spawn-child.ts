import { type ChildProcess, spawn } from "node:child_process";
import { Unavailable } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  EMPTY_ENVIRONMENT,
  isolatedNode,
} from "../../../platform/isolation/isolated-node.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import type { MemoryLimit } from "./limit-memory.ts";
import { READY } from "./tasks.ts";

export interface ChildOptions {
  /** The module that runs the tasks. */
  entry: URL;
  isolation: Isolation;
  memory: MemoryLimit;
  memoryBytes: number;
  log: Logger;
}

/** The heap is a part of the memory limit. Beyond it V8 ends the process itself. */
const HEAP_SHARE = 0.75;
const MIN_HEAP_MB = 64;
const START_MS = 60_000;

/** Starts Node in isolation, and sends it the bytes of files through its standard input. */
export function spawnChild({ entry, isolation, memoryBytes }: ChildOptions): ChildProcess {
  const heapMb = Math.floor((memoryBytes / 2 ** 20) * HEAP_SHARE);
  const { file, args } = isolatedNode(isolation, {
    entry,
    heapMb: Math.max(MIN_HEAP_MB, heapMb),
  });
  const child = spawn(file, args, {
    env: EMPTY_ENVIRONMENT,
    serialization: "advanced",
    stdio: ["pipe", "ignore", "pipe", "ipc"],
  });
  // the process may end before it has read everything; its exit explains why
  child.stdin?.on("error", () => {});
  return child;
}

/** @throws Unavailable `parser_unavailable` when the process ends, or is not ready in time. */
export function whenReady(child: ChildProcess, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      clearTimeout(late);
      child.off("message", onMessage).off("exit", fail).off("error", fail);
      then();
    };
    const onMessage = (message: unknown) => message === READY && settle(resolve);
    const fail = (reason: unknown) => {
      child.kill("SIGKILL");
      const cause = new Error(
        `a parsing process did not start (${String(reason)}): ${said()}`,
      );
      settle(() => reject(unavailable(cause)));
    };
    const late = setTimeout(() => fail("too slow"), START_MS);
    child.on("message", onMessage).on("exit", fail).on("error", fail);
  });
}

function unavailable(cause: Error): Unavailable {
  const sentence = "No process can be started to read files. Try again in a moment.";
  return new Unavailable("parser_unavailable", sentence, 5_000, { cause });
}
