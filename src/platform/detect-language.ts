import type { eld as Detector } from "eld/extrasmall";
import { once } from "./single-flight.ts";

export interface Detected {
  /** ISO 639-1; null when it is unknown. */
  language: string | null;
  /** 0 to 1: the certainty, weighted by the part of the text in this language. */
  confidence: number;
}

const BLOCKS = /```[\s\S]*?(?:```|$)|https?:\/\/\S+/g;
const INLINE_CODE = /`[^`\n]*`/g;
/** Word boundaries in a camelCase name such as `readWholeFile`. */
const CAMEL_CASE_BOUNDARIES = /(?<=\p{Ll})(?=\p{Lu})/gu;
const WORDS = /[\p{L}\p{M}\p{N}'’]+/gu;
const SAMPLE_CHARACTERS = 8_000;
/** The detector reads no more of a text. */
const PIECE_CHARACTERS = 350;
const MIN_LETTERS = 24;

const loadDetector = once<typeof Detector>(
  async () => (await import("eld/extrasmall")).eld,
);

/**
 * Detects the language of most of a text. Ignores code, unless there is little else: then it uses
 * the words in names. The detector takes about 86 MB, so it is loaded on first use; its smallest
 * table is as accurate as larger ones (bench/retrieval).
 */
export async function detectLanguage(
  text: string,
  minLetters = MIN_LETTERS,
): Promise<Detected> {
  const isEnough = (part: string) => part.replace(/[^\p{L}]/gu, "").length >= minLetters;
  const whole = text.slice(0, SAMPLE_CHARACTERS * 2).replace(BLOCKS, " ");
  const prose = whole.replace(INLINE_CODE, " ");
  const sample = (isEnough(prose) ? prose : whole).slice(0, SAMPLE_CHARACTERS);
  for (const part of [sample, wordsOf(sample)]) {
    const detected = isEnough(part) ? detect(await loadDetector(), part) : undefined;
    if (detected) return detected;
  }
  return { language: null, confidence: 0 };
}

/** Lets each reliably detected piece vote; undefined when there is none. */
function detect(detector: typeof Detector, text: string): Detected | undefined {
  const votes = new Map<string, number>();
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    const piece = text.slice(at, at + PIECE_CHARACTERS);
    const result = detector.detect(piece);
    const score = Math.min(1, result.getScores()[result.language] ?? 0);
    if (result.language !== "" && result.isReliable())
      votes.set(result.language, (votes.get(result.language) ?? 0) + score * piece.length);
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best && { language: best[0], confidence: best[1] / text.length };
}

/**
 * Only the words of a text, with camelCase names split: no numbers, signs or single letters, which
 * are frequent in tables and code.
 */
function wordsOf(text: string): string {
  const runs = text.replace(CAMEL_CASE_BOUNDARIES, " ").match(WORDS) ?? [];
  return runs.filter((run) => run.length > 1 && !/\p{N}/u.test(run)).join(" ");
}
