import { useEffect, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { fillParams } from "./fill-params.ts";
import { type Language, useLanguage } from "./language.ts";

/** Failures that no server states. */
const LOCAL: Record<string, string> = {
  offline: "The server cannot be reached. What you typed is kept; try again in a moment.",
  timeout: "The server took too long to answer. Try again.",
  bad_answer:
    "The server sent an answer that this page does not understand. Reload the page.",
  interrupted: "The connection was interrupted. Try again.",
  page_failed: "This part of the page failed. Reload the page; nothing you typed is lost.",
};

interface Sentences {
  errors: Record<string, string>;
  /** Sentences with gaps for the values of the error. */
  errorsWithParams: Record<string, string>;
}

const loaded: Partial<Record<Language, Sentences>> = {
  en: { errors: LOCAL, errorsWithParams: {} },
};

/** What to say of a failure. The server's own English sentence is the last resort. */
export function useErrorText(failure: Failure | null | undefined): string {
  const language = useLanguage();
  const [, rerender] = useState(0);
  useEffect(() => {
    if (!failure || loaded[language]) return undefined;
    let isCurrent = true;
    void loadErrors(language).then(() => isCurrent && rerender((count) => count + 1));
    return () => {
      isCurrent = false;
    };
  }, [failure, language]);
  return failure ? errorText(failure, language) : "";
}

export function errorText({ code, params, message }: Failure, language: Language): string {
  const sentences = loaded[language];
  const sentence = sentences?.errorsWithParams[code];
  const filled = sentence === undefined ? undefined : fillParams(sentence, params);
  return filled ?? sentences?.errors[code] ?? message;
}

async function loadErrors(language: Language): Promise<void> {
  if (language !== "de") return;
  const [{ errors }, { errorsWithParams }] = await Promise.all([
    import("./errors.de.ts"),
    import("./errors-params.de.ts"),
  ]);
  loaded.de = { errors, errorsWithParams };
}
