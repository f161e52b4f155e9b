import { createFairQueue } from "../../../platform/fair-queue.ts";
import type { Files } from "../../../platform/files/files.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { LocalFiles } from "../local-files.ts";
import { busy, type FilePool } from "../reading/file-pool.ts";
import type { FileTask } from "../reading/file-tasks.ts";
import type { ViewInput } from "../reading/read-tasks.ts";
import type { AskedPage } from "./contract.ts";

export interface PageReaderDeps {
  files: Pick<Files, "read">;
  local: Pick<LocalFiles, "take">;
  pool: Pick<FilePool, "run">;
  /** Files that the pool reads at once. */
  processes: number;
  maxBytes: number;
}

type PageTask<Output> = (input: ViewInput, bytes: Buffer) => Promise<Output | undefined>;

/** @throws NotFound `page_not_found`; Unavailable `parser_busy`; what the pool throws. */
type PageReader = <Output extends {}>(
  asked: AskedPage,
  signal: AbortSignal,
  task: FileTask<PageTask<Output>>,
) => Promise<Output>;

/** The words and the picture of a page are read at once. */
const MAX_INSIDE_PER_USER = 2;
const MAX_WAITING = 200;
/** Less than the time that the caller gives. */
const MAX_WAIT_MS = 50_000;

/**
 * Returns a function that does a task with a page in an isolated process: a file may be hostile,
 * and its pages endless. The turn comes before the copy: no line of requests fills the disk.
 */
export function createPageReader(deps: PageReaderDeps): PageReader {
  const { files, local, pool, processes, maxBytes } = deps;
  const turns = createFairQueue({
    size: processes,
    maxWaiting: MAX_WAITING,
    // what limits the requests of one user is their rate
    maxPerUser: Infinity,
    maxInsidePerUser: MAX_INSIDE_PER_USER,
    maxWaitMs: MAX_WAIT_MS,
    busy,
    tooMany: busy,
  });
  return async ({ userId, storageKey, page }, signal, task) => {
    const leave = await turns.enter(userId, { signal });
    try {
      const body = await files.read(storageKey);
      await using file = await local.take(body, { maxBytes, signal });
      const { path, size } = file;
      const turn = { userId };
      const output = await pool.run(task, { page }, { path, size, turn }, signal);
      if (output !== undefined) return output;
    } finally {
      leave();
    }
    throw new NotFound(
      "page_not_found",
      "The file has no such page. Choose one that it has.",
    );
  };
}
