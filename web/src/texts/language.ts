import { useSyncExternalStore } from "react";
import { keepInBrowser } from "../api/keep-in-browser.ts";

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
  keepInBrowser(KEY, next);
  applyLanguage(next);
}

/** The same with a choice of another device, which may be none that is known here. */
export function followLanguage(next: string | undefined): void {
  if (next !== undefined && isLanguage(next) && next !== language) chooseLanguage(next);
}

export function currentLanguage(): Language {
  return language;
}

/**
 * The browser's own form of the language, such as `en-GB`, or else the language alone: for how
 * dates, times and numbers are written.
 */
export function currentLocale(): string {
  return navigator.languages.find(isOwnForm) ?? language;
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, currentLanguage);
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

/** Calls when the reader chooses another language; returns how to stop that. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Chromium under the POSIX locale lists `en-US@posix`, which `Intl` refuses. */
function isOwnForm(tag: string): boolean {
  return tag.slice(0, 2) === language && /^[a-z]{2}(-\w+)*$/i.test(tag);
}

function isLanguage(tag: string): tag is Language {
  return tag in LANGUAGES;
}
