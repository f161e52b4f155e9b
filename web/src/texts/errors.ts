import { useEffect, useState } from "react";
import type { Failure, LocalCode } from "../api/failure.ts";
import { fillParams } from "./fill-params.ts";
import { currentLanguage, type Language, useLanguage } from "./language.ts";
import { loadPart } from "../api/load-part.ts";

/** Failures with a sentence of this app, in every language: some keep the others from loading. */
const LOCAL: Record<Language, Record<LocalCode, string>> = {
  en: {
    offline: "The server cannot be reached. What you typed is kept; try again in a moment.",
    timeout: "The server took too long to answer. Try again.",
    bad_answer:
      "The server sent an answer that this page does not understand. Reload the page.",
    connection_cut: "The connection was interrupted. Try again.",
    page_failed:
      "This part of the page failed. Reload the page; nothing you typed is lost.",
    changed_meanwhile:
      "Nothing is saved yet. Somebody else changed this in the meantime: {fields}. Save again to replace it with yours.",
    address_wrong: "There is nothing at this address. Check whether the link is complete.",
  },
  de: {
    offline:
      "Der Server ist nicht erreichbar. Was Sie getippt haben, bleibt; versuchen Sie es gleich erneut.",
    timeout: "Der Server hat zu lange für die Antwort gebraucht. Versuchen Sie es erneut.",
    bad_answer:
      "Der Server hat etwas Unverständliches geantwortet. Laden Sie die Seite neu.",
    connection_cut: "Die Verbindung wurde unterbrochen. Versuchen Sie es erneut.",
    page_failed:
      "Dieser Teil der Seite ist ausgefallen. Laden Sie sie neu; Getipptes bleibt.",
    changed_meanwhile:
      "Noch ist nichts gespeichert. Jemand anders hat dies inzwischen geändert: {fields}. Speichern Sie noch einmal, um es durch Ihres zu ersetzen.",
    address_wrong:
      "Unter dieser Adresse gibt es nichts. Prüfen Sie, ob der Link vollständig ist.",
  },
};

/** What somebody reads who lacks a permission; the gap has what it would let them do. */
const LACKING: Record<Language, string> = {
  en: "You need the permission {permission}. Ask your administrator for it.",
  de: "Ihnen fehlt das Recht {permission}. Wenden Sie sich an Ihre Administration.",
};
const LACKING_CODES = ["forbidden", "permission_missing"];

const QUOTED: Record<Language, (words: string) => string> = {
  en: (words) => `“${words}”`,
  de: (words) => `„${words}“`,
};

interface Sentences {
  errors: Record<string, string>;
  /** Sentences with gaps for the values of the error. */
  errorsWithParams: Record<string, string>;
}

const loaded: Partial<Record<Language, Sentences>> = {
  en: {
    errors: {},
    // where the server's sentence has a time
    errorsWithParams: {
      locked: "{name} is editing this, until {expiresAt} at the latest. Try again then.",
    },
  },
};

/** Read with the first failure that names a permission: most people never need them. */
let permissionWords: ((language: Language, name: string) => string) | undefined;

/** What to say of a failure. The server's own English sentence is the last resort. */
export function useErrorText(failure: Failure | null | undefined): string {
  const language = useLanguage();
  const [, rerender] = useState(0);
  useEffect(() => {
    if (!failure || isLoaded(failure, language)) return undefined;
    let isCurrent = true;
    void loadTexts(failure, language).then(
      () => isCurrent && rerender((count) => count + 1),
    );
    return () => {
      isCurrent = false;
    };
  }, [failure, language]);
  return failure ? errorText(failure, language) : "";
}

/** The same outside of a component. */
export async function readErrorText(failure: Failure): Promise<string> {
  await loadTexts(failure, currentLanguage());
  return errorText(failure, currentLanguage());
}

function errorText(failure: Failure, language: Language): string {
  const { code } = failure;
  const { params, message } = inWords(failure, language);
  if (LACKING_CODES.includes(code)) {
    const lacking = fillParams(LACKING[language], params);
    if (lacking !== undefined) return lacking;
  }
  if (isLocal(code)) return fillParams(LOCAL[language][code], params) ?? message;
  const sentences = loaded[language];
  const sentence = sentences && ownText(sentences.errorsWithParams, code);
  const filled = sentence === undefined ? undefined : fillParams(sentence, params);
  const known = sentences && ownText(sentences.errors, code);
  return filled ?? known ?? withoutRequests(message);
}

/** The values and the sentence of a failure with words for the permission that they name. */
function inWords(
  { params, message }: Failure,
  language: Language,
): Pick<Failure, "params" | "message"> {
  const name = params["permission"];
  if (typeof name !== "string" || !permissionWords) return { params, message };
  const permission = QUOTED[language](permissionWords(language, name));
  return {
    params: { ...params, permission },
    message: message.replaceAll(`"${name}"`, permission).replaceAll(name, permission),
  };
}

const REQUEST = /\b(?:GET|POST|PUT|PATCH|DELETE) \//;

/** The message of the server without the sentence that tells programs which request helps. */
export function withoutRequests(message: string): string {
  const sentences = message.split(/(?<=[.!?]) +/);
  return sentences.filter((sentence) => !REQUEST.test(sentence)).join(" ") || message;
}

/** A code may come from a link, and every object has a `constructor`. */
function ownText(texts: Record<string, string>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}

function isLocal(code: string): code is LocalCode {
  return Object.hasOwn(LOCAL.en, code);
}

function isLoaded({ params }: Failure, language: Language): boolean {
  return Boolean(loaded[language] && (permissionWords || !("permission" in params)));
}

async function loadTexts({ params }: Failure, language: Language): Promise<void> {
  await Promise.all([loadErrors(language), "permission" in params && loadPermissions()]);
}

async function loadPermissions(): Promise<void> {
  const file = loadPart(() => import("./permission-words.ts"));
  // without it the name of the permission must do
  permissionWords ??= (await file.catch(() => undefined))?.permissionWords;
}

async function loadErrors(language: Language): Promise<void> {
  if (loaded[language] || language !== "de") return;
  const files = loadPart(() =>
    Promise.all([import("./errors.de.ts"), import("./errors-params.de.ts")]),
  );
  const sentences = await files.catch(() => undefined); // the server's own must do
  if (!sentences) return;
  const [{ errors }, { errorsWithParams }] = sentences;
  loaded.de = { errors, errorsWithParams };
}
