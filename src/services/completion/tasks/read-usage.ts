import { estimateTokens } from "../../../platform/estimate-tokens.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { TaskUsage } from "./ask-model.ts";

/** What providers say that a task used, and estimates for those that do not. */

/** Of an image that was made: about what a square of medium quality takes. */
const TOKENS_PER_IMAGE = 1_000;
/** Speech is read at about ten tokens a second. */
const TOKENS_PER_SECOND = 10;
/** Of recordings whose length nobody says: 16 kB are about a second. */
const BYTES_PER_SECOND = 16_000;
const MAX_TOKENS = 2 ** 31 - 1;

/** Source: OpenAI API reference, images: only the newer models report usage. */
export function usageOfImages(answer: Record<string, unknown>, prompt: string): TaskUsage {
  const images = Array.isArray(answer["data"]) ? answer["data"].length : 0;
  return (
    statedUsage(answer["usage"]) ?? {
      inputTokens: estimateTokens(prompt.length),
      outputTokens: images * TOKENS_PER_IMAGE,
      estimated: true,
    }
  );
}

/** A recording: by tokens or by its length in seconds. Source: OpenAI API reference, audio. */
export function usageOfRecording(answer: unknown, text: string, bytes: number): TaskUsage {
  const fields = isRecord(answer) ? answer : {};
  const stated = statedUsage(fields["usage"]);
  if (stated) return stated;
  const usage = isRecord(fields["usage"]) ? fields["usage"] : {};
  const seconds =
    numberOf(usage["seconds"]) ?? numberOf(fields["duration"]) ?? bytes / BYTES_PER_SECOND;
  return {
    inputTokens: countOf(seconds * TOKENS_PER_SECOND),
    outputTokens: estimateTokens(text.length),
    estimated: true,
  };
}

/** Speech and moderation report nothing: what they read counts. */
export function usageOfText(characters: number): TaskUsage {
  return { inputTokens: estimateTokens(characters), outputTokens: 0, estimated: true };
}

function statedUsage(usage: unknown): TaskUsage | undefined {
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
