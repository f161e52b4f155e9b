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

/** An error in OpenAI's form; `code` is ours. */
export function errorBody({
  status,
  code,
  message,
}: ErrorView): z.input<typeof OpenAiError> {
  return { error: { message, type: typeOf(status), param: null, code } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
