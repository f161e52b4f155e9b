import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { bytes, duration } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { localBackend } from "./backends/local.ts";
import { createChildPool } from "./child/child-pool.ts";
import { limitMemory } from "./child/limit-memory.ts";
import { parserContract } from "./contract.ts";
import { PARSING_JOBS, type ParseOptions } from "./contract-jobs.ts";
import { forgetOldJobs } from "./jobs/manage-jobs.ts";
import { runJob, TRIES } from "./jobs/run-job.ts";
import { openLocalFiles, type LocalFile } from "./local-files.ts";
import { parseFile } from "./parse-file.ts";
import { receiveFile } from "./receive-file.ts";
import { parserRoutes } from "./routes.ts";

const SWEEP_MS = 10 * 60_000;
const KEPT_MS = 24 * 3_600_000;

export default defineService({
  name: "parser",
  port: 4004,
  contract: parserContract,
  config: z.object({
    PARSER_MAX_BYTES: bytes()
      .default(100 * 2 ** 20)
      .describe("Largest file that is read, in bytes"),
    PARSER_PROCESSES: z.coerce
      .number()
      .int()
      .min(1)
      .max(64)
      .default(Math.min(4, availableParallelism()))
      .describe("Files that are read at once, each in a process of its own; default: one a processor, at most 4"),
    PARSER_MEMORY_LIMIT: bytes()
      .default(512 * 2 ** 20)
      .describe("Memory that reading one file may take, in bytes; beyond it the file has failed and nothing else"),
    PARSER_TIME_LIMIT: duration()
      .default(30_000)
      .describe("How long reading a small file may take, in ms; each megabyte of it adds a tenth"),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  async create({ config, db, files, queue, cache, log, dataDir }) {
    const local = await openLocalFiles(join(dataDir, "parsing"));
    const memoryBytes = config.PARSER_MEMORY_LIMIT;
    const memory = await limitMemory(memoryBytes);
    const children = createChildPool({
      entry: new URL("./child/parsing-child.ts", import.meta.url),
      size: config.PARSER_PROCESSES,
      readable: [...programFolders(), local.folder],
      memory,
      memoryBytes,
      log,
    });
    const timeLimit = (size: number) => config.PARSER_TIME_LIMIT * (1 + size / 2 ** 20 / 10);
    const deps = { backends: [localBackend({ children, timeLimit })] };

    const parseLocal = async (
      { path, size }: LocalFile,
      fileName: string,
      options: ParseOptions,
      signal: AbortSignal,
      onProgress?: (progress: number, message: string) => void,
    ) => {
      const mimeType = (await children.run("identify", { path, fileName }, { timeoutMs: timeLimit(size), signal })) as string; // what the task gives
      return parseFile(deps, { path, fileName, mimeType, size }, { options, signal, ...(onProgress && { onProgress }) });
    };
    const maxBytes = config.PARSER_MAX_BYTES;
    const jobs = {
      db,
      queue,
      files,
      async parse(
        job: { storageKey: string; fileName: string; options: ParseOptions },
        signal: AbortSignal,
        onProgress: (progress: number, message: string) => void,
      ) {
        await using file = await local.take(await files.read(job.storageKey), { maxBytes, signal });
        return await parseLocal(file, job.fileName, job.options, signal, onProgress);
      },
    };
    let consumer: AsyncDisposable | undefined;
    let sweep: NodeJS.Timeout | undefined;
    return {
      routes: parserRoutes({
        db,
        queue,
        files,
        cache,
        maxBytes,
        async parseRequest(request, options, signal) {
          const { fileName, stored } = await receiveFile(request, ({ body }) => local.take(body, { maxBytes, signal }));
          await using file = stored;
          return await parseLocal(file, fileName, options, signal);
        },
      }),
      async start() {
        consumer = await queue.consume(PARSING_JOBS, (delivery) => runJob(jobs, delivery), {
          prefetch: config.PARSER_PROCESSES,
          tries: TRIES,
        });
        sweep = setInterval(
          () =>
            void forgetOldJobs({ db, queue, files }, KEPT_MS).catch((error: unknown) =>
              log.warn({ err: error }, "old parsing jobs could not be forgotten"),
            ),
          SWEEP_MS,
        ).unref();
      },
      async close() {
        clearInterval(sweep);
        await consumer?.[Symbol.asyncDispose]();
        await children[Symbol.asyncDispose]();
      },
    };
  },
});

/** Where the code of the children lies: our own, and that of packages, which may be linked from elsewhere. */
function programFolders(): string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  return [...new Set([root, realpathSync(join(root, "node_modules"))])];
}
