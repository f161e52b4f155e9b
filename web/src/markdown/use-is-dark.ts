import { useSyncExternalStore } from "react";

/** Whether the page is dark, by its own setting or by the system's. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, isDark);
}

const system = () => matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : system().matches;
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const query = system();
  query.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", onChange);
  };
}
