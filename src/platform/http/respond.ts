import { currentContext } from "./context.ts";
import { ApiError } from "./errors.ts";
import { TextResponse } from "./lazy-response.ts";
import type { ErrorView } from "./route.ts";
import type { Trace } from "./trace.ts";

/** What every answer carries. Source: security row 20. */
const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
} as const;
const API_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new TextResponse(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}

/**
 * The one place where an error becomes an answer. Whatever is not an `ApiError` is a fault of ours:
 * logged whole, shown as nothing.
 */
/** How a route changes its errors. */
interface ErrorShape {
  errorBody?: ((error: ErrorView) => object) | undefined;
  statusOf?: ((status: number) => number) | undefined;
}

export function errorResponse(
  error: unknown,
  requestId: string,
  { errorBody, statusOf }: ErrorShape = {},
): Response {
  const failure = error instanceof ApiError ? error : unexpected(error);
  const { status, code, message, details, headers } = failure;
  const body = errorBody
    ? errorBody(failure)
    : { error: message, code, ...(details !== undefined && { details }), requestId };
  return json(body, statusOf?.(status) ?? status, headers);
}

function unexpected(error: unknown): ApiError {
  currentContext()?.log.error({ err: error }, "unexpected error");
  return new ApiError(
    500,
    "internal_error",
    "Something went wrong on our side. Try again; if it stays, give the request id to your administrator.",
  );
}

/** Adds the headers that every answer carries. */
export function sealed(response: Response, { requestId, traceparent }: Trace): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", API_POLICY);
  headers.set("x-request-id", requestId);
  headers.set("traceparent", traceparent);
  return response;
}
