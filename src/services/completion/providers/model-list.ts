import { z } from "zod";
import {
  contextWindowOf,
  kindOfModel,
  type ListedKind,
  ModelHints,
  visionOf,
} from "./classify-model.ts";
import { withoutTrailingSlash } from "./addresses.ts";
import { nameModel } from "./name-model.ts";

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
  /** Whether it reads images, where the provider says so. */
  vision?: boolean | undefined;
}

const name = z.string().trim().min(1).optional().catch(undefined);
/** Servers name a model by its `id` at most; Ollama and Gemini by `name`. */
const Entry = ModelHints.extend({
  id: name,
  name,
  model: name,
  slug: name,
  display_name: name,
  displayName: name,
});
const NamedEntry = z.string().transform((id) => Entry.parse({ id }));

const entries = z.array(z.unknown());
const Entries = z.union([
  entries,
  z.object({ data: entries }).transform(({ data }) => data),
  z.object({ models: entries }).transform(({ models }) => models),
]);

/**
 * A list of models as any server writes it: in `data`, in `models`, or bare, of objects or names.
 * An entry that names no model is left out.
 */
export const ModelList = Entries.transform((list, context): OfferedModel[] => {
  const models = new Map<string, OfferedModel>();
  for (const one of list) {
    const entry = z.union([Entry, NamedEntry]).safeParse(one).data;
    const model = entry && toOfferedModel(entry);
    if (model) models.set(model.providerModelId, model);
  }
  if (list.length > 0 && models.size === 0)
    context.addIssue({ code: "custom", message: "no entry names a model" });
  return [...models.values()];
});

function toOfferedModel(entry: z.output<typeof Entry>): OfferedModel | undefined {
  const { display_name: snake, displayName, ...hints } = entry;
  const id = entry.id ?? entry.name ?? entry.model ?? entry.slug;
  if (id === undefined) return undefined;
  return {
    providerModelId: id,
    displayName: displayName ?? snake ?? nameModel(id),
    kind: kindOfModel(id, hints),
    contextWindow: contextWindowOf(hints),
    vision: visionOf(hints),
  };
}

/** `GET /models`, as OpenAI and many others list their models. */
export function openAiModelList(
  baseUrl: string,
  headers: Record<string, string>,
  query = "",
): ModelListRequest {
  const url = `${withoutTrailingSlash(baseUrl)}/models${query}`;
  return { url, headers, answer: ModelList };
}
