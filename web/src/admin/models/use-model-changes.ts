import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { type ModelValues, storedValues } from "./model-values.ts";
import { type AvailableModel, availableQuery, type Model, modelQuery } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

/** What was changed in the form of a model. */
export function useModelChanges(entry: AvailableModel, model: Model) {
  const texts = useModelTexts();
  const readEntry = useNewest(availableQuery(entry.id));
  const readModel = useNewest(modelQuery(model.id));
  return useOwnChanges<ModelValues>({
    stored: storedValues(entry, model),
    readNewest: async () =>
      storedValues(...(await Promise.all([readEntry(), readModel()]))),
    names: {
      displayName: texts.name,
      pricing: texts.prices,
      contextWindow: texts.contextWindow,
      maxOutputTokens: texts.maxOutput,
      capabilities: texts.abilities,
      queryPrefix: texts.queryPrefix,
      passagePrefix: texts.passagePrefix,
    },
  });
}
