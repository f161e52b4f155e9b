import { lackingGuarantees } from "../../platform/isolation/isolation.ts";
import { once } from "../../platform/single-flight.ts";
import { toSentenceCode } from "../../platform/http/reported-error.ts";
import { type Absence, notSet } from "./absence.ts";
import type { Backend } from "./backends/backend.ts";
import { type Info, READABLE_TYPES } from "./contract.ts";
import type { ParsingProcesses } from "./parsing-processes.ts";
import type { OcrEngine } from "./ocr/ocr-engine.ts";
import { JOBS, PARSES } from "./rate-limits.ts";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";

export interface ParserParts {
  backends: readonly Backend[];
  engines: readonly OcrEngine[];
  /** Whether a model can describe images. */
  captions: boolean;
  limits: ParsingProcesses;
  device: Device;
}

/** Describes the backends, engines, formats and limits of this parser. */
export function describeParser({
  backends,
  engines,
  captions,
  limits,
  device,
}: ParserParts): Info {
  const readable = (backend: Backend) =>
    READABLE_TYPES.filter((type) => backend.reads(type));
  const there = backends.filter(({ absent }) => absent === undefined);
  return {
    default: "document_intelligence",
    backends: backends.map((backend) => ({
      ...toChoice(backend),
      files: readable(backend),
    })),
    ocr: engines.map(({ name, absent }) =>
      toChoice({ key: name, name, ...(absent !== undefined && { absent }) }),
    ),
    captions: toChoice({
      key: "captions",
      name: "Captions by a vision model",
      ...(!captions && { absent: notSet("CAPTION_MODEL") }),
    }),
    formats: READABLE_TYPES.filter((type) => there.some((backend) => backend.reads(type))),
    limits: describeLimits(limits),
    device,
  };
}

function toChoice({ key, name, absent }: { key: string; name: string; absent?: Absence }) {
  return {
    key,
    name,
    available: absent === undefined,
    ...(absent && { reason: absent.message, ...toSentenceCode(absent) }),
  };
}

function describeLimits(limits: ParsingProcesses): Info["limits"] {
  const { isolation } = limits;
  return {
    maxBytes: limits.maxBytes,
    memoryBytes: limits.memoryBytes,
    memoryLimit: limits.memory.kind,
    isolation: {
      kind: isolation.kind,
      holds: [...isolation.holds],
      lacks: lackingGuarantees(isolation),
    },
    timeLimitMs: limits.timeLimitMs,
    jobTimeLimitMs: limits.jobTimeLimit,
    processes: limits.processes,
    parsesPerMinute: PARSES.points,
    jobsPerMinute: JOBS.points,
  };
}

/**
 * The device for local models: a CUDA device, Apple's Metal, or the CPU.
 */
export type Device = "cuda" | "mps" | "cpu";

export async function detectDevice(): Promise<Device> {
  if (process.platform === "darwin") return process.arch === "arm64" ? "mps" : "cpu";
  // the folder exists only with the driver
  const gpus = await readdir("/proc/driver/nvidia/gpus").catch(() => []);
  if (gpus.length > 0 || (await nvidiaAnswers())) return "cuda";
  return "cpu";
}

/**
 * Lists devices with the driver's own tool where the kernel does not show them (containers, WSL,
 * Windows).
 */
const nvidiaAnswers = once(async () => {
  try {
    const { stdout } = await promisify(execFile)("nvidia-smi", ["-L"], { timeout: 3_000 });
    return /^GPU \d+:/m.test(stdout);
  } catch {
    return false;
  }
});
