import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { createChildPool } from "../child/child-pool.ts";
import { watchdogLimit } from "../child/limit-memory.ts";

/** A service that is killed while a file keeps its child busy for ever; says the child's number first. */
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const memoryBytes = 300 * 2 ** 20;
const children = createChildPool({
  entry: new URL("./hostile-child.ts", import.meta.url),
  size: 1,
  readable: [root, realpathSync(join(root, "node_modules"))],
  memory: watchdogLimit(memoryBytes),
  memoryBytes,
  log: silentLog(),
});
console.log(await children.run("pid", null, { timeoutMs: 20_000 }));
await children.run("loop", null, { timeoutMs: 600_000 });
