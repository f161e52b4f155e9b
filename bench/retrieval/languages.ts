import { detectLanguage } from "../../src/platform/detect-language.ts";

/** Fewer letters than these tell no language. */
const FEWEST_LETTERS = 24;

export interface LanguageTold {
  set: string;
  texts: string;
  /** Of those with letters enough. */
  "told rightly, %": number;
  /** Where nothing is said, a text is taken as its document is. */
  "told wrongly, %": number;
  count: number;
}

/** How often the language of texts is told, where all are in one. */
export async function languagesTold(
  set: string,
  what: string,
  language: string,
  texts: readonly string[],
): Promise<LanguageTold> {
  const judged = texts.filter((text) => text.replace(/[^\p{L}]/gu, "").length >= FEWEST_LETTERS);
  const told = await Promise.all(judged.map(async (text) => (await detectLanguage(text)).language));
  const share = (is: (one: string | null) => boolean) => Number(((100 * told.filter(is).length) / judged.length).toFixed(2));
  return {
    set,
    texts: what,
    "told rightly, %": share((one) => one === language),
    "told wrongly, %": share((one) => one !== null && one !== language),
    count: judged.length,
  };
}
