import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { texts } from "../texts/language.ts";
import { modelsQuery } from "./queries.ts";

/** The names of what is built in, as the server writes them. */
const en = {
  model: "Offline (no language model)",
  provider: "Built-in offline model",
};
const useModelTexts = texts({
  en,
  de: {
    model: "Offline (kein Sprachmodell)",
    provider: "Eingebautes Offline-Modell",
  } satisfies typeof en,
});

/**
 * Names of models and providers in the reader's language, where they are built in. An administrator
 * may have given them others.
 */
export function useModelNames(): (displayName: string) => string {
  const { model, provider } = useModelTexts();
  return useMemo(() => {
    const worded = new Map([
      [en.model, model],
      [en.provider, provider],
    ]);
    return (displayName) => worded.get(displayName) ?? displayName;
  }, [model, provider]);
}

/** The models that the user may ask, best first; undefined until they are known. */
export function useModels() {
  const nameOf = useModelNames();
  const { data } = useQuery(modelsQuery);
  return useMemo(
    () =>
      data?.items.map((model) => ({
        ...model,
        displayName: nameOf(model.displayName),
        providerDisplayName: nameOf(model.providerDisplayName),
      })),
    [data, nameOf],
  );
}
