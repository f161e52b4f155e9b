import { z } from "zod";
import type { ErrorView } from "../../../platform/http/route.ts";

export const OpenAiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.null(),
    code: z.string(),
  }),
});

/** A provider's limit of requests has the status by which clients know limits. */
export function statusOf(status: number, code?: string): number {
  return code === "provider_rate_limited" ? 429 : status;
}

/** Codes of ours that OpenAI's clients know by another name. */
const THEIR_CODES: Record<string, string> = { model_unknown: "model_not_found" };

/** An error in OpenAI's form; `code` is ours, but for what clients compare. */
export function errorBody({
  status,
  code,
  message,
}: ErrorView): z.input<typeof OpenAiError> {
  const type = typeOf(statusOf(status, code));
  return { error: { message, type, param: null, code: THEIR_CODES[code] ?? code } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
