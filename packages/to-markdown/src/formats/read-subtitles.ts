import { type Block, paragraph } from "./blocks.ts";

const TIMING = /^(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s+-->/;
/** Blocks of WebVTT that are not spoken. Source: W3C WebVTT, section 4.1. */
const NOT_SPOKEN = /^(?:WEBVTT|NOTE|STYLE|REGION)\b/;
const VOICE = /^<v(?:\.[^\s>]*)?\s+([^>]{1,200})>/;
const TAG = /<\/?[a-z0-9:.][^>\n]{0,200}>/gi;

/**
 * Reads what is spoken in subtitles (WebVTT or SubRip), without time codes, identifiers and styles.
 * The text of a speaker follows their name.
 */
export function readSubtitles(text: string): Block[] {
  const blocks: Block[] = [];
  let speaker: string | undefined;
  for (const cue of text.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    const lines = cue.trim().split("\n");
    const timing = lines.findIndex((line) => TIMING.test(line));
    if (timing < 0 || timing > 1 || NOT_SPOKEN.test(lines[0] ?? "")) continue;
    const spoken = lines.slice(timing + 1).join(" ");
    const voice = VOICE.exec(spoken)?.[1]?.trim();
    const words = spoken.replace(TAG, "").replace(/\s+/g, " ").trim();
    if (words === "") continue;
    const isOther = voice !== undefined && voice !== speaker;
    speaker = voice ?? speaker;
    blocks.push(paragraph([{ text: isOther ? `${voice}: ${words}` : words }]));
  }
  return blocks;
}
