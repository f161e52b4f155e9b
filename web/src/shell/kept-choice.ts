import { useSyncExternalStore } from "react";
import { keepInBrowser } from "../api/keep-in-browser.ts";

interface Kept<Choice extends string> {
  /** The part of the key in `localStorage`, and the data attribute of the page. */
  name: string;
  /** The first is how the page is without a choice. */
  choices: readonly [Choice, ...Choice[]];
}

/**
 * A choice that shows in the look of the whole page: an attribute of the document, for the styles.
 * This browser keeps it, so that the next page begins with it.
 */
export function keptChoice<const Choice extends string>({ name, choices }: Kept<Choice>) {
  const key = `parlance.${name}`;
  const listeners = new Set<() => void>();
  const find = (value: unknown) => choices.find((choice) => choice === value);
  let chosen: Choice | undefined;
  const current = (): Choice => chosen ?? find(localStorage.getItem(key)) ?? choices[0];
  const apply = () => {
    const choice = current();
    if (choice === choices[0]) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = choice;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    choices,
    /** Called once, before the first render. */
    start: apply,
    /** Does nothing with what is no choice, such as one of a later version. */
    choose(value: unknown) {
      const choice = find(value);
      if (choice === undefined || choice === current()) return;
      chosen = choice;
      keepInBrowser(key, choice);
      apply();
      for (const listener of listeners) listener();
    },
    use: (): Choice => useSyncExternalStore(subscribe, current),
  };
}
