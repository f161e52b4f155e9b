import { cutText } from "../../platform/cut-text.ts";
import { ApiError, BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { webNotSetUp } from "./contract-not-set-up.ts";
import type { SearchRequest } from "./contract.ts";
import type { EngineRequest, Result } from "./engines/engine.ts";
import { ENGINE_SETTINGS, type OpenEngine } from "./engines/engines.ts";
import { readBounded } from "./read-bounded.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_TITLE_CHARACTERS = 300;
const MAX_SNIPPET_CHARACTERS = 2_000;
const MAX_URL_CHARACTERS = 8_000;
/** An engine that refuses is asked again after this time, or after what it says. */
const MIN_REST_MS = 60_000;
const MAX_REST_MS = 3_600_000;

export interface WebSearch {
  engines: readonly OpenEngine[];
  /**
   * @returns the results of the first engine that answers.
   * @throws Unavailable `web_search_not_set_up`, BadGateway `web_search_failed`.
   */
  search(
    request: SearchRequest,
    signal: AbortSignal,
  ): Promise<{ results: Result[]; engine: string }>;
}

interface Deps {
  engines: readonly OpenEngine[];
  outgoing: Pick<Outgoing, "fetch">;
  log: Logger;
  now?: () => number;
}

/**
 * Asks the engines in their order. One that fails, refuses its key or has no quota left rests, and
 * the next one answers; when all of them rest, each is tried again.
 */
export function createWebSearch({
  engines,
  outgoing,
  log,
  now = Date.now,
}: Deps): WebSearch {
  const restsUntil = new Map<string, number>();
  return {
    engines,
    async search(request, signal) {
      if (engines.length === 0) throw webNotSetUp(ENGINE_SETTINGS);
      const awake = engines.filter(({ kind }) => (restsUntil.get(kind) ?? 0) <= now());
      const failures: string[] = [];
      for (const engine of awake.length > 0 ? awake : engines) {
        const { kind, title } = engine;
        try {
          const results = await ask({ outgoing }, engine, request, signal);
          restsUntil.delete(kind);
          return { results, engine: title };
        } catch (error) {
          signal.throwIfAborted();
          const { reason, restMs } = toRefusal(error);
          restsUntil.set(kind, now() + restMs);
          log.warn({ engine: kind, reason }, "a search engine did not answer");
          failures.push(`${title} ${reason}`);
        }
      }
      throw searchFailed(failures);
    },
  };
}

class Refusal extends Error {
  readonly restMs: number;

  constructor(reason: string, restMs = MIN_REST_MS) {
    super(reason);
    this.restMs = Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, restMs));
  }
}

/** Only our own words: what an engine writes may hold its key. */
function toRefusal(error: unknown): { reason: string; restMs: number } {
  if (error instanceof Refusal) return { reason: error.message, restMs: error.restMs };
  const isOurs = error instanceof ApiError && error.code === "address_not_allowed";
  const reason = isOurs ? "has an address that is not allowed" : "cannot be reached";
  return { reason, restMs: MIN_REST_MS };
}

async function ask(
  { outgoing }: Pick<Deps, "outgoing">,
  engine: OpenEngine,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<Result[]> {
  const asked = engine.toRequest(request);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await outgoing.fetch(asked.url, {
    ...toInit(asked),
    signal: AbortSignal.any([signal, timeout]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusalOf(response);
  }
  const tooLarge = () => new Refusal("answered more than can be read");
  const bytes = await readBounded(response, MAX_ANSWER_BYTES, tooLarge);
  const read = readAnswer(engine, bytes);
  return read.filter(isUsable).slice(0, request.limit).map(bounded);
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

function refusalOf({ status, headers }: Response): Refusal {
  const seconds = Number(headers.get("retry-after"));
  const restMs = Number.isFinite(seconds) ? seconds * 1_000 : MIN_REST_MS;
  if (status === 401 || status === 403) return new Refusal("refuses its key", restMs);
  // 432 and 433: Tavily's limits of a plan and of what is paid for
  if ([402, 429, 432, 433].includes(status))
    return new Refusal("has no quota left", restMs);
  return new Refusal(`answered with status ${status}`, restMs);
}

function readAnswer(engine: OpenEngine, bytes: Buffer): Result[] {
  try {
    return engine.read(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw new Refusal("gave an answer that cannot be read");
  }
}

function isUsable({ url }: Result): boolean {
  return url.length <= MAX_URL_CHARACTERS && /^https?:\/\//i.test(url) && URL.canParse(url);
}

function bounded({ title, url, snippet, publishedAt }: Result): Result {
  return {
    title: cutText(title || url, MAX_TITLE_CHARACTERS),
    url,
    snippet: cutText(snippet, MAX_SNIPPET_CHARACTERS),
    ...(publishedAt && { publishedAt }),
  };
}

function searchFailed(failures: readonly string[]): BadGateway {
  return new BadGateway(
    "web_search_failed",
    `No search engine answered: ${failures.join("; ")}. Try again later, or ask an administrator.`,
  );
}
