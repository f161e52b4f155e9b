import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { webNotSetUp } from "../../web/contract-not-set-up.ts";
import type { RouteInput, RouteOk } from "../../../platform/http/route.ts";
import {
  type EngineTest,
  type SearchRequest,
  webContract,
  type WebPage,
} from "../../web/contract.ts";

/** How long it is known whether there is an engine; another process of core may add one. */
const KNOWN_MS = 30_000;
const LOOK_UP_TIMEOUT_MS = 3_000;
/** An engine has less to answer a test. */
const TEST_TIMEOUT_MS = 15_000;
/** Several engines may be asked one after the other. */
const TIMEOUT_MS = 90_000;
const RETRY_AFTER_MS = 30_000;

/** The web service, as core uses it. */
export interface Web {
  /** Returns why the web cannot be searched: the settings that are missing, or a service. */
  lacks(signal: AbortSignal): Promise<ApiError | undefined>;
  /** @throws ApiError `web_search_failed`, `web_search_not_set_up`, `web_unavailable`. */
  search(
    request: SearchRequest,
    signal: AbortSignal,
  ): Promise<{
    results: { title: string; url: string; snippet: string; publishedAt?: string }[];
    engine: string;
  }>;
  /** @throws ApiError of why a page is unreadable, `address_not_allowed`, `web_unavailable`. */
  read(page: { url: string; userId: string }, signal: AbortSignal): Promise<WebPage>;
}

/** Its engines, as administrators see them. */
export interface WebEngines {
  /** The engines in their order, with what is known of them. @throws ApiError. */
  engines(signal: AbortSignal): Promise<RouteOk<typeof webContract.webEngines>["engines"]>;
  /** @throws ApiError `search_engine_not_found`, `web_unavailable`. */
  testEngine(
    request: RouteInput<typeof webContract.testWebEngine>["body"],
    signal: AbortSignal,
  ): Promise<EngineTest>;
  /** The engines changed. */
  forget(): void;
}

export function createWeb(web: Fetch): Web & WebEngines {
  let known: { lack: ApiError | undefined; until: number } | undefined;
  return {
    async lacks(signal) {
      if (known && known.until > performance.now()) return known.lack;
      const options = { signal, timeoutMs: LOOK_UP_TIMEOUT_MS };
      try {
        const { engines, settings } = await call(web, webContract.webEngines, {}, options);
        const lack = engines.length > 0 ? undefined : webNotSetUp(settings);
        known = { lack, until: performance.now() + KNOWN_MS };
        return lack;
      } catch (error) {
        signal.throwIfAborted();
        return webUnavailable(error);
      }
    },
    async engines(signal) {
      const options = { signal, timeoutMs: LOOK_UP_TIMEOUT_MS };
      return (await call(web, webContract.webEngines, {}, options)).engines;
    },
    testEngine: (body, signal) =>
      call(
        web,
        webContract.testWebEngine,
        { body },
        { signal, timeoutMs: TEST_TIMEOUT_MS },
      ),
    forget() {
      known = undefined;
    },
    search: (body, signal) =>
      call(web, webContract.searchWeb, { body }, { signal, timeoutMs: TIMEOUT_MS }),
    read: (body, signal) =>
      call(web, webContract.readWebPage, { body }, { signal, timeoutMs: TIMEOUT_MS }),
  };
}

export function webUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "web_unavailable",
    "The web cannot be searched or read now. Ask again in a moment, or ask an administrator " +
      "whether the web service runs.",
    RETRY_AFTER_MS,
    { cause },
  );
}
