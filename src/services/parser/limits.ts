import { availableParallelism } from "node:os";
import { z } from "zod";
import { bytes, duration } from "../../platform/config/schemas.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type ChildPool, createChildPool } from "./child/child-pool.ts";
import { limitMemory, type MemoryLimit } from "./child/limit-memory.ts";
import { chooseIsolation } from "../../platform/isolation/choose-isolation.ts";
import { describeIsolation } from "../../platform/isolation/describe-isolation.ts";
import { type Isolation, lackingGuarantees } from "../../platform/isolation/isolation.ts";

/** What reading a file may take. */
export const limitsConfig = z.object({
  PARSER_MAX_BYTES: bytes()
    .default(100 * 2 ** 20)
    .describe("Largest file that is read, in bytes"),
  PARSER_PROCESSES: z
    .string()
    .regex(/^[1-9]\d?$/, "must be a number from 1 to 99")
    .transform(Number)
    .optional()
    .describe(
      "Files that are read at once, each in a process of its own; default: one a processor, at most 4",
    ),
  PARSER_MEMORY_LIMIT: bytes()
    .default(512 * 2 ** 20)
    .describe(
      "Memory that reading one file may take, in bytes; beyond it the file has failed and nothing else",
    ),
  PARSER_ISOLATION: z
    .enum(["auto", "required", "off"], "must be auto, required or off")
    .default("auto")
    .describe(
      "How the operating system shuts in what reads files: auto, required (no start without), off",
    ),
  PARSER_TIME_LIMIT: duration()
    .default(25_000)
    .describe(
      "How long a process may take to read a small file, in ms; each megabyte of it adds a tenth",
    ),
  PARSER_JOB_TIME_LIMIT: duration()
    .default(900_000)
    .describe(
      "How long one file may take in all, in ms: its parsers here and elsewhere, OCR and captions together",
    ),
});
export type LimitsConfig = z.output<typeof limitsConfig>;

export interface Limits {
  children: ChildPool;
  isolation: Isolation;
  memory: MemoryLimit;
  memoryBytes: number;
  maxBytes: number;
  processes: number;
  /** How long reading a file of so many bytes may take, in ms. */
  timeLimit(bytes: number): number;
  /** How long a file may take from first to last, in ms. */
  jobTimeLimit: number;
}

/**
 * The processes that read files, under the limits of the configuration.
 * @param folder where the files lie; the processes do not see it.
 */
export async function openLimits(
  config: LimitsConfig,
  { folder, log }: { folder: string; log: Logger },
): Promise<Limits> {
  const memoryBytes = config.PARSER_MEMORY_LIMIT;
  const processes = config.PARSER_PROCESSES ?? Math.min(4, availableParallelism());
  const [memory, isolation] = await Promise.all([
    limitMemory(memoryBytes),
    chooseIsolation(config.PARSER_ISOLATION, folder),
  ]);
  const lacking = lackingGuarantees(isolation);
  log[lacking.length > 0 ? "warn" : "info"](
    { isolation: isolation.kind, lacking },
    describeIsolation(isolation),
  );
  const children = createChildPool({
    entry: new URL("./child/parsing-child.ts", import.meta.url),
    size: processes,
    isolation,
    memory,
    memoryBytes,
    log,
  });
  return {
    children,
    isolation,
    memory,
    memoryBytes,
    processes,
    maxBytes: config.PARSER_MAX_BYTES,
    timeLimit: (size) => config.PARSER_TIME_LIMIT * (1 + size / 2 ** 20 / 10),
    jobTimeLimit: config.PARSER_JOB_TIME_LIMIT,
  };
}
