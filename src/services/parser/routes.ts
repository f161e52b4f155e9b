import type { Fetch } from "../../platform/http/call.ts";
import { type Ask, Routes } from "../../platform/http/routes.ts";
import { checkHealth } from "../../platform/telemetry/health.ts";
import type { Backend } from "./backends/backend.ts";
import { personalData } from "./user-deletion.ts";
import { convertFile } from "./convert-file.ts";
import type { Device } from "./device.ts";
import { READABLE_TYPES } from "./formats.ts";
import { lackingGuarantees } from "../../platform/isolation/isolation.ts";
import type { Limits } from "./limits.ts";
import type { OcrEngine } from "./ocr/ocr-engine.ts";
import { backendHealth, readinessChecks } from "./parser-health.ts";
import { attachment } from "../../platform/http/attachment.ts";
import type { Cache, Limit } from "../../platform/cache/cache.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { BadRequest, Conflict, TooManyRequests } from "../../platform/http/errors.ts";
import { json } from "../../platform/http/respond.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { type Info, parserContract as contract, DEFAULT_OVERLAP } from "./contract.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import type { FilePasswords } from "../../platform/files/file-passwords.ts";
import { optionsOf, toResult } from "./show-result.ts";
import { cancelJob, jobFor, toJob, submitJob } from "./jobs/manage-jobs.ts";
import type { ParsedResult } from "./parse-file.ts";

export interface RouteDeps {
  db: Database;
  queue: Queue;
  files: Files;
  cache: Cache;
  passwords: FilePasswords;
  limits: Limits;
  /** The folder of files while they are read. */
  folder: string;
  backends: readonly Backend[];
  engines: readonly OcrEngine[];
  /** Whether a model can describe images. */
  captions: boolean;
  device: Device;
  /** Absent without an embedding service. */
  embedding: (() => Fetch) | undefined;
  parseRequest(
    request: Request,
    options: ParseOptions,
    signal: AbortSignal,
  ): Promise<ParsedResult>;
}

const MAX_KEY_CHARACTERS = 200;
const PARSES: Limit = { name: "parser-parse", points: 10, durationMs: 60_000 };
/** As expensive as parsing a file. */
const CONVERSIONS: Limit = { name: "parser-conversion", points: 30, durationMs: 60_000 };
const JOBS: Limit = { name: "parser-parse-async", points: 30, durationMs: 60_000 };

export function parserRoutes(deps: RouteDeps): Routes {
  const { db, files, cache, limits, device, embedding } = deps;
  const { maxBytes, memoryBytes } = limits;
  const limit = async (most: Limit, caller: Caller, peer: string) => {
    // a service could name any user_id, so it is counted by its address
    const whose = caller.kind === "user" ? caller.userId : peer;
    const { allowed, retryAfterMs } = await cache.take(most, whose);
    if (!allowed)
      throw new TooManyRequests(
        "rate_limited",
        `At most ${most.points} files a minute. Wait a moment, then send it again.`,
        retryAfterMs,
        { params: { max: most.points } },
      );
  };
  const parts = { ...deps, ...limits, maxBytes, memoryBytes };
  const readiness = async () => {
    const health = await checkHealth(readinessChecks(parts));
    return health.status === "down" ? json(health, 503, { "retry-after": "5" }) : health;
  };
  const alive = () => ({ status: "ok" as const });
  const convert = async ({
    caller,
    query: {
      chunk_size: chunkSize,
      overlap = Math.min(DEFAULT_OVERLAP, chunkSize - 1),
      ...query
    },
    request,
    peer,
    signal,
  }: Ask<typeof contract.processDocument>) => {
    await limit(CONVERSIONS, caller, peer);
    const result = await deps.parseRequest(request, optionsOf(query), signal);
    return convertFile(embedding?.(), result, { chunkSize, overlap, device, signal });
  };
  return new Routes()
    .on(contract.personalData, ({ params, query }) =>
      personalData({ db, files }, params.userId, query.after),
    )
    .on(contract.parserHealth, ({ signal }) => backendHealth(deps.backends, signal))
    .on(contract.parserInfo, () => describeParser(deps))
    .on(contract.processDocument, convert)
    .on(contract.processDocumentPlain, convert)
    .on(contract.probeHealth, alive)
    .on(contract.probeHealthz, alive)
    .on(contract.probeLiveness, alive)
    .on(contract.probeReadiness, readiness)
    .on(contract.probeReadyz, readiness)
    .on(contract.probeDetailed, async ({ signal }) => {
      const [health, { backends }] = await Promise.all([
        checkHealth(readinessChecks(parts)),
        backendHealth(deps.backends, signal),
      ]);
      const { children: started, ...rest } = limits.children.state();
      return {
        ...health,
        backends,
        processes: { most: limits.processes, started, ...rest },
      };
    })
    .on(contract.parse, async ({ caller, query, request, peer, signal }) => {
      await limit(PARSES, caller, peer);
      const result = await deps.parseRequest(request, optionsOf(query), signal);
      if (prefersMarkdown(request)) return markdownAnswer(result.file.markdown);
      return toResult(result);
    })
    .on(contract.parseAsync, async ({ caller, query, request, peer, signal }) => {
      await limit(JOBS, caller, peer);
      const { id, status } = await submitJob(deps, request, {
        documentId: query.document_id ?? null,
        ownerId: caller.kind === "user" ? caller.userId : (query.user_id ?? null),
        options: optionsOf(query),
        idempotencyKey: idempotencyKeyOf(request),
        maxBytes,
        signal,
      });
      return json({ job_id: id, status }, 202);
    })
    .on(contract.parseStatus, async ({ caller, params }) =>
      toJob(files, await jobFor(db, caller, params.job_id)),
    )
    .on(contract.parseCancel, async ({ caller, params }) =>
      cancelJob(deps, await jobFor(db, caller, params.job_id)),
    )
    .on(contract.parseMarkdown, async ({ caller, params }) => {
      const { markdownKey, fileName } = await jobFor(db, caller, params.job_id);
      if (markdownKey === null)
        throw new Conflict("not_parsed_yet", "This job has no result. Look at its status.");
      return attachment(await files.read(markdownKey), {
        fileName: `${fileName}.md`,
        mime: "text/markdown; charset=utf-8",
      });
    });
}

function describeParser({ backends, engines, captions, limits, device }: RouteDeps): Info {
  const shown = ({
    key,
    name,
    absent,
  }: {
    key: string;
    name: string;
    absent?: string;
  }) => ({
    key,
    name,
    available: absent === undefined,
    ...(absent !== undefined && { reason: absent }),
  });
  const readable = (backend: Backend) =>
    READABLE_TYPES.filter((type) => backend.reads(type));
  const there = backends.filter(({ absent }) => absent === undefined);
  return {
    default: "document_intelligence",
    backends: backends.map((backend) => ({ ...shown(backend), files: readable(backend) })),
    ocr: engines.map(({ name, absent }) =>
      shown({ key: name, name, ...(absent !== undefined && { absent }) }),
    ),
    captions: shown({
      key: "captions",
      name: "Captions by a vision model",
      ...(!captions && { absent: "CAPTION_MODEL is not set" }),
    }),
    formats: READABLE_TYPES.filter((type) => there.some((backend) => backend.reads(type))),
    limits: {
      maxBytes: limits.maxBytes,
      memoryBytes: limits.memoryBytes,
      memoryLimit: limits.memory.kind,
      isolation: {
        kind: limits.isolation.kind,
        holds: [...limits.isolation.holds],
        lacks: lackingGuarantees(limits.isolation),
      },
      timeLimitMs: limits.timeLimit(0),
      jobTimeLimitMs: limits.jobTimeLimit,
      processes: limits.processes,
      parsesPerMinute: PARSES.points,
      jobsPerMinute: JOBS.points,
    },
    device,
  };
}

function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && key.length > MAX_KEY_CHARACTERS)
    throw new BadRequest(
      "idempotency_key_too_long",
      `The Idempotency-Key is longer than ${MAX_KEY_CHARACTERS} characters.`,
      { params: { max: MAX_KEY_CHARACTERS } },
    );
  return key || null;
}

function prefersMarkdown(request: Request): boolean {
  return /\btext\/markdown\b/i.test(request.headers.get("accept") ?? "");
}

function markdownAnswer(markdown: string): Response {
  return new Response(markdown, {
    headers: { "content-type": "text/markdown; charset=utf-8" },
  });
}
