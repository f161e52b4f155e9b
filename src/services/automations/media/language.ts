/** As much as tells a language. */
const SAMPLE = 4_000;

/** The language of a text by its letters (ISO 639-1); `undefined` where it is not sure. The detector's tables are loaded with the first text. */
export async function languageOf(text: string): Promise<string | undefined> {
  const { eld } = await import("eld/small");
  const found = eld.detect(text.slice(0, SAMPLE));
  return found.language !== "" && found.isReliable() ? found.language : undefined;
}
