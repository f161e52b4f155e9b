import { fileURLToPath } from "node:url";
import type { Isolation, Space } from "./isolation.ts";
import { codeFolders, nodeFiles } from "./program-files.ts";

export interface NodeOptions {
  /** The module that runs. */
  entry: URL;
  heapMb: number;
  /** Files that it may read besides the code. */
  files?: readonly string[] | undefined;
  /** Whether it may load compiled packages, which Node's permission model does not limit. */
  addons?: boolean | undefined;
  /** A folder that it may read and write. */
  shared?: string | undefined;
  /** A folder in memory that it may read and write. */
  space?: Space | undefined;
  /** Whether it may look into itself with Node's inspector, which the program gives up in time. */
  inspector?: boolean | undefined;
}

/** The environment of a process that reads untrusted input. It has no secret. */
export const EMPTY_ENVIRONMENT = { NODE_ENV: "production", TZ: "UTC" };

/**
 * The command that runs Node in isolation with its permission model: it reads only our code, writes
 * no file but those it is given for that, and starts no program. Where the system does not end it
 * with this process, it gets this process's id as an argument and may start a thread for that.
 */
export function isolatedNode(
  isolation: Isolation,
  {
    entry,
    heapMb,
    files = [],
    addons = false,
    shared,
    space,
    inspector = false,
  }: NodeOptions,
) {
  const readable = [...codeFolders(), ...files];
  const writable = [shared, space?.path].filter((path) => path !== undefined);
  const watches = !isolation.endsWithServer;
  return isolation.wrap({
    file: process.execPath,
    args: [
      `--max-old-space-size=${heapMb}`,
      "--permission",
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      ...writable.flatMap((path) => [
        `--allow-fs-read=${path}`,
        `--allow-fs-write=${path}`,
      ]),
      ...(inspector ? ["--allow-inspector"] : []),
      ...(addons ? ["--allow-addons"] : []),
      ...(watches ? ["--allow-worker"] : []),
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
      fileURLToPath(entry),
      ...(watches ? [String(process.pid)] : []),
    ],
    readable: [...nodeFiles(), ...readable],
    shared,
    ...(space && { space }),
  });
}
