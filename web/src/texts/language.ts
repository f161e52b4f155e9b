import { useSyncExternalStore } from "react";

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = "parlance.language";
const listeners = new Set<() => void>();
let language: Language = "en";

/** Reads the chosen language, or else the browser's. Called once, before the first render. */
export function startLanguage(): void {
  const wanted = [localStorage.getItem(KEY) ?? "", ...navigator.languages];
  const known = wanted.map((tag) => tag.slice(0, 2)).find(isLanguage);
  applyLanguage(known ?? "en");
}

export function chooseLanguage(next: Language): void {
  localStorage.setItem(KEY, next);
  applyLanguage(next);
}

export function currentLanguage(): Language {
  return language;
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage);
}

/**
 * A hook that returns the texts of the current language. `de satisfies typeof en` in the file of
 * the German texts makes a missing one an error of the compiler.
 */
export function texts<Texts>(dictionaries: Record<Language, Texts>): () => Texts {
  return () => dictionaries[useLanguage()];
}

function applyLanguage(next: Language): void {
  language = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isLanguage(tag: string): tag is Language {
  return tag in LANGUAGES;
}
