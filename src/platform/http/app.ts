import { type Context, Hono } from "hono";
import type { HttpMetrics } from "../telemetry/metrics.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Authenticator } from "./access.ts";
import { BodyBudget } from "./body-budget.ts";
import type { Connection } from "./context.ts";
import { dispatch, type OnSuccess } from "./dispatch.ts";
import { ApiError, NotFound, shuttingDown, Unavailable } from "./errors.ts";
import { type Auditor, type Guard, GUARD_WITHOUT_ROLES } from "./guard.ts";
import { inFlightRequests, type Running } from "./in-flight.ts";
import { LazyResponse } from "./lazy-response.ts";
import { addStandardHeaders, type ErrorShape, errorResponse } from "./respond.ts";
import type { Contract } from "./route.ts";
import type { Routes } from "./routes.ts";
import { StreamResponse } from "./stream.ts";
import type { StreamLimit } from "./stream-limit.ts";
import { traceOf } from "./trace.ts";

export interface MountedService {
  name: string;
  contract: Contract;
  routes: Routes;
}

interface AppOptions {
  services: readonly MountedService[];
  auth: Authenticator;
  /** What roles permit, checked after the route admitted a user. */
  guard?: Guard;
  auditor?: Auditor | undefined;
  /** How many streams a user may have open. Default: any number. */
  streams?: StreamLimit;
  /** How long a stream outlives the access token that opened it. Default: a minute. */
  streamExpiryGraceMs?: number;
  /** Answers requests on the public listener that match no route, or returns undefined. */
  pages?: ((request: Request) => Promise<Response | undefined>) | undefined;
  onSuccess?: OnSuccess | undefined;
  metrics: HttpMetrics;
  log: Logger;
}

/** All services of a process behind one `fetch`. */
export interface App {
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Refuses new requests, and resolves when the requests in progress have ended. */
  drain(): Promise<void>;
  /**
   * Ends the requests in progress: streams with an error `shutting_down` as their last event, other
   * requests with a 503.
   */
  abandon(): void;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

type Env = { Bindings: { connection: Connection; running: Running } };

/** Answers 503 until the app is built: listeners open before it, so that their ports are known. */
export function appOnceBuilt(app: () => App | undefined): Pick<App, "fetch"> {
  return {
    fetch: async (request, connection) =>
      app()?.fetch(request, connection) ?? answerStarting(request),
  };
}

/**
 * Builds the app. Throws when a route has no handler or no policy, or when two services declare the
 * same path.
 */
export function createApp({
  services,
  auth,
  guard = GUARD_WITHOUT_ROLES,
  auditor,
  streams,
  streamExpiryGraceMs = 60_000,
  pages,
  onSuccess,
  metrics,
  log,
}: AppOptions): App {
  const router = new Hono<Env>();
  const shapeOf = errorShapes(services);
  const inFlight = inFlightRequests();
  const bodies = new BodyBudget();
  const deps = {
    auth,
    guard,
    auditor,
    streams,
    streamExpiryGraceMs,
    onSuccess,
    log,
    bodies,
  };
  for (const { service, route, handler } of sortRoutes(services)) {
    router.on(route.method.toUpperCase(), route.path, async (context) => {
      const observe = metrics.timer({ service, route: route.path, method: route.method });
      const { raw: request } = context.req;
      const params = context.req.param();
      const matched = { route, handler, request, params, observe, ...context.env };
      return endUnsentBody(request, await dispatch(deps, matched));
    });
  }
  router.notFound(async (context) => {
    const { connection, running } = context.env;
    const { raw: request } = context.req;
    try {
      const page = connection.listener === "public" ? await pages?.(request) : undefined;
      if (page) return addStandardHeaders(endUnsentBody(request, page), traceOf(request));
    } finally {
      running.finished();
    }
    const shape = shapeOf(context.req.path);
    return toErrorResponse(request, toRoutingError(router, context), shape);
  });
  router.onError((error, context) => {
    context.env.running.finished();
    return toErrorResponse(context.req.raw, error);
  });

  return {
    async fetch(request, connection) {
      if (inFlight.draining && connection.listener !== "in-process")
        return refuseRequest(request);
      return router.fetch(request, { connection, running: inFlight.enter() });
    },
    drain: () => inFlight.drain(),
    abandon: () => inFlight.abandon(),
  };
}

/**
 * The answer to HEAD is that to GET, of which the router sends the headers alone. What would be
 * read is released: a place among the user's streams or exports, an open file.
 */
function endUnsentBody(request: Request, response: Response): Response {
  if (request.method !== "HEAD") return response;
  if (response instanceof StreamResponse) response.cancel();
  else if (!(response instanceof LazyResponse)) void response.body?.cancel();
  return response;
}

/** 405 with `Allow` where the path exists for other methods (RFC 9110, 15.5.6), else 404. */
function toRoutingError(router: Hono<Env>, context: Context<Env>): ApiError {
  const { method, path } = context.req;
  const allowed = METHODS.filter((one) => router.router.match(one, path)[0].length > 0);
  if (allowed.length === 0)
    return new NotFound("not_found", `There is no ${path}. GET /docs lists all routes.`);
  const allow = allowed.join(", ");
  return new ApiError(
    405,
    "method_not_allowed",
    `${path} takes ${allow}, and not ${method}. GET /docs describes it.`,
    {
      headers: { allow },
    },
  );
}

function refuseRequest(request: Request): Response {
  const response = toErrorResponse(request, shuttingDown());
  response.headers.set("connection", "close");
  return response;
}

function answerStarting(request: Request): Response {
  const sentence = "This server is starting. Try again in a moment.";
  return toErrorResponse(request, new Unavailable("starting", sentence, 1_000));
}

function toErrorResponse(request: Request, error: unknown, shape?: ErrorShape): Response {
  const trace = traceOf(request);
  return addStandardHeaders(errorResponse(error, trace.requestId, shape), trace);
}

/**
 * Fixed segments come before parameters, whatever the order of declaration.
 * @throws Error when two services declare the same path.
 */
function sortRoutes(services: readonly MountedService[]) {
  const all = services.flatMap(({ name, contract, routes }) =>
    routes.of(contract).map((entry) => ({ service: name, ...entry })),
  );
  const seen = new Map<string, string>();
  for (const { service, route } of all) {
    const key = `${route.method} ${route.path.replace(/:\w+/g, ":")}`;
    const other = seen.get(key);
    if (other)
      throw new Error(
        `${route.method} ${route.path} is declared by ${other} and by ${service}`,
      );
    seen.set(key, service);
  }
  const rank = (path: string) => path.replace(/:\w+/g, "\uffff");
  return all.sort((a, b) => (rank(a.route.path) < rank(b.route.path) ? -1 : 1));
}

/**
 * The form of errors about paths that no route takes: that of another protocol where a route of it
 * has the same path, or where all routes with the same first segment are of other protocols; then
 * it is the form of most of them.
 */
function errorShapes(
  services: readonly { contract: Contract }[],
): (path: string) => ErrorShape | undefined {
  const byPath = new Map<string, ErrorShape>();
  const bySegment = new Map<string, ErrorShape[]>();
  const ours = new Set<string>();
  for (const { contract } of services)
    for (const { path, errorBody, statusOf, mediaType } of Object.values(contract)) {
      const segment = firstOf(path);
      if (!errorBody) {
        ours.add(segment);
        continue;
      }
      const shape = { errorBody, statusOf, mediaType };
      byPath.set(path, shape);
      bySegment.set(segment, [...(bySegment.get(segment) ?? []), shape]);
    }
  return (path) => {
    const segment = firstOf(path);
    if (byPath.has(path) || ours.has(segment)) return byPath.get(path);
    return mostCommon(bySegment.get(segment) ?? []);
  };
}

function firstOf(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

function mostCommon(shapes: readonly ErrorShape[]): ErrorShape | undefined {
  const countOf = ({ errorBody }: ErrorShape) =>
    shapes.filter((one) => one.errorBody === errorBody).length;
  return shapes.toSorted((one, other) => countOf(other) - countOf(one))[0];
}
