import { z } from "zod";
import type { ErrorView } from "../../../platform/http/route.ts";

export const OpenAiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable().describe("The field that the error is about"),
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
  details,
  params,
}: ErrorView): z.input<typeof OpenAiError> {
  const type = typeOf(statusOf(status, code));
  const param = BY_NAME.has(code) ? String(params?.["name"]) : firstField(details);
  return { error: { message, type, param, code: THEIR_CODES[code] ?? code } };
}

/** Codes whose parameter `name` is a field of the request. */
const BY_NAME = new Set(["option_unsupported", "agent_has_settings"]);

/** The first field of a body that was found invalid. */
function firstField(details: unknown): string | null {
  // as `ApiError` of an invalid body has them
  const [first] = Array.isArray(details) ? (details as { path?: unknown }[]) : [];
  const path = first?.path;
  return typeof path === "string" && path.startsWith("body.") ? path.slice(5) : null;
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
