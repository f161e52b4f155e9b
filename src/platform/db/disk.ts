import { statfs } from "node:fs/promises";
import type { Logger } from "../telemetry/log.ts";
import { diskFull } from "./errors.ts";

/**
 * A database that cannot write its log may not start again, so writes stop while there is still
 * space for its own work.
 */
const RESERVE_BYTES = 256 * 2 ** 20;
const CHECK_INTERVAL_MS = 5_000;

/** Refuses statements that add data while the disk is nearly full. Reads and deletes continue. */
export async function watchDisk(folder: string, log: Logger) {
  let isFull = false;
  const check = async () => {
    const { bavail, bsize } = await statfs(folder);
    const wasFull = isFull;
    isFull = bavail * bsize < RESERVE_BYTES;
    if (isFull && !wasFull)
      log.error({ folder }, "the disk of the data folder is full: free space");
    if (!isFull && wasFull)
      log.info({ folder }, "the disk of the data folder has space again");
  };
  const logFailure = (error: unknown) =>
    log.warn({ err: error, folder }, "the free space of the data folder could not be read");
  await check();
  const timer = setInterval(
    () => void check().catch(logFailure),
    CHECK_INTERVAL_MS,
  ).unref();
  return {
    /** @throws Unavailable `disk_full` for a statement that adds data. */
    guard(statement: string): void {
      if (isFull && /\b(insert|(?<!for )update|merge|create)\b/i.test(statement))
        throw diskFull();
    },
    stop: () => clearInterval(timer),
  };
}
