import { estimateTokens } from "../../../platform/estimate-tokens.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { MediaUsage } from "./ask-media-model.ts";

/** What providers say that a request used, and estimates for those that do not. */

/** Of an image that was made: about what a square of medium quality takes. */
const TOKENS_PER_IMAGE = 1_000;
/** Speech is read at about ten tokens a second. */
const TOKENS_PER_SECOND = 10;
/** Of recordings whose length nobody says: 16 kB are about a second. */
const BYTES_PER_SECOND = 16_000;
const CHARACTERS_PER_IMAGE = 4_000;
const MAX_TOKENS = 2 ** 31 - 1;
const MAX_SECONDS = 1e9;

/** Source: OpenAI API reference, images: only the newer models report usage. */
export function usageOfImages(
  answers: readonly Record<string, unknown>[],
  prompt: string,
): MediaUsage {
  const images = countImages(answers);
  const stated = answers.map(({ usage }) => statedUsage(usage));
  const said = stated.filter((one) => one !== undefined);
  if (said.length > 0) return { ...said.reduce(addUsage), images };
  return {
    inputTokens: estimateTokens(prompt.length),
    outputTokens: images * TOKENS_PER_IMAGE,
    images,
    estimated: true,
  };
}

/** An answer has a list of them, an event one. */
function countImages(answers: readonly Record<string, unknown>[]): number {
  const counts = answers.map(({ data }) => (Array.isArray(data) ? data.length : 1));
  return counts.reduce((sum, count) => sum + count, 0);
}

function addUsage(one: MediaUsage, other: MediaUsage): MediaUsage {
  return {
    inputTokens: countOf(one.inputTokens + other.inputTokens),
    outputTokens: countOf(one.outputTokens + other.outputTokens),
  };
}

/** A recording: by tokens or by its length in seconds. Source: OpenAI API reference, audio. */
export function usageOfRecording(answer: unknown, text: string, bytes: number): MediaUsage {
  const fields = isRecord(answer) ? answer : {};
  const usage = isRecord(fields["usage"]) ? fields["usage"] : {};
  const stated =
    numberOf(usage["seconds"]) ??
    numberOf(usage["prompt_audio_seconds"]) ?? // Mistral
    numberOf(fields["duration"]);
  const seconds = Math.min(MAX_SECONDS, stated ?? bytes / BYTES_PER_SECOND);
  const tokens = statedUsage(usage);
  if (tokens) return { ...tokens, seconds };
  return {
    inputTokens: countOf(seconds * TOKENS_PER_SECOND),
    outputTokens: estimateTokens(text.length),
    seconds,
    estimated: true,
  };
}

/** Speech and moderation report nothing: what they read counts. */
export function usageOfText(characters: number): MediaUsage {
  return {
    inputTokens: estimateTokens(characters),
    outputTokens: 0,
    characters: countOf(characters),
    estimated: true,
  };
}

/** Speech in events: its last one says the tokens. */
export function usageOfSpeech(usage: unknown, estimate: MediaUsage): MediaUsage {
  const stated = statedUsage(usage);
  // ours, where the server said none
  if (!stated || stated.outputTokens === 0) return estimate;
  const { characters } = estimate;
  return { ...stated, ...(characters !== undefined && { characters }) };
}

/** A text that was written: as the provider says, or by its characters. */
export function usageOfWriting(usage: unknown, read: number, written: number): MediaUsage {
  const estimate = {
    inputTokens: estimateTokens(read),
    outputTokens: estimateTokens(written),
    estimated: true,
  };
  return statedUsage(usage) ?? estimate;
}

function statedUsage(usage: unknown): MediaUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = numberOf(usage["input_tokens"]) ?? numberOf(usage["prompt_tokens"]);
  const output = numberOf(usage["output_tokens"]) ?? numberOf(usage["completion_tokens"]);
  if (input === undefined || input === 0) return undefined;
  return { inputTokens: countOf(input), outputTokens: countOf(output ?? 0) };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0
    ? number
    : undefined;
}

function countOf(tokens: number): number {
  return Math.min(MAX_TOKENS, Math.ceil(tokens));
}

/** The characters of a text, a list of texts, or parts, of which an image counts as a page. */
export function textIn(input: unknown): number {
  if (typeof input === "string") return input.length;
  if (Array.isArray(input)) return input.reduce((sum: number, one) => sum + textIn(one), 0);
  if (!isRecord(input)) return 0;
  return typeof input["text"] === "string" ? input["text"].length : CHARACTERS_PER_IMAGE;
}
