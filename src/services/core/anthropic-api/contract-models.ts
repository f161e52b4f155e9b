import { z } from "zod";
import type { ErrorView } from "../../../platform/http/route.ts";
import { errorBody } from "../openai-api/contract-errors.ts";

/** All clients of Anthropic's API send it, and others do not. */
export const VERSION_HEADER = "anthropic-version";

export const AnthropicModel = z.object({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  created_at: z.iso.datetime(),
});
export type AnthropicModel = z.output<typeof AnthropicModel>;

export const AnthropicModels = z.object({
  data: z.array(AnthropicModel),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
export type AnthropicModels = z.output<typeof AnthropicModels>;

const Id = z.string().max(300).optional();
/** How Anthropic's clients ask for a part of the list. */
export const PageOfModels = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
  after_id: Id,
  before_id: Id,
});
export type PageOfModels = z.output<typeof PageOfModels>;

/** An error that the clients of both can read. */
export function errorOfBoth(error: ErrorView) {
  return { type: "error" as const, ...errorBody(error) };
}
