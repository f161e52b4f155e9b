import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./server.ts";
import { type Contender, interleaved } from "./measure.ts";
import { processorSeconds, residentBytes } from "./streams.ts";

const MEGABYTE = 1024 * 1024;
/** A process counts as idle after this time, when the garbage of its start has been collected. */
const IDLE_AFTER_MS = 15_000;
/** How long the idle process is measured. */
const WATCHED_MS = 20_000;

/** The floor: Node and PGlite alone on the same data folder. */
const PGLITE = `import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
const database = await PGlite.create({ dataDir: process.env.FOLDER, extensions: { vector } });
await database.query("select 1");
setInterval(() => {}, 1e6);
console.log("ready at http://127.0.0.1:1");
process.on("SIGTERM", () => database.close().then(() => process.exit(0)));`;

/**
 * Measures starts of all services, as `npm start` does it, on an existing data folder: seconds,
 * processor time and memory.
 */
export async function starting({
  processes,
  dataDir,
  rounds,
}: Stage): Promise<Record<string, Record<string, number>>> {
  const folder = `${dataDir}/start`;
  const start =
    (command: string, args: string[], env: Record<string, string>): Contender["run"] =>
    async () => {
      const began = performance.now();
      const running = await processes.start(
        args,
        { DATA_DIR: folder, LOG_LEVEL: "error", PORT: "0", ...env },
        command,
      );
      const seconds = (performance.now() - began) / 1000;
      const processor = processorSeconds(running.pid);
      await sleep(IDLE_AFTER_MS);
      const resident = residentBytes(running.pid) / MEGABYTE;
      const idleFrom = processorSeconds(running.pid);
      await sleep(WATCHED_MS);
      const idle = (processorSeconds(running.pid) - idleFrom) / (WATCHED_MS / 1000);
      await processes.stop(running.pid);
      return {
        "seconds until ready, warm": seconds,
        "seconds of processor until ready": processor,
        "MB resident, idle": resident,
        "% of a processor, idle": idle * 100,
      };
    };
  const parlance: Contender = {
    name: "bin/parlance serve",
    run: start("bin/parlance", ["serve"], {}),
  };
  const alone: Contender = {
    name: "PGlite alone",
    run: start(process.execPath, ["--input-type=module", "-e", PGLITE], {
      FOLDER: `${folder}/database`,
    }),
  };
  return interleaved([parlance, alone], Math.min(rounds, 3));
}
