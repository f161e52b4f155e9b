import type { eld as Detector } from "eld/extrasmall";

export interface Detected {
  /** ISO 639-1; null when it cannot be told. */
  language: string | null;
  /** 0 to 1: how sure it is, and in how much of the text. */
  confidence: number;
}

const BLOCKS = /```[\s\S]*?(?:```|$)|https?:\/\/\S+/g;
const INLINE_CODE = /`[^`\n]*`/g;
/** Ends of words within a name: `readWholeFile`. */
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})/gu;
const RUNS = /[\p{L}\p{M}\p{N}'’]+/gu;
const SAMPLE = 8_000;
/** The detector reads no more than so many bytes. */
const PIECE = 350;
const MIN_LETTERS = 24;

let loading: Promise<typeof Detector> | undefined;

/**
 * Which language most of a text is written in, without its code, or where it is hardly more than
 * code by the words in its names. Some 86 MB, so it is loaded when it is first needed; the smallest
 * of the tables tells as much as larger ones (bench/retrieval).
 */
export async function detectLanguage(text: string, fewestLetters = MIN_LETTERS): Promise<Detected> {
  loading ??= import("eld/extrasmall").then(({ eld }) => eld);
  const isEnough = (part: string) => part.replace(/[^\p{L}]/gu, "").length >= fewestLetters;
  const whole = text.slice(0, SAMPLE * 2).replace(BLOCKS, " ");
  const prose = whole.replace(INLINE_CODE, " ");
  const sample = (isEnough(prose) ? prose : whole).slice(0, SAMPLE);
  for (const part of [sample, wordsOf(sample)]) {
    const told = isEnough(part) ? tell(await loading, part) : undefined;
    if (told) return told;
  }
  return { language: null, confidence: 0 };
}

/** By what is told of each piece with certainty; undefined when that is nothing. */
function tell(detector: typeof Detector, text: string): Detected | undefined {
  const votes = new Map<string, number>();
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE);
    const found = detector.detect(piece);
    const score = Math.min(1, found.getScores()[found.language] ?? 0);
    if (found.language !== "" && found.isReliable())
      votes.set(found.language, (votes.get(found.language) ?? 0) + score * piece.length);
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best && { language: best[0], confidence: best[1] / text.length };
}

/**
 * Words alone: no numbers, signs or single letters, which tables and code are full of, and names
 * taken apart.
 */
function wordsOf(text: string): string {
  const runs = text.replace(HUMPS, " ").match(RUNS) ?? [];
  return runs.filter((run) => run.length > 1 && !/\p{N}/u.test(run)).join(" ");
}
