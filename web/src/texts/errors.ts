import { useEffect, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { type Language, useLanguage } from "./language.ts";

type Sentence = string | ((params: Record<string, unknown>) => string);

/** Failures that no server states. */
const LOCAL: Record<string, string> = {
  offline: "The server cannot be reached. What you typed is kept; try again in a moment.",
  timeout: "The server took too long to answer. Try again.",
  bad_answer:
    "The server sent an answer that this page does not understand. Reload the page.",
  interrupted: "The connection was interrupted. Try again.",
  page_failed: "This part of the page failed. Reload the page; nothing you typed is lost.",
};

const loaded: Partial<Record<Language, Record<string, Sentence>>> = { en: LOCAL };

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
  const sentence = loaded[language]?.[code];
  if (sentence === undefined) return message;
  return typeof sentence === "string" ? sentence : sentence(params);
}

async function loadErrors(language: Language): Promise<void> {
  if (language !== "de") return;
  const { errors } = await import("./errors.de.ts");
  loaded.de = errors;
}
