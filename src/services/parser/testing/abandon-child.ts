import { silentLog } from "../../../platform/telemetry/log.ts";
import { startChild } from "../child/child-process.ts";
import { watchdogLimit } from "../child/limit-memory.ts";
import { isolationOfKind } from "../../../platform/isolation/testing/working-isolations.ts";

/**
 * A service that is killed while a file keeps its child process busy. Prints the child's process
 * id.
 * Usage: abandon-child.ts KIND FOLDER
 */
const [, , kind = "none", folder = ""] = process.argv;
const memoryBytes = 300 * 2 ** 20;
const child = await startChild({
  entry: new URL("./hostile-child.ts", import.meta.url),
  isolation: await isolationOfKind(kind, folder),
  memory: watchdogLimit(memoryBytes),
  memoryBytes,
  log: silentLog(),
});
console.log(child.pid);
await child.run("loop", null, { timeoutMs: 600_000 });
