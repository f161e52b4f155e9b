import { randomUUID } from "node:crypto";

/** By what a request is known: in its answer, in the log, and to every service that it reaches. */
export interface Trace {
  requestId: string;
  /** W3C trace context. */
  traceparent: string;
}

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** As the request says, where it does so well; otherwise new. Source: design "Everywhere". */
export function traceOf({ headers }: Request): Trace {
  const requestId = headers.get("x-request-id");
  const traceparent = headers.get("traceparent");
  return {
    // of no order, and made in a fifth of the time of one that has some
    requestId: requestId !== null && /^[\w.:-]{1,128}$/.test(requestId) ? requestId : randomUUID(),
    traceparent:
      traceparent !== null && TRACEPARENT.test(traceparent) ? traceparent : newTraceparent(),
  };
}

/** Not sampled: nobody here collects spans. */
function newTraceparent(): string {
  return `00-${randomUUID().replaceAll("-", "")}-${randomUUID().replaceAll("-", "").slice(0, 16)}-00`;
}
