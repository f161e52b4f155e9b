import { Hono } from "hono";
import type { HttpMetrics } from "../telemetry/metrics.ts";
import type { Logger } from "../telemetry/log.ts";
import { admit, type Authenticator } from "./access.ts";
import type { Connection } from "./connection.ts";
import { currentContext, withContext } from "./context.ts";
import { ApiError, NotFound, shuttingDown, Unavailable } from "./errors.ts";
import { BodyBudget, type BodyShare } from "./body-budget.ts";
import type { Caller } from "./caller.ts";
import { type Auditor, type Guard, GUARD_WITHOUT_ROLES } from "./guard.ts";
import { inFlightRequests, type Running } from "./in-flight.ts";
import { readInput } from "./read-input.ts";
import { errorResponse, json, sealed } from "./respond.ts";
import { type AnyRoute, type Contract, waysInto } from "./route.ts";
import type { Handler, Routes } from "./routes.ts";
import { whileAdmitted } from "./still-admitted.ts";
import { StreamResponse } from "./stream.ts";
import { mayStream, type StreamLimit } from "./stream-limit.ts";
import { traceOf } from "./trace.ts";

export interface MountedService {
  name: string;
  contract: Contract;
  routes: Routes;
}

interface AppOptions {
  services: readonly MountedService[];
  auth: Authenticator;
  /** What roles permit, asked after the route let a user in. */
  guard?: Guard;
  auditor?: Auditor | undefined;
  /** How many streams a user may have open. Default: any number. */
  streams?: StreamLimit;
  metrics: HttpMetrics;
  log: Logger;
}

/** All services of a process behind one `fetch`. */
export interface App {
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Refuses what comes from now on, and resolves when what runs has ended. */
  drain(): Promise<void>;
  /**
   * Gives up what still runs: streams end with an error `shutting_down` as their last event, other
   * requests with a 503.
   */
  abandon(): void;
}

/** As nginx counts it; nobody reads it. */
const CLIENT_LEFT = 499;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

type Env = { Bindings: { connection: Connection; running: Running } };

/** Stands for an app that is being built: its listeners are open already, and their ports known. */
export function appOnceBuilt(app: () => App | undefined): Pick<App, "fetch"> {
  return {
    fetch: async (request, connection) => app()?.fetch(request, connection) ?? starting(request),
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
  metrics,
  log,
}: AppOptions): App {
  const router = new Hono<Env>();
  const inFlight = inFlightRequests();
  const bodies = new BodyBudget();
  for (const { service, route, handler } of sorted(services)) {
    router.on(route.method.toUpperCase(), route.path, (context) => {
      const observe = metrics.timer({ service, route: route.path, method: route.method });
      return dispatch({
        route,
        handler,
        auth,
        guard,
        auditor,
        streams,
        log,
        request: context.req.raw,
        params: context.req.param(),
        bodies,
        ...context.env,
        observe,
      });
    });
  }
  router.notFound((context) => {
    context.env.running.finished();
    const { raw, path } = context.req;
    const allowed = METHODS.filter((method) => router.router.match(method, path)[0].length > 0);
    const trace = traceOf(raw);
    return sealed(errorResponse(unrouted(raw, path, allowed), trace.requestId), trace);
  });
  router.onError((error, context) => {
    context.env.running.finished();
    const trace = traceOf(context.req.raw);
    return sealed(errorResponse(error, trace.requestId), trace);
  });

  return {
    async fetch(request, connection) {
      if (inFlight.draining && connection.listener !== "in-process") return refused(request);
      return router.fetch(request, { connection, running: inFlight.enter() });
    },
    drain: () => inFlight.drain(),
    abandon: () => inFlight.abandon(),
  };
}

interface Dispatch {
  route: AnyRoute;
  handler: Handler<AnyRoute>;
  auth: Authenticator;
  guard: Guard;
  auditor: Auditor | undefined;
  streams: StreamLimit | undefined;
  log: Logger;
  request: Request;
  params: Record<string, string>;
  bodies: BodyBudget;
  connection: Connection;
  running: Running;
  observe: (status: number) => void;
}

async function dispatch({
  route,
  handler,
  auth,
  guard,
  auditor,
  streams,
  log,
  request,
  params,
  bodies,
  connection,
  running,
  observe,
}: Dispatch): Promise<Response> {
  const trace = traceOf(request);
  const { requestId } = trace;
  const requestLog = log.child({ ...trace });
  return withContext({ ...trace, log: requestLog }, async () => {
    const left = new AbortController();
    const leave = () => left.abort(request.signal.reason);
    request.signal.addEventListener("abort", leave, { once: true });
    const done = (status: number) => {
      request.signal.removeEventListener("abort", leave);
      share?.release();
      void releaseStream?.();
      observe(status);
      running.finished();
    };
    let abandoned = false;
    const abandon = () => {
      abandoned = true;
      left.abort(shuttingDown());
    };
    if (connection.listener !== "in-process") running.onAbandon = abandon;
    let response: Response;
    let share: BodyShare | undefined;
    let releaseStream: (() => Promise<void>) | undefined;
    let readmit: (() => Promise<void>) | undefined;
    try {
      const caller = await admit(route, request, connection, auth);
      if (connection.listener !== "in-process") share = shareOf(bodies, caller);
      const input = await readInput(route, request, params);
      await checkPermission(guard, route, caller, input);
      if (streams && caller.kind === "user" && connection.listener !== "in-process")
        if (mayStream(route)) releaseStream = await streams.enter(caller);
      readmit = async () => {
        const again = await admit(route, request, connection, auth);
        await checkPermission(guard, route, again, input);
      };
      const answer = await handler({
        ...input,
        caller,
        request,
        signal: left.signal,
        requestId,
        log: requestLog,
        peer: connection.peer,
      });
      response = answer instanceof Response ? answer : present(route, answer);
      if (caller.kind === "user" && response.ok && isForAdministrators(route))
        await auditor?.(route, caller, params);
    } catch (error) {
      response = errorResponse(
        failureOf(error, { abandoned, left: left.signal }),
        requestId,
        route,
      );
    }
    sealed(response, trace);
    if (response instanceof StreamResponse) {
      const { status } = response;
      const stop =
        readmit && connection.listener !== "in-process"
          ? whileAdmitted(readmit, () => left.abort())
          : undefined;
      const stream = response;
      // named before they are assigned: V8 keeps a function written into an assignment, and all
      // that it sees, in the old generation
      const ended = () => {
        stop?.();
        done(status);
      };
      const leaving = () => left.abort();
      const givingUp = () => {
        stream.giveUp();
        abandon();
      };
      stream.onEnd = ended;
      stream.onCancel = leaving;
      if (connection.listener !== "in-process") running.onAbandon = givingUp;
    } else {
      done(response.status);
    }
    return response;
  });
}

/** A sibling within the process has read the body that it passes on. */
function shareOf(bodies: BodyBudget, caller: Caller): BodyShare {
  const share = bodies.open(nameOf(caller));
  const context = currentContext();
  if (context) context.body = share;
  return share;
}

function nameOf(caller: Caller): string | undefined {
  if (caller.kind === "service") return undefined;
  return caller.kind === "user" ? `${caller.clientId} ${caller.userId}` : "";
}

function isForAdministrators(route: AnyRoute): boolean {
  const ways = waysInto(route);
  return ways.includes("admin") || ways.includes("operator");
}

/** @throws Forbidden when the roles of a user do not permit what the route names. */
async function checkPermission(
  guard: Guard,
  { permission }: AnyRoute,
  caller: Caller,
  { params, query, body }: { params: unknown; query: unknown; body: unknown },
): Promise<void> {
  if (caller.kind !== "user" || permission === undefined || permission === "signed-in") return;
  const fields = Object.assign({}, query, body, params) as object; // each is an object or undefined
  await guard.check(permission, caller, fields);
}

function present(route: AnyRoute, answer: unknown): Response {
  const status = route.status ?? 200;
  if (route.ok === undefined) return new Response(null, { status: status === 200 ? 204 : status });
  return json(route.ok.parse(answer), status);
}

/** 405 with `Allow` where the path exists for other methods (RFC 9110, 15.5.6), else 404. */
function unrouted({ method }: Request, path: string, allowed: readonly string[]): ApiError {
  if (allowed.length === 0)
    return new NotFound("not_found", `There is no ${path}. GET /docs lists what there is.`);
  const allow = allowed.join(", ");
  return new ApiError(405, "method_not_allowed", `${path} takes ${allow}, and not ${method}.`, {
    headers: { allow },
  });
}

/**
 * What failed because the process ends says so, with what had been done until then; what failed
 * because nobody waits any more is no fault.
 */
function failureOf(
  error: unknown,
  { abandoned, left }: { abandoned: boolean; left: AbortSignal },
): unknown {
  if (!(error instanceof ApiError)) {
    if (abandoned) return shuttingDown();
    const ended =
      left.aborted &&
      (error === left.reason || (error instanceof Error && error.name === "AbortError"));
    return ended
      ? new ApiError(CLIENT_LEFT, "client_left", "The client left before the answer.")
      : error;
  }
  const ours = error.code === "shutting_down" || (abandoned && error.status >= 500);
  return ours ? shuttingDown(error.details) : error;
}

function refused(request: Request): Response {
  const response = notNow(request, shuttingDown());
  response.headers.set("connection", "close");
  return response;
}

function starting(request: Request): Response {
  return notNow(
    request,
    new Unavailable("starting", "This server is starting. Try again in a moment.", 1_000),
  );
}

function notNow(request: Request, error: Unavailable): Response {
  const trace = traceOf(request);
  return sealed(errorResponse(error, trace.requestId), trace);
}

/**
 * Fixed segments come before parameters, whatever the order of declaration; the same path twice is
 * a fault.
 */
function sorted(services: readonly MountedService[]) {
  const all = services.flatMap(({ name, contract, routes }) =>
    routes.of(contract).map((entry) => ({ service: name, ...entry })),
  );
  const seen = new Map<string, string>();
  for (const { service, route } of all) {
    const key = `${route.method} ${route.path.replace(/:\w+/g, ":")}`;
    const other = seen.get(key);
    if (other)
      throw new Error(`${route.method} ${route.path} is declared by ${other} and by ${service}`);
    seen.set(key, service);
  }
  const rank = (path: string) => path.replace(/:\w+/g, "￿");
  return all.sort((a, b) => (rank(a.route.path) < rank(b.route.path) ? -1 : 1));
}
