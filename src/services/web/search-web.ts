import type { Cache } from "../../platform/cache/cache.ts";
import { shortenText } from "../../platform/shorten-text.ts";
import { ApiError, BadGateway, BadRequest, NotFound } from "../../platform/http/errors.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import { readRetryAfter } from "../../platform/http/retry-after.ts";
import type { RouteInput, RouteOk } from "../../platform/http/route.ts";
import { readBounded } from "../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { engineOf } from "./contract-engine-kinds.ts";
import { engineRefusals } from "./contract-engine-refusals.ts";
import { webNotSetUp } from "./contract-not-set-up.ts";
import {
  type EngineTest,
  type SearchRequest,
  type webContract,
  EngineState,
} from "./contract.ts";
import type { EngineRequest, Result } from "./engines/engine.ts";
import { ENGINE_SETTINGS, openEngine, type OpenEngine } from "./open-engines.ts";
import type { StoredEngines } from "./stored-engines.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_TITLE_CHARACTERS = 300;
const MAX_SNIPPET_CHARACTERS = 2_000;
const MAX_URL_CHARACTERS = 8_000;
/** An engine that refuses is asked again after this time, or after what it says. */
const MIN_REST_MS = 60_000;
const MAX_REST_MS = 3_600_000;

/** Of a test: enough to see that the engine finds something. */
const MAX_TESTED_RESULTS = 5;

type TestRequest = RouteInput<typeof webContract.testWebEngine>["body"];
type ListedEngine = RouteOk<typeof webContract.webEngines>["engines"][number];

export interface WebSearch {
  /** The engines in the order in which they are asked, with what is known of them. */
  list(): Promise<ListedEngine[]>;
  /**
   * @returns the results of the first engine that answers.
   * @throws Unavailable `web_search_not_set_up`, BadGateway `web_search_failed`.
   */
  search(
    request: SearchRequest,
    signal: AbortSignal,
  ): Promise<{ results: Result[]; engine: string }>;
  /** Asks one engine, whether it rests or not. @throws NotFound `search_engine_not_found`. */
  test(request: TestRequest, signal: AbortSignal): Promise<EngineTest>;
}

interface Deps {
  environment: readonly OpenEngine[];
  stored: Pick<StoredEngines, "read">;
  /** Guarded calls: the operator may allow other addresses than administrators. */
  fetch: (engine: OpenEngine) => Outgoing["fetch"];
  cache: Pick<Cache, "get" | "set" | "delete">;
  log: Logger;
  now?: () => number;
}

/**
 * Asks the engines in their order: those of the environment, then those that administrators added.
 * One that fails, refuses its key or has no quota left rests, and the next one answers; when all of
 * them rest, each is tried again.
 */
export function createWebSearch(deps: Deps): WebSearch {
  const { environment, stored, cache, log, now = Date.now } = deps;
  const states = createEngineStates(cache, now);
  const list = async () => {
    const engines = [...environment, ...(await stored.read())];
    return Promise.all(
      engines.map(async (engine) => ({ engine, state: await states.read(engine.id) })),
    );
  };
  return {
    async list() {
      return (await list()).map(({ engine, state }) => {
        const { id, kind, name, fromEnvironment } = engine;
        return { id, kind, name, fromEnvironment, state };
      });
    },
    async search(request, signal) {
      const all = await list();
      if (all.length === 0) throw webNotSetUp(ENGINE_SETTINGS);
      const awake = all.filter(
        ({ state: { restsUntil } }) => !restsUntil || Date.parse(restsUntil) <= now(),
      );
      const failures: string[] = [];
      for (const { engine, state } of awake.length > 0 ? awake : all) {
        const { id, name } = engine;
        try {
          const { results, remaining } = await ask(deps, engine, request, signal);
          await states.answered(id, state, remaining);
          return { results, engine: name };
        } catch (cause) {
          signal.throwIfAborted();
          const { error, restMs } = toRefusal(engine, cause);
          await states.rest(id, error, restMs);
          log.warn({ engine: name, code: error.code }, "a search engine did not answer");
          failures.push(firstSentence(error));
        }
      }
      throw searchFailed(failures);
    },
    async test({ engine: asked, query }, signal) {
      const engine = toTest(environment, asked);
      const startedAt = performance.now();
      const latencyMs = () => Math.round(performance.now() - startedAt);
      try {
        const request = { query, limit: MAX_TESTED_RESULTS };
        const { results } = await ask(deps, engine, request, signal);
        return { ok: true, latencyMs: latencyMs(), results };
      } catch (cause) {
        signal.throwIfAborted();
        const error = reportError(toRefusal(engine, cause).error);
        return { ok: false, latencyMs: latencyMs(), error, results: [] };
      }
    },
  };
}

function toTest(
  environment: readonly OpenEngine[],
  asked: TestRequest["engine"],
): OpenEngine {
  if ("id" in asked) {
    const engine = environment.find(({ id }) => id === asked.id);
    if (engine) return engine;
    throw new NotFound(
      "search_engine_not_found",
      "There is no such search engine. GET /api/v1/search-engines lists them.",
    );
  }
  const { kind, name, config } = asked;
  const engine = engineOf(kind);
  const checked = engine.config.safeParse(config);
  if (!checked.success)
    throw new BadRequest(
      "validation_failed",
      `The configuration is not one of ${engine.title}. Send what its schema names.`,
    );
  return openEngine(engine, checked.data, { id: "tested", name, fromEnvironment: false });
}

class Refusal extends Error {
  readonly error: ApiError;
  readonly restMs: number;

  constructor(error: ApiError, restMs = MIN_REST_MS) {
    super(error.message);
    this.error = error;
    this.restMs = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, restMs));
  }
}

function toRefusal(
  { name }: OpenEngine,
  cause: unknown,
): { error: ApiError; restMs: number } {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof ApiError && cause.code === "address_not_allowed")
    return { error: cause, restMs: MIN_REST_MS };
  const isLate = cause instanceof DOMException && cause.name === "TimeoutError";
  return {
    error: isLate ? engineRefusals.slow(name) : engineRefusals.unreachable(name),
    restMs: MIN_REST_MS,
  };
}

/** What is wrong, without what to do about it. */
function firstSentence({ message }: ApiError): string {
  return message.split(". ")[0] ?? message;
}

async function ask(
  { fetch }: Pick<Deps, "fetch">,
  engine: OpenEngine,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<{ results: Result[]; remaining: number | undefined }> {
  const asked = engine.toRequest(request);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(engine)(asked.url, {
    ...toInit(asked),
    signal: AbortSignal.any([signal, timeout]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusalOf(engine, response);
  }
  const tooLarge = () => new Refusal(engineRefusals.tooLarge(engine.name));
  const bytes = await readBounded(response, MAX_ANSWER_BYTES, tooLarge);
  const results = readAnswer(engine, bytes).filter(isUsable);
  const remaining = engine.remaining?.(response.headers);
  return { results: results.slice(0, request.limit).map(bounded), remaining };
}

function toInit({ headers, body }: EngineRequest): RequestInit {
  const accept = { accept: "application/json", ...headers };
  if (body === undefined) return { headers: accept };
  return {
    method: "POST",
    headers: { ...accept, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function refusalOf({ name }: OpenEngine, { status, headers }: Response): Refusal {
  const restMs = readRetryAfter(headers.get("retry-after"));
  if (status === 401 || status === 403)
    return new Refusal(engineRefusals.key(name), restMs);
  // 432 and 433: Tavily's limits of a plan and of what is paid for
  if ([402, 429, 432, 433].includes(status))
    return new Refusal(engineRefusals.quota(name), restMs);
  return new Refusal(engineRefusals.status(name, status), restMs);
}

function readAnswer(engine: OpenEngine, bytes: Buffer): Result[] {
  try {
    const answer: unknown = JSON.parse(bytes.toString("utf8"));
    const refusal = engine.refusal?.(answer);
    if (refusal) throw new Refusal(engineRefusals[refusal](engine.name));
    return engine.read(answer);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(engineRefusals.unreadable(engine.name));
  }
}

function isUsable({ url }: Result): boolean {
  return url.length <= MAX_URL_CHARACTERS && /^https?:\/\//i.test(url) && URL.canParse(url);
}

function bounded({ title, url, snippet, publishedAt }: Result): Result {
  return {
    title: shortenText(title || url, MAX_TITLE_CHARACTERS),
    url,
    snippet: shortenText(snippet, MAX_SNIPPET_CHARACTERS),
    ...(publishedAt && { publishedAt }),
  };
}

function searchFailed(failures: readonly string[]): BadGateway {
  return new BadGateway(
    "web_search_failed",
    `No search engine answered: ${failures.join("; ")}. Try again later, or ask an administrator.`,
  );
}

/** How long what an engine said of its quota is shown. */
const KEPT_MS = 86_400_000;

/** What is known of the engines. Every process of the service sees the same. */
interface EngineStates {
  read(id: string): Promise<EngineState>;
  /** It is not asked until then, while others answer. */
  rest(id: string, error: ApiError, ms: number): Promise<void>;
  /** It answered. `remaining`: searches that are left, where it says so. */
  answered(id: string, before: EngineState, remaining: number | undefined): Promise<void>;
}

function createEngineStates(
  cache: Pick<Cache, "get" | "set" | "delete">,
  now: () => number,
): EngineStates {
  const keyOf = (id: string) => `web-engine:${id}`;
  return {
    async read(id) {
      const kept = await cache.get(keyOf(id));
      return kept === null ? {} : EngineState.parse(JSON.parse(kept));
    },
    rest(id, error, ms) {
      const restsUntil = new Date(now() + ms).toISOString();
      const state: EngineState = { restsUntil, problem: reportError(error) };
      return cache.set(keyOf(id), JSON.stringify(state), ms);
    },
    async answered(id, before, remaining) {
      if (remaining !== undefined)
        return cache.set(keyOf(id), JSON.stringify({ remaining }), KEPT_MS);
      if (before.restsUntil !== undefined) await cache.delete(keyOf(id));
    },
  };
}
