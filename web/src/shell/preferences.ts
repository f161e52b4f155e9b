import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followLanguage } from "../texts/language.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { density, textSize } from "./display.ts";
import {
  changePreferences,
  type PreferenceChange,
  type Preferences,
  preferencesQuery,
} from "./preferences-queries.ts";
import { theme } from "./theme.ts";
import { keepInBrowser } from "../api/keep-in-browser.ts";

/** How far a change is that the server is to keep. */
export type SaveState = "saving" | "saved" | "failed";

const MODEL_KEY = "parlance.defaultModel";
const CHANGES = ["preferences", "change"];

/** Follows what the person chose on another device. What was never chosen stays as it is here. */
export function useAppliedPreferences(): void {
  const { data } = useQuery(preferencesQuery);
  useEffect(() => {
    if (data) apply(data);
  }, [data]);
}

/** The model that new conversations begin with, if the person chose one. */
export function defaultModel(): string | undefined {
  return localStorage.getItem(MODEL_KEY) ?? undefined;
}

/**
 * Chooses here at once, and on the server for the other devices. One change is sent after the
 * other, so that the last one counts; then what the server has is read again.
 * @param report hears how far the last change is.
 */
export function useChoose(
  report?: (state: SaveState) => void,
): (change: PreferenceChange) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: CHANGES,
    mutationFn: changePreferences,
    scope: { id: "preferences" },
    onError: notifyFailure,
    onSettled() {
      if (queries.isMutating({ mutationKey: CHANGES }) > 1) return undefined;
      return queries.invalidateQueries(preferencesQuery);
    },
  });
  return (change) => {
    // an answer that is under way does not know of the change
    void queries.cancelQueries(preferencesQuery);
    queries.setQueryData(preferencesQuery.queryKey, (known) =>
      known ? { ...known, ...change } : known,
    );
    applyLook(change);
    if (change.model !== undefined) keepModel(change.model);
    report?.("saving");
    mutate(change, {
      onSuccess: () => report?.("saved"),
      onError: () => report?.("failed"),
    });
  };
}

function apply(chosen: Preferences): void {
  applyLook(chosen);
  keepModel(chosen.model);
}

function applyLook(chosen: PreferenceChange): void {
  theme.choose(chosen.theme);
  textSize.choose(chosen.textSize);
  density.choose(chosen.density);
  followLanguage(chosen.language ?? undefined);
}

function keepModel(model: string | null | undefined): void {
  keepInBrowser(MODEL_KEY, model ?? undefined);
}
