import type { Logger } from "../telemetry/log.ts";
import { admit, type Authenticator } from "./access.ts";
import type { BodyBudget, BodyShare } from "./body-budget.ts";
import type { Caller, ScimClient, User } from "./caller.ts";
import { currentContext, withContext, workingFor, type Connection } from "./context.ts";
import { ApiError, shuttingDown } from "./errors.ts";
import type { Auditor, Guard } from "./guard.ts";
import type { Running } from "./in-flight.ts";
import { mayHoldCredential } from "./may-hold-credential.ts";
import { TextResponse } from "./lazy-response.ts";
import { readAnswer } from "./read-answer.ts";
import { readInput } from "./read-input.ts";
import { addStandardHeaders, errorResponse, json, typeOf } from "./respond.ts";
import { type AnyRoute, waysInto } from "./route.ts";
import type { Handler } from "./routes.ts";
import { whileAdmitted } from "./still-admitted.ts";
import { StreamResponse } from "./stream.ts";
import { mayStream, type StreamLimit } from "./stream-limit.ts";
import { type Trace, traceOf } from "./trace.ts";

/** The dependencies that all requests of an app share. */
export interface DispatchDeps {
  auth: Authenticator;
  /** What roles permit, checked after the route admitted a user. */
  guard: Guard;
  auditor: Auditor | undefined;
  /** How many streams a user may have open. Undefined: any number. */
  streams: StreamLimit | undefined;
  /** How long a stream outlives the access token that opened it. */
  streamExpiryGraceMs: number;
  bodies: BodyBudget;
  /** Called after each successful request of a user or an identity provider. Must not throw. */
  onSuccess: OnSuccess | undefined;
  log: Logger;
}

export type OnSuccess = (done: {
  route: AnyRoute;
  params: Record<string, string>;
  caller: User | ScimClient;
  input: { body: unknown };
}) => void;

/** A request and the route that it matches. */
export interface Matched {
  route: AnyRoute;
  handler: Handler<AnyRoute>;
  request: Request;
  params: Record<string, string>;
  connection: Connection;
  running: Running;
  /** Records the duration and status of the request. */
  observe: (status: number) => void;
}

type Input = Awaited<ReturnType<typeof readInput>>;

/** The status that nginx logs when a client closes its connection. No client receives it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Answers a request: checks credentials, input and permission, then calls the handler. */
export function dispatch(deps: DispatchDeps, matched: Matched): Promise<Response> {
  const trace = traceOf(matched.request);
  const log = deps.log.child({ ...trace });
  const exchange = new Exchange(deps, matched, trace, log);
  return withContext({ ...trace, log }, () => exchange.respond());
}

/** One request and its answer, until the answer is complete. */
class Exchange {
  readonly #deps: DispatchDeps;
  readonly #matched: Matched;
  readonly #trace: Trace;
  readonly #log: Logger;
  /** Aborts when no client waits for the answer any more. */
  readonly #gone = new AbortController();
  readonly #onAbort = () => this.#gone.abort(this.#matched.request.signal.reason);
  #isAbandoned = false;
  #bodyShare: BodyShare | undefined;
  #releaseStream: (() => Promise<void>) | undefined;
  #readmit: (() => Promise<void>) | undefined;

  constructor(deps: DispatchDeps, matched: Matched, trace: Trace, log: Logger) {
    this.#deps = deps;
    this.#matched = matched;
    this.#trace = trace;
    this.#log = log;
  }

  async respond(): Promise<Response> {
    const { request, route, running } = this.#matched;
    request.signal.addEventListener("abort", this.#onAbort, { once: true });
    // named before it is assigned: V8 keeps a function written into an assignment, and everything
    // that it references, in the old generation
    const abandon = () => this.#abandon();
    if (this.#isFromOutside) running.onAbandon = abandon;
    let response: Response;
    try {
      response = await this.#handle();
    } catch (error) {
      response = errorResponse(this.#toFailure(error), this.#trace.requestId, route);
    }
    addStandardHeaders(response, this.#trace);
    if (response instanceof TextResponse && mayHoldCredential(route))
      response.isCompressible = false;
    if (response instanceof StreamResponse) this.#follow(response);
    else await this.#finish(response.status);
    return response;
  }

  /** A call within this process passes on a body and a stream that were counted at the listener. */
  get #isFromOutside(): boolean {
    return this.#matched.connection.listener !== "in-process";
  }

  async #handle(): Promise<Response> {
    const { auth, bodies, guard, streams } = this.#deps;
    const { route, handler, request, params, connection } = this.#matched;
    const caller = await admit(route, request, connection, auth);
    const context = currentContext();
    if (context) context.userId = workingFor(caller, request);
    if (this.#isFromOutside) this.#bodyShare = openShare(bodies, caller, connection);
    const input = await readInput(route, request, params);
    await checkPermission(guard, route, caller, input);
    if (streams && caller.kind === "user" && this.#isFromOutside && mayStream(route))
      this.#releaseStream = await streams.enter(caller, route);
    let admitted = caller;
    const readmit = async () => {
      admitted = await admit(route, request, connection, auth);
      await checkPermission(guard, route, admitted, input);
    };
    this.#readmit = readmit;
    const answer = await handler({
      ...input,
      caller,
      callerNow: () => admitted,
      request,
      signal: this.#gone.signal,
      requestId: this.#trace.requestId,
      log: this.#log,
      peer: connection.peer,
    });
    const response = answer instanceof Response ? answer : this.#toResponse(answer);
    await this.#audit(
      caller,
      input,
      response,
      answer instanceof Response ? undefined : answer,
    );
    const mayChange = caller.kind === "user" || caller.kind === "scim";
    if (mayChange && response.ok && this.#isFromOutside)
      this.#deps.onSuccess?.({ route, params, caller, input });
    return response;
  }

  #toResponse(answer: unknown): Response {
    const { route } = this.#matched;
    const status = route.status ?? 200;
    if (route.ok === undefined)
      return new Response(null, { status: status === 200 ? 204 : status });
    const read = readAnswer(route.ok, answer, (item) =>
      this.#log.error({ route: route.path, ...item }, "An item of a list was left out"),
    );
    return json(read, status, typeOf(route.mediaType));
  }

  async #audit(
    caller: Caller,
    { query, body }: Input,
    response: Response,
    answer: unknown,
  ): Promise<void> {
    const { route, params } = this.#matched;
    if (caller.kind !== "user" || !response.ok || !isForAdministrators(route)) return;
    await this.#deps.auditor?.(route, caller, { params, query, body, answer });
  }

  /**
   * Keeps the request open until the stream ends, and ends the stream when its reader loses access.
   */
  #follow(stream: StreamResponse): void {
    const { status } = stream;
    const { streamExpiryGraceMs: expiryGraceMs } = this.#deps;
    const cancel = () => this.#gone.abort();
    const endEarly = (reason: ApiError) => {
      stream.giveUp(reason);
      this.#gone.abort(reason);
    };
    const admitted = this.#readmit;
    const stopChecks =
      admitted && this.#isFromOutside
        ? whileAdmitted({ admitted, end: endEarly, expiryGraceMs })
        : undefined;
    const end = () => {
      stopChecks?.();
      return this.#finish(status);
    };
    const abandon = () => {
      stream.giveUp(shuttingDown());
      this.#abandon();
    };
    stream.onEnd = end;
    stream.onCancel = cancel;
    if (!this.#isFromOutside) return;
    const { route, running } = this.#matched;
    running.onAbandon = abandon;
    if (route.endsAtShutdown) running.onDrain = abandon;
  }

  #abandon(): void {
    this.#isAbandoned = true;
    this.#gone.abort(shuttingDown());
  }

  /** A client may ask again as soon as it has the answer, so its place is free before. */
  async #finish(status: number): Promise<void> {
    const { request, running, observe } = this.#matched;
    request.signal.removeEventListener("abort", this.#onAbort);
    this.#bodyShare?.release();
    observe(status);
    await this.#releaseStream?.();
    running.finished();
  }

  /**
   * Reports a failure caused by a shutdown as such, with the details of the work done so far. A
   * failure because the client left is not an error of the server.
   */
  #toFailure(error: unknown): unknown {
    if (error instanceof ApiError) {
      const isOurs =
        error.code === "shutting_down" || (this.#isAbandoned && error.status >= 500);
      return isOurs ? shuttingDown(error.details) : error;
    }
    if (this.#isAbandoned) return shuttingDown();
    const { aborted, reason } = this.#gone.signal;
    const isAbort =
      error === reason || (error instanceof Error && error.name === "AbortError");
    if (!aborted || !isAbort) return error;
    return new ApiError(
      CLIENT_CLOSED_REQUEST,
      "client_left",
      "The client left before the answer.",
    );
  }
}

function openShare(bodies: BodyBudget, caller: Caller, { peer }: Connection): BodyShare {
  const key = budgetKey(caller);
  // strangers share the memory, but not what one of them holds open
  const share = bodies.open(key, key === "" ? `address ${peer}` : key);
  const context = currentContext();
  if (context) context.body = share;
  return share;
}

/** Services have no limit of their own; all anonymous clients share one. */
function budgetKey(caller: Caller): string | undefined {
  if (caller.kind === "service") return undefined;
  if (caller.kind === "scim") return `scim ${caller.tokenId}`;
  return caller.kind === "user" ? `${caller.clientId} ${caller.userId}` : "";
}

function isForAdministrators(route: AnyRoute): boolean {
  const ways = waysInto(route);
  return ways.includes("admin") || ways.includes("operator");
}

/** @throws Forbidden when the user's roles do not grant the route's permission. */
async function checkPermission(
  guard: Guard,
  { permission }: AnyRoute,
  caller: Caller,
  { params, query, body }: Input,
): Promise<void> {
  if (caller.kind !== "user" || permission === undefined || permission === "signed-in")
    return;
  const fields = Object.assign({}, query, body, params) as object; // each is an object or undefined
  await guard.check(permission, caller, fields);
}
