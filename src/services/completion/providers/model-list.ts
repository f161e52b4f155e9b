import { z } from "zod";
import {
  contextWindowOf,
  kindOfModel,
  type ListedKind,
  ModelHints,
} from "./classify-model.ts";
import { withoutTrailingSlash } from "./settings.ts";

/** A request for a provider's models, and how its answer is read. */
export interface ModelListRequest {
  url: string;
  headers: Record<string, string>;
  answer: z.ZodType<OfferedModel[]>;
}

/** A model as a provider lists it. */
export interface OfferedModel {
  providerModelId: string;
  displayName: string;
  kind: ListedKind;
  contextWindow?: number | undefined;
}

const OpenAiAnswer = z
  .object({
    data: z.array(
      ModelHints.extend({ id: z.string(), display_name: z.string().optional() }),
    ),
  })
  .transform(({ data }) =>
    data.map(({ id, display_name: name, ...hints }) => toOfferedModel(id, name, hints)),
  );

/** `GET /models`, as OpenAI and many others list their models. */
export function openAiModelList(
  baseUrl: string,
  headers: Record<string, string>,
  query = "",
): ModelListRequest {
  const url = `${withoutTrailingSlash(baseUrl)}/models${query}`;
  return { url, headers, answer: OpenAiAnswer };
}

export function toOfferedModel(
  id: string,
  displayName: string | undefined,
  hints: ModelHints,
): OfferedModel {
  return {
    providerModelId: id,
    displayName: displayName ?? id,
    kind: kindOfModel(id, hints),
    contextWindow: contextWindowOf(hints),
  };
}
