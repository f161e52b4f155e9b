import { fileURLToPath } from "node:url";
import type { Isolation } from "./isolation.ts";
import { codeFolders, nodeFiles } from "./program-files.ts";

export interface NodeOptions {
  /** The module that runs. */
  entry: URL;
  heapMb: number;
}

/** Of a process of untrusted input: no secret is among it. */
export const EMPTY_ENVIRONMENT = { NODE_ENV: "production", TZ: "UTC" };

/**
 * The command that runs Node in isolation, with its permission model: it reads our code alone,
 * writes nothing and starts nothing. Where the system does not end it with this process, it gets
 * this process's id as its argument, and may start the thread that does so.
 */
export function isolatedNode(isolation: Isolation, { entry, heapMb }: NodeOptions) {
  const readable = codeFolders();
  const watches = !isolation.endsWithServer;
  return isolation.wrap({
    file: process.execPath,
    args: [
      `--max-old-space-size=${heapMb}`,
      "--permission",
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      ...(watches ? ["--allow-worker"] : []),
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
      fileURLToPath(entry),
      ...(watches ? [String(process.pid)] : []),
    ],
    readable: [...nodeFiles(), ...readable],
  });
}
