import { statfs } from "node:fs/promises";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";

/**
 * A database that cannot write its log may not come back: it stops writing while there is still
 * room for its own work.
 */
const RESERVE_BYTES = 256 * 2 ** 20;
const LOOK_MS = 5_000;

/**
 * Refuses what makes the data folder larger while its disk is nearly full; reading and deleting go
 * on.
 */
export async function watchDisk(folder: string, log: Logger) {
  let full = false;
  const look = async () => {
    const { bavail, bsize } = await statfs(folder);
    const now = bavail * bsize < RESERVE_BYTES;
    if (now !== full)
      log[now ? "error" : "info"](
        { folder },
        now ? "the disk of the data folder is full" : "the disk has room again",
      );
    full = now;
  };
  await look();
  const timer = setInterval(
    () =>
      void look().catch((error: unknown) =>
        log.warn({ err: error }, "the disk cannot be looked at"),
      ),
    LOOK_MS,
  );
  timer.unref();
  return {
    /** @throws Unavailable `disk_full` for a statement that adds data. */
    guard(statement: string): void {
      if (full && /\b(insert|(?<!for )update|merge|create)\b/i.test(statement))
        throw new Unavailable(
          "disk_full",
          "The server's disk is full. An administrator must free space in the data folder.",
          30_000,
        );
    },
    stop: () => clearInterval(timer),
  };
}
