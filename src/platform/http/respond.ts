import { currentContext } from "./context.ts";
import { ApiError, InternalError } from "./errors.ts";
import { TextResponse } from "./lazy-response.ts";
import type { ErrorView } from "./route.ts";
import type { Trace } from "./trace.ts";

/** Headers of every answer. See docs/security.md. */
const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
} as const;
export const API_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function json(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): TextResponse {
  return new TextResponse(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}

/** The header of an answer that is JSON of another media type. */
export function typeOf(mediaType: string | undefined): Record<string, string> {
  return mediaType === undefined ? {} : { "content-type": mediaType };
}

/** How a route changes its errors. */
export interface ErrorShape {
  errorBody?: ((error: ErrorView) => object) | undefined;
  statusOf?: ((status: number, code?: string) => number) | undefined;
  mediaType?: string | undefined;
}

/**
 * The only place where an error becomes an answer. Any error but an `ApiError` is a fault of the
 * server: it is logged in full and its content is never sent.
 */
export function errorResponse(
  error: unknown,
  requestId: string,
  { errorBody, statusOf, mediaType }: ErrorShape = {},
): TextResponse {
  const failure = error instanceof ApiError ? error : unexpected(error);
  const { status, code, message, details, params, headers } = failure;
  const body = errorBody
    ? errorBody(failure)
    : {
        error: message,
        code,
        ...(details !== undefined && { details }),
        ...(params && { params }),
        requestId,
      };
  return json(body, statusOf?.(status, code) ?? status, {
    ...typeOf(mediaType),
    ...headers,
  });
}

function unexpected(error: unknown): ApiError {
  currentContext()?.log.error({ err: error }, "unexpected error");
  return new InternalError();
}

/** Adds the headers of every answer. */
export function addStandardHeaders<R extends Response>(
  response: R,
  { requestId, traceparent }: Trace,
): R {
  const { headers } = response;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
  if (!headers.has("x-frame-options")) headers.set("x-frame-options", "DENY");
  if (!headers.has("content-security-policy"))
    headers.set("content-security-policy", API_POLICY);
  headers.set("x-request-id", requestId);
  headers.set("traceparent", traceparent);
  return response;
}
