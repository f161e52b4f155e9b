import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "../telemetry/log.ts";
import type { BodyShare } from "./body-budget.ts";
import type { Trace } from "./trace.ts";

/** The context of a request, which all calls that it causes share. */
export interface RequestContext extends Trace {
  log: Logger;
  /** Counts the bytes of the request's body. Absent for calls within the process. */
  body?: BodyShare | undefined;
}

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

export function withContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}
