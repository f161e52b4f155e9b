import { availableParallelism } from "node:os";
import { z } from "zod";
import { bytes, duration } from "../../platform/config/schemas.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { limitMemory } from "../../platform/workers/limit-memory.ts";
import type { MemoryLimit } from "../../platform/workers/memory-limit.ts";
import { chooseIsolation } from "../../platform/isolation/choose-isolation.ts";
import {
  type Isolation,
  lackingGuarantees,
  describeIsolation,
} from "../../platform/isolation/isolation.ts";
import { type FilePool, openFilePool } from "./reading/file-pool.ts";

/** The limits of parsing a file. */
export const parsingConfig = z.object({
  PARSER_MAX_BYTES: bytes()
    .default(100 * 2 ** 20)
    .describe("Largest file that can be parsed, in bytes"),
  PARSER_PROCESSES: z
    .string()
    .regex(/^[1-9]\d?$/, "must be a number from 1 to 99")
    .transform(Number)
    .optional()
    .describe(
      "Files that are parsed at once, each in its own process; one user never has all of several; default: one more than CPUs, at most 5",
    ),
  PARSER_MEMORY_LIMIT: bytes()
    .default(512 * 2 ** 20)
    .describe(
      "Memory limit for parsing one file, in bytes; a file that exceeds it fails alone",
    ),
  PARSER_ISOLATION: z
    .enum(["auto", "required", "off"], "must be auto, required or off")
    .default("auto")
    .describe(
      "Isolation of the parsing processes: auto, required (refuse to start without it), off",
    ),
  PARSER_TIME_LIMIT: duration()
    .default(25_000)
    .describe(
      "Processor time for one process that parses a small file, in ms; each megabyte adds a tenth",
    ),
  PARSER_JOB_TIME_LIMIT: duration()
    .default(900_000)
    .describe(
      "Time limit for one file in all, in ms: local and remote parsers, OCR and captions together",
    ),
});
export type ParsingConfig = z.output<typeof parsingConfig>;

export interface ParsingProcesses {
  pool: FilePool;
  isolation: Isolation;
  memory: MemoryLimit;
  memoryBytes: number;
  maxBytes: number;
  processes: number;
  /** The time limit for one process that parses a small file. */
  timeLimitMs: number;
  /** The time limit for all steps of one file, in ms. */
  jobTimeLimit: number;
}

/**
 * Opens the pool of parsing processes with the limits of the configuration.
 * @param folder the folder of the stored files, which the processes cannot see.
 */
export async function openParsingProcesses(
  config: ParsingConfig,
  { folder, log }: { folder: string; log: Logger },
): Promise<ParsingProcesses> {
  const memoryBytes = config.PARSER_MEMORY_LIMIT;
  const processes = config.PARSER_PROCESSES ?? Math.min(4, availableParallelism()) + 1;
  const [memory, isolation] = await Promise.all([
    limitMemory(memoryBytes),
    chooseIsolation(config.PARSER_ISOLATION, folder),
  ]);
  const lacking = lackingGuarantees(isolation);
  log[lacking.length > 0 ? "warn" : "info"](
    { isolation: isolation.kind, lacking, atStart: true },
    describeIsolation(isolation),
  );
  const timeLimit = (bytes: number) =>
    config.PARSER_TIME_LIMIT * (1 + bytes / 2 ** 20 / 10);
  const pool = openFilePool({
    size: processes,
    isolation,
    memory,
    memoryBytes,
    maxWaitMs: config.PARSER_JOB_TIME_LIMIT,
    timeLimit,
    log,
  });
  return {
    pool,
    isolation,
    memory,
    memoryBytes,
    processes,
    maxBytes: config.PARSER_MAX_BYTES,
    timeLimitMs: timeLimit(0),
    jobTimeLimit: config.PARSER_JOB_TIME_LIMIT,
  };
}
