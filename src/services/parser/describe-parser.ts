import { lackingGuarantees } from "../../platform/isolation/isolation.ts";
import { toSentenceCode } from "../../platform/http/reported-error.ts";
import { type Absence, notSet } from "./absence.ts";
import type { Backend } from "./backends/backend.ts";
import type { Info } from "./contract.ts";
import type { Device } from "./device.ts";
import { READABLE_TYPES } from "./contract-formats.ts";
import type { Limits } from "./limits.ts";
import type { OcrEngine } from "./ocr/ocr-engine.ts";
import { JOBS, PARSES } from "./rate-limits.ts";

export interface ParserParts {
  backends: readonly Backend[];
  engines: readonly OcrEngine[];
  /** Whether a model can describe images. */
  captions: boolean;
  limits: Limits;
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

function describeLimits(limits: Limits): Info["limits"] {
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
