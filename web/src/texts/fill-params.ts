import { formatBytes, formatNumber, formatTime } from "./format.ts";
import { isolate } from "./isolate.ts";

const GAP = /\{(\w+)\}/g;

/**
 * Fills the gaps of a sentence, `{name}`, in the reader's language: sizes where a name ends with
 * `Bytes`, times where it ends with `At`.
 * @returns undefined when a value is missing.
 */
export function fillParams(
  sentence: string,
  params: Record<string, unknown>,
): string | undefined {
  const names = gapsOf(sentence);
  if (names.some((name) => !isShowable(params[name]))) return undefined;
  return sentence.replace(GAP, (_, name: string) => write(name, params[name]));
}

export function gapsOf(sentence: string): string[] {
  return [...sentence.matchAll(GAP)].map(([, name = ""]) => name);
}

function isShowable(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

function write(name: string, value: unknown): string {
  if (typeof value === "number")
    return name.endsWith("Bytes") ? formatBytes(value) : formatNumber(value);
  const text = String(value);
  const isTime = name.endsWith("At") && !Number.isNaN(Date.parse(text));
  return isTime ? formatTime(text) : isolate(text);
}
