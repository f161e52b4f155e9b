import type { Language } from "./document.ts";
import type { Random } from "./random.ts";
import { NAMES, UNITS, WORDS } from "./vocabulary.ts";

/** Generates text in one language. */
export interface TextMaker {
  sentence(words?: number): string;
  paragraph(sentences: number): string;
  /** A few words without a full stop. */
  phrase(from: number, to: number): string;
  label(): string;
  value(): string;
}

const SPACELESS: ReadonlySet<Language> = new Set(["zh", "ja"]);

export function createTextMaker(random: Random, language: Language): TextMaker {
  const space = SPACELESS.has(language) ? "" : " ";
  const join = (count: number) =>
    Array.from({ length: count }, () => random.pick(WORDS[language])).join(space);
  const phrase = (from: number, to: number) => capital(join(random.whole(from, to)));
  const stop = SPACELESS.has(language) ? "。" : ".";
  const comma = { zh: "，", ja: "、", ar: "، " }[language as string] ?? ", ";
  const sentence = (words = random.whole(7, 22)) =>
    words > 12
      ? `${capital(join(words >> 1))}${comma}${join(words - (words >> 1))}${stop}`
      : `${capital(join(words))}${stop}`;
  return {
    sentence,
    paragraph: (count) => Array.from({ length: count }, () => sentence()).join(space),
    phrase,
    label: () =>
      random.chance(0.5) && language !== "ar" ? random.pick(NAMES) : phrase(1, 2),
    value: () => valueOf(random),
  };
}

function valueOf(random: Random): string {
  switch (random.whole(0, 7)) {
    case 0:
      return String(random.whole(0, 9));
    case 1:
      return (random.next() * 1000).toFixed(random.whole(1, 2));
    case 2:
      return `${random.whole(1, 99)},${String(random.whole(0, 999)).padStart(3, "0")}`;
    case 3:
      return `${random.whole(1, 999)} ${random.pick(UNITS)}`;
    case 4:
      return `${random.whole(1990, 2026)}-${String(random.whole(1, 12)).padStart(2, "0")}`;
    case 5:
      return random.pick(["yes", "no", "–", "n/a", "+", "open"]);
    case 6:
      return `${random.chance(0.5) ? "-" : ""}${(random.next() * 10).toFixed(3)}`;
    default:
      return `${random.whole(1, 100)} %`;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
