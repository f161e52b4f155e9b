import type { Model } from "../openai-api/contract.ts";
import { modelNotFound } from "../openai-api/list-models.ts";
import {
  type AnthropicModel,
  type AnthropicModels,
  type PageOfModels,
  VERSION_HEADER,
} from "./contract-models.ts";

const DEFAULT_LIMIT = 20;

export function asksAsAnthropic({ headers }: Request): boolean {
  return headers.has(VERSION_HEADER);
}

export function toAnthropicModel({ id, created }: Model): AnthropicModel {
  return {
    type: "model",
    id,
    display_name: id,
    created_at: new Date(created * 1_000).toISOString(),
  };
}

/**
 * A part of the list: before a model, behind one, or the first.
 * @throws NotFound `model_not_found` for a model that is not listed.
 */
export function pageOfModels(
  models: readonly Model[],
  { limit = DEFAULT_LIMIT, after_id: after, before_id: before }: PageOfModels,
): AnthropicModels {
  const isBackwards = before !== undefined;
  const start = after === undefined ? 0 : placeOf(models, after) + 1;
  const end = isBackwards ? placeOf(models, before) : start + limit;
  const from = isBackwards ? Math.max(0, end - limit) : start;
  const data = models.slice(from, end).map(toAnthropicModel);
  return {
    data,
    has_more: isBackwards ? from > 0 : end < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function placeOf(models: readonly Model[], id: string): number {
  const place = models.findIndex((one) => one.id === id);
  if (place < 0) throw modelNotFound(id);
  return place;
}
