import { APICallError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { isRecord } from "../../../platform/json/is-record.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { errorFailure, refusalFailure } from "../explain-refusal.ts";
import {
  cutFailure,
  invalidFailure,
  statusFailure,
  unreachableFailure,
} from "../provider-failures.ts";

/** The error of an AI SDK call or stream as one of ours, without the provider's own words. */
export function toProviderFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // the protocol of the provider cannot express the request
  if (UnsupportedFunctionalityError.isInstance(error)) return statusFailure(400);
  if (APICallError.isInstance(error)) return toCallFailure(error);
  const sent = errorInChunk(error);
  if (sent !== undefined) return errorFailure(sent);
  const name = error instanceof Error ? error.name : "";
  // a RangeError means JSON that is nested deeper than the stack
  if (/parse|validation|invalid|range/i.test(name)) return invalidFailure(error);
  if (isConnectionCut(error)) return cutFailure(error);
  // an error that the provider sent in its stream
  return errorFailure(error);
}

function toCallFailure(error: APICallError): ApiError {
  const { statusCode, responseHeaders } = error;
  if (statusCode !== undefined && statusCode >= 300)
    return refusalFailure(
      statusCode,
      responseHeaders?.["retry-after"],
      error.responseBody ?? "",
    );
  if (statusCode !== 200) return unreachableFailure(error);
  return isConnectionCut(error.cause) ? cutFailure(error) : invalidFailure(error);
}

/** What is no chunk of a reply may be an error, as Mistral writes it. */
function errorInChunk(error: unknown): unknown {
  const { value } = (error ?? {}) as { value?: unknown }; // that which was not valid
  if (!isRecord(value)) return undefined;
  const isError = value["object"] === "error" || value["type"] === "error";
  return value["error"] ?? (isError ? value : undefined);
}

/** undici's `fetch` throws this when the connection ends before the body. */
function isConnectionCut(error: unknown): boolean {
  return error instanceof TypeError && /terminated|aborted/i.test(error.message);
}
