import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { texts } from "../texts/language.ts";
import { modelsQuery } from "./queries.ts";

const en = { offline: "Offline (no language model)" };
const useModelTexts = texts({ en, de: { offline: "Offline (kein Sprachmodell)" } });

/** The models that the user may ask, best first; undefined until they are known. */
export function useModels() {
  const { offline } = useModelTexts();
  const { data } = useQuery(modelsQuery);
  return useMemo(
    () =>
      data?.items.map((model) =>
        // an administrator may have given it another name
        model.displayName === en.offline ? { ...model, displayName: offline } : model,
      ),
    [data, offline],
  );
}
