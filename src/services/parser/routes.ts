import type { Fetch } from "../../platform/http/call.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { type Ask, Routes } from "../../platform/http/routes.ts";
import { DEFAULT_OVERLAP, parserContract as contract } from "./contract.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import { convertFile } from "./convert-file.ts";
import { type JobRouteDeps, jobRoutes } from "./jobs/routes.ts";
import type { ParsedResult } from "./parse-file.ts";
import { CONVERSIONS, limitRequests, limitUser, PARSES, TEXTS } from "./rate-limits.ts";
import { jsonAnswer, optionsOf, resultPieces } from "./show-result.ts";
import type { PageReaderDeps } from "./original/page-reader.ts";
import { originalRoutes } from "./original/routes.ts";
import type { Tables } from "./tables/open-tables.ts";
import { tableRoutes } from "./tables/routes.ts";
import { personalData } from "./user-deletion.ts";
import { json } from "../../platform/http/respond.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { briefly, checkHealth } from "../../platform/telemetry/health.ts";
import { describeParser, type ParserParts } from "./describe-parser.ts";
import { backendHealth, readinessChecks } from "./parser-health.ts";

interface RouteDeps extends ProbeDeps, JobRouteDeps {
  tables: Tables;
  original: PageReaderDeps;
  /** Absent without an embedding service. */
  embedding: (() => Fetch) | undefined;
  parseRequest(
    request: Request,
    asked: { options: ParseOptions; userId: string | undefined },
    signal: AbortSignal,
  ): Promise<ParsedResult>;
}

export function parserRoutes(deps: RouteDeps): Routes {
  const routes = new Routes();
  tableRoutes(routes, deps.tables);
  originalRoutes(routes, deps.original);
  probeRoutes(routes, deps);
  fileRoutes(routes, deps);
  jobRoutes(routes, deps);
  return routes.on(contract.personalData, ({ params, query }) =>
    personalData(deps, params.userId, query.after),
  );
}

/** Files that are parsed while the client waits. */
function fileRoutes(routes: Routes, deps: RouteDeps): Routes {
  const { cache, device, embedding, parseRequest } = deps;
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
    await limitRequests(cache, CONVERSIONS, { caller, peer });
    // this route reads pictures without being asked for OCR, by the model that OCR_MODEL names
    const options = { ...optionsOf(query), sendsPictures: true };
    const asked = { options, userId: spenderOf(caller) };
    const result = await parseRequest(request, asked, signal);
    return convertFile(embedding?.(), result, { chunkSize, overlap, device, signal });
  };
  return routes
    .on(contract.readText, async ({ body: { userId, fileName, data }, signal }) => {
      await limitUser(cache, TEXTS, userId);
      const request = new Request("http://parser/", {
        method: "POST",
        headers: {
          "content-type": "application/octet-stream",
          "x-original-filename": encodeURIComponent(fileName),
        },
        body: Buffer.from(data, "base64"),
      });
      const { file } = await parseRequest(request, { options: {}, userId }, signal);
      return { text: file.markdown.replaceAll("\f", "\n\n") };
    })
    .on(contract.processDocument, convert)
    .on(contract.processDocumentPlain, convert)
    .on(contract.parse, async ({ caller, query, request, peer, signal }) => {
      await limitRequests(cache, PARSES, { caller, peer });
      const asked = { options: optionsOf(query), userId: spenderOf(caller) };
      const result = await parseRequest(request, asked, signal);
      if (prefersMarkdown(request)) return markdownAnswer(result.file.markdown);
      return jsonAnswer(resultPieces(result));
    });
}

/** Whom the questions to models count for: nobody, where a service asks. */
function spenderOf(caller: Caller): string | undefined {
  return caller.kind === "user" ? caller.userId : undefined;
}

function prefersMarkdown(request: Request): boolean {
  return /\btext\/markdown\b/i.test(request.headers.get("accept") ?? "");
}

function markdownAnswer(markdown: string): Response {
  return new Response(markdown, {
    headers: { "content-type": "text/markdown; charset=utf-8" },
  });
}

interface ProbeDeps extends ParserParts {
  queue: Queue;
  /** The folder of files while they are read. */
  folder: string;
}

const isStranger = ({ kind }: Caller) => kind === "anonymous";

/** What the parser can read, and whether it is ready to. */
function probeRoutes(routes: Routes, deps: ProbeDeps): Routes {
  const { backends, limits } = deps;
  const checks = readinessChecks({ ...deps, ...limits });
  const alive = () => ({ status: "ok" as const });
  const readiness = async ({ caller }: { caller: Caller }) => {
    const health = await checkHealth(checks);
    const seen = isStranger(caller) ? { status: briefly(health.status) } : health;
    return health.status === "down" ? json(seen, 503, { "retry-after": "5" }) : seen;
  };
  return routes
    .on(contract.parserHealth, ({ signal }) => backendHealth(backends, signal))
    .on(contract.parserInfo, () => describeParser(deps))
    .on(contract.probeHealth, alive)
    .on(contract.probeHealthz, alive)
    .on(contract.probeLiveness, alive)
    .on(contract.probeReadiness, readiness)
    .on(contract.probeReadyz, readiness)
    .on(contract.probeDetailed, async ({ caller, signal }) => {
      if (isStranger(caller))
        return { status: briefly((await checkHealth(checks)).status) };
      const [health, { backends: states }] = await Promise.all([
        checkHealth(checks),
        backendHealth(backends, signal),
      ]);
      const { workers: started, running: busy, waiting } = limits.pool.state();
      return {
        ...health,
        backends: states,
        processes: { most: limits.processes, started, busy, waiting },
      };
    });
}
