import { attachment } from "../../platform/http/attachment.ts";
import type { Cache, Limit } from "../../platform/cache/cache.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { Conflict, TooManyRequests } from "../../platform/http/errors.ts";
import { json } from "../../platform/http/respond.ts";
import { Routes } from "../../platform/http/routes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { parserContract as contract, type ParseQuery, type ParseResult } from "./contract.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import { cancelJob, jobFor, showJob, submitJob } from "./jobs/manage-jobs.ts";
import type { ParsedResult } from "./parse-file.ts";

export interface RouteDeps {
  db: Database;
  queue: Queue;
  files: Files;
  cache: Cache;
  maxBytes: number;
  parseRequest(request: Request, options: ParseOptions, signal: AbortSignal): Promise<ParsedResult>;
}

/** Source: requirements 2 "Limits". */
const PARSES: Limit = { name: "parser-parse", points: 10, durationMs: 60_000 };
const JOBS: Limit = { name: "parser-parse-async", points: 30, durationMs: 60_000 };

export function parserRoutes(deps: RouteDeps): Routes {
  const { db, files, cache, maxBytes } = deps;
  const limit = async (limits: Limit, caller: Caller, { user_id }: ParseQuery, peer: string) => {
    const whose = caller.kind === "user" ? caller.userId : `${peer} ${user_id ?? ""}`;
    const { allowed, retryAfterMs } = await cache.take(limits, whose);
    if (!allowed)
      throw new TooManyRequests(
        "rate_limited",
        `At most ${limits.points} files a minute. Wait a moment, then send it again.`,
        retryAfterMs,
      );
  };
  return new Routes()
    .on(contract.parse, async ({ caller, query, request, peer, signal }) => {
      await limit(PARSES, caller, query, peer);
      const result = await deps.parseRequest(request, optionsOf(query), signal);
      if (prefersMarkdown(request)) return markdownAnswer(result.file.markdown);
      return shownResult(result);
    })
    .on(contract.parseAsync, async ({ caller, query, request, peer, signal }) => {
      await limit(JOBS, caller, query, peer);
      const { id, status } = await submitJob(deps, request, {
        documentId: query.document_id ?? null,
        ownerId: caller.kind === "user" ? caller.userId : (query.user_id ?? null),
        options: optionsOf(query),
        idempotencyKey: request.headers.get("idempotency-key")?.slice(0, 200) || null,
        maxBytes,
        signal,
      });
      return json({ job_id: id, status }, 202);
    })
    .on(contract.parseStatus, async ({ caller, params }) => showJob(files, await jobFor(db, caller, params.job_id)))
    .on(contract.parseCancel, async ({ caller, params }) => cancelJob(deps, await jobFor(db, caller, params.job_id)))
    .on(contract.parseMarkdown, async ({ caller, params }) => {
      const { markdownKey, fileName } = await jobFor(db, caller, params.job_id);
      if (markdownKey === null) throw new Conflict("not_parsed_yet", "This job has no result. Look at its status.");
      return attachment(await files.read(markdownKey), { fileName: `${fileName}.md`, mime: "text/markdown; charset=utf-8" });
    });
}

export function optionsOf(query: ParseQuery): ParseOptions {
  const { parser_method, extract_tables, extract_images, ocr_enabled, ocr_mode, caption_images } = query;
  return {
    ...(parser_method && parser_method !== "auto" && { parserMethod: parser_method }),
    ...(extract_tables !== undefined && { extractTables: extract_tables }),
    ...(extract_images !== undefined && { extractImages: extract_images }),
    ...(ocr_enabled !== undefined && { ocrEnabled: ocr_enabled }),
    ...(ocr_mode && { ocrMode: ocr_mode }),
    ...(caption_images !== undefined && { captionImages: caption_images }),
  };
}

function prefersMarkdown(request: Request): boolean {
  return /\btext\/markdown\b/i.test(request.headers.get("accept") ?? "");
}

function markdownAnswer(markdown: string): Response {
  return new Response(markdown, { headers: { "content-type": "text/markdown; charset=utf-8" } });
}

function shownResult({ file: { markdown, tables, images }, metadata }: ParsedResult): ParseResult {
  return {
    markdown,
    metadata,
    ...(tables && { tables }),
    ...(images && {
      images: images.map(({ bytes, ...image }) => ({ ...image, data: Buffer.from(bytes).toString("base64") })),
    }),
  };
}
