import { detectLanguage } from "../../src/platform/detect-language.ts";

/** The language of texts with fewer letters is unknown. */
const MIN_LETTERS = 24;

export interface LanguageDetected {
  set: string;
  texts: string;
  /** Of the passages with enough letters. */
  "detected, %": number;
  "wrong, %": number;
  /** A passage without a detected language gets that of its source, as chunks do. */
  "detected with the whole document, %": number;
  count: number;
}

/** Measures how often the language of texts is detected, where all have the same. */
export async function languagesDetected(
  set: string,
  what: string,
  language: string,
  texts: readonly { text: string; cutFrom?: string }[],
): Promise<LanguageDetected> {
  const judged = texts.filter(
    ({ text }) => text.replace(/[^\p{L}]/gu, "").length >= MIN_LETTERS,
  );
  const found = await Promise.all(
    judged.map(async ({ text }) => (await detectLanguage(text)).language),
  );
  const documents = new Map<string, string>();
  for (const { text, cutFrom } of texts)
    if (cutFrom !== undefined)
      documents.set(cutFrom, `${documents.get(cutFrom) ?? ""}\n${text}`);
  const languages = new Map<string, string | null>();
  for (const [document, text] of documents)
    languages.set(document, (await detectLanguage(text)).language);
  const taken = found.map((one, at) => one ?? languages.get(judged[at]?.cutFrom ?? ""));
  const share = (all: readonly unknown[]) =>
    Number(((100 * all.length) / judged.length).toFixed(2));
  return {
    set,
    texts: what,
    "detected, %": share(found.filter((one) => one === language)),
    "wrong, %": share(found.filter((one) => one !== null && one !== language)),
    "detected with the whole document, %": share(taken.filter((one) => one === language)),
    count: judged.length,
  };
}
