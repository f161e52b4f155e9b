import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "../telemetry/log.ts";
import type { BodyShare } from "./body-budget.ts";
import type { Caller } from "./caller.ts";
import type { Trace } from "./trace.ts";

/** The context of a request, which all calls that it causes share. */
export interface RequestContext extends Trace {
  log: Logger;
  /** Counts the bytes of the request's body. Absent for calls within the process. */
  body?: BodyShare | undefined;
  /** Whose work this is. Between services the one for whom a service calls. */
  userId?: string | undefined;
}

/** Names the user for whom a service calls another. From outside it has no effect. */
const ACTING_USER = "x-acting-user";
const MAX_USER_CHARACTERS = 1_000;

const storage = new AsyncLocalStorage<RequestContext>();

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/**
 * The headers that carry the trace of the current request to another server; none outside a
 * request.
 */
export function traceHeaders(): Record<string, string> {
  const context = storage.getStore();
  return context
    ? { "x-request-id": context.requestId, traceparent: context.traceparent }
    : {};
}

/** The headers that carry the context of the current request to another service. */
export function contextHeaders(): Record<string, string> {
  const userId = storage.getStore()?.userId;
  const trace = traceHeaders();
  return userId === undefined
    ? trace
    : { ...trace, [ACTING_USER]: encodeURIComponent(userId.toWellFormed()) };
}

/** The user for whom a request does its work. */
export function workingFor(caller: Caller, { headers }: Request): string | undefined {
  if (caller.kind === "user") return caller.userId;
  const named = caller.kind === "service" ? headers.get(ACTING_USER) : null;
  if (named === null || named.length > MAX_USER_CHARACTERS) return undefined;
  try {
    return decodeURIComponent(named);
  } catch {
    return undefined;
  }
}

export function withContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The listener on which a request arrived, and its client. */
export interface Connection {
  /**
   * `public`: PORT. `internal`: INTERNAL_PORT. `in-process`: a function call of another service.
   */
  listener: "public" | "internal" | "in-process";
  /** The address of the client. */
  peer: string;
  /** Whether routes between services need no credential on this connection. */
  trusted: boolean;
  /** Whether only the operator and programs of the operator's network can make this connection. */
  isLocal: boolean;
}
