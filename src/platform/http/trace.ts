import { randomUUID } from "node:crypto";

/** Identifies a request in its answer, in the log, and to every service that it calls. */
export interface Trace {
  requestId: string;
  /** W3C trace context. */
  traceparent: string;
}

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Reads the trace from the request's headers if they are valid; otherwise starts one. */
export function traceOf({ headers }: Request): Trace {
  const requestId = headers.get("x-request-id");
  const traceparent = headers.get("traceparent");
  return {
    // a random id; one that sorts by time takes five times as long to make
    requestId:
      requestId !== null && /^[\w.:-]{1,128}$/.test(requestId) ? requestId : randomUUID(),
    traceparent:
      traceparent !== null && TRACEPARENT.test(traceparent)
        ? traceparent
        : newTraceparent(),
  };
}

/** A trace of a request whose headers cannot be read. */
export function newTrace(): Trace {
  return { requestId: randomUUID(), traceparent: newTraceparent() };
}

/** Not sampled: no spans are collected here. */
function newTraceparent(): string {
  return `00-${randomUUID().replaceAll("-", "")}-${randomUUID().replaceAll("-", "").slice(0, 16)}-00`;
}
