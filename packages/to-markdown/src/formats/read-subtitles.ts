import { type Block, paragraph } from "./blocks.ts";

const TIMING = /^(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s+-->/;
/** Blocks of WebVTT that are not subtitles. Source: W3C WebVTT, section 4.1. */
const NOT_SPOKEN = /^(?:WEBVTT|NOTE|STYLE|REGION)\b/;
/** The number before each subtitle in SubRip. */
const NUMBER = /^\d+$/;
const VOICE = /^<v(?:\.[^\s>]*)?\s+([^>]{1,200})>/;
/** Source: W3C WebVTT, section 4.2.2. */
const ESCAPES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  lrm: "",
  rlm: "",
};
const ESCAPE = /&(amp|lt|gt|nbsp|lrm|rlm);/g;
const TAG = /<\/?[a-z0-9:.][^>\n]{0,200}>/gi;

/**
 * Reads the text of subtitles (WebVTT or SubRip), without time codes, identifiers and styles. The
 * text of a speaker follows the speaker's name. In a file without time codes, all text counts.
 */
export function readSubtitles(text: string): Block[] {
  const parts = text
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .map((part) => part.trim().split("\n"))
    .filter(([first = ""]) => !NOT_SPOKEN.test(first));
  const timed = parts.flatMap((lines) => {
    const timing = lines.findIndex((line) => TIMING.test(line));
    return timing === 0 || timing === 1 ? [lines.slice(timing + 1)] : [];
  });
  return spokenBlocks(timed.length > 0 ? timed : parts.map(withoutNumber));
}

function withoutNumber(lines: readonly string[]): readonly string[] {
  return NUMBER.test(lines[0] ?? "") ? lines.slice(1) : lines;
}

function spokenBlocks(cues: readonly (readonly string[])[]): Block[] {
  const blocks: Block[] = [];
  let speaker: string | undefined;
  for (const lines of cues) {
    const spoken = lines.join(" ");
    const voice = VOICE.exec(spoken)?.[1]?.trim();
    const plain = spoken
      .replace(TAG, "")
      .replace(ESCAPE, (_, name: string) => ESCAPES[name] ?? "");
    const words = plain.replace(/\s+/g, " ").trim();
    if (words === "") continue;
    const isOther = voice !== undefined && voice !== speaker;
    speaker = voice ?? speaker;
    blocks.push(paragraph([{ text: isOther ? `${voice}: ${words}` : words }]));
  }
  return blocks;
}
