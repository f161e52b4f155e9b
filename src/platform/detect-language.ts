import type { eld as Detector } from "eld/extrasmall";

export interface Detected {
  /** ISO 639-1; null when it cannot be told. */
  language: string | null;
  confidence: number;
}

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/g;
const SAMPLE = 2_000;
const FEWEST_LETTERS = 24;

let loading: Promise<typeof Detector> | undefined;

/**
 * Which language a text is written in, without its code. Some 86 MB, so it is loaded when it is first needed; the smallest of the tables tells
 * as much as larger ones (bench/retrieval).
 */
export async function detectLanguage(text: string, fewestLetters = FEWEST_LETTERS): Promise<Detected> {
  loading ??= import("eld/extrasmall").then(({ eld }) => eld);
  const sample = text
    .slice(0, SAMPLE * 2)
    .replace(CODE, " ")
    .slice(0, SAMPLE);
  if (sample.replace(/[^\p{L}]/gu, "").length < fewestLetters) return { language: null, confidence: 0 };
  const found = (await loading).detect(sample);
  if (found.language === "") return { language: null, confidence: 0 };
  const scores = found.getScores();
  return {
    language: found.isReliable() ? found.language : null,
    confidence: Math.min(1, Math.max(0, scores[found.language] ?? 0)),
  };
}
