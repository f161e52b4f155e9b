import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Ask, openExchange } from "./exchange.ts";
import { flowRoutes } from "./flow-routes.ts";
import type { RunBody } from "./run.ts";
import { serverRoutes } from "./server-routes.ts";
import { FakeState } from "./state.ts";
import { userRoutes } from "./user-routes.ts";

export const LANGFLOW_ADMIN_KEY = "the-superuser-key-of-the-fake-langflow";

export interface FakeLangflow extends AsyncDisposable {
  url: string;
  state: FakeState;
  /** The number of successful requests by route. */
  counts: {
    users: number;
    logins: number;
    refreshes: number;
    keys: number;
    runs: number;
    runsLeft: number;
  };
  settings: {
    version: string;
    package: string;
    autoLogin: boolean;
    /** The number of sign-ins before it answers 429. */
    loginsAllowed: number;
    /** The seconds in its 429. */
    retryAfter: number;
    /**
     * The delay in ms after which a change takes effect: it answers before its transaction ends.
     */
    lateMs: number;
    /** The delay before each answer, in ms. */
    delayMs: number;
    /** The status of every answer, if set. */
    failing: number | undefined;
  };
  /** The bodies of run requests. */
  runs: RunBody[];
  /** Of every request, in order. */
  headers: IncomingMessage["headers"][];
  stop(): Promise<void>;
  start(): Promise<void>;
}

const ROUTES = [...serverRoutes, ...userRoutes, ...flowRoutes];

/**
 * Langflow's HTTP API as observed on a server at 1.10.3, with its pitfalls: 403 for a wrong key,
 * refresh by cookie, JSON lines named server-sent events, a list that is always gzip, names made
 * unique, and keys that still work for an inactive user's runs.
 */
export async function startFakeLangflow(): Promise<FakeLangflow> {
  const state = new FakeState(LANGFLOW_ADMIN_KEY);
  const counts = { users: 0, logins: 0, refreshes: 0, keys: 0, runs: 0, runsLeft: 0 };
  const settings: FakeLangflow["settings"] = {
    version: "0.10.3",
    package: "Langflow Base",
    autoLogin: false,
    loginsAllowed: Number.POSITIVE_INFINITY,
    retryAfter: 60,
    lateMs: 0,
    delayMs: 0,
    failing: undefined,
  };
  const runs: RunBody[] = [];
  const received: IncomingMessage["headers"][] = [];

  const answer = async (ask: Ask): Promise<void> => {
    const exchange = openExchange({ state, counts, settings, runs }, ask);
    if (settings.failing !== undefined)
      return exchange.fail(settings.failing, "Internal Server Error");
    for (const [pattern, respond] of ROUTES) {
      const [match, ...groups] = pattern.exec(`${ask.method} ${ask.path}`) ?? [];
      if (match !== undefined) return respond(exchange, ...groups);
    }
    exchange.fail(404, "Not Found");
  };

  let server: Server;
  let port = 0;
  const start = async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      received.push(request.headers);
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer);
        if (settings.delayMs > 0)
          await new Promise((resolve) => setTimeout(resolve, settings.delayMs));
        const url = new URL(request.url ?? "/", "http://langflow");
        await answer({
          method: request.method ?? "GET",
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          body: Buffer.concat(chunks),
          response,
        });
      } catch {
        response.destroy();
      }
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    headers: received,
    state,
    counts,
    settings,
    runs,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
