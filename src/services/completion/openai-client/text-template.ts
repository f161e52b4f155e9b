import type { Chunk, Delta } from "./chunk.ts";

const KEY = '"content"';
const OPENING = /"content"\s*:\s*"/y;
/** Characters that a JSON string holds without escapes. */
const PLAIN = /^[^"\\\p{Cc}]*$/u;
/** Learning stops after this many parsed lines: then the lines of this server differ. */
const MAX_LESSONS = 16;

/**
 * Most lines of a reply differ in their text only. The template remembers what stands before and
 * after the text of a parsed line. A line with the same beginning and end holds nothing new but its
 * text, which is read without parsing the line: a fifth of the work.
 */
export class TextTemplate {
  #before = "";
  #after = "";
  #lessonsLeft = MAX_LESSONS;

  /** @returns `undefined` for a line that must be parsed. */
  textOf(line: string): string | undefined {
    const start = this.#before.length;
    const end = line.length - this.#after.length;
    if (start === 0 || end < start) return undefined;
    // V8's startsWith compares letter by letter and takes ten times as long
    if (line.slice(0, start) !== this.#before || line.slice(end) !== this.#after)
      return undefined;
    const text = line.slice(start, end);
    // a quotation mark would end the text, and a backslash begins an escape
    return PLAIN.test(text) ? text : undefined;
  }

  /** Takes each line that had to be parsed, with its content. */
  learn(line: string, { choices }: Chunk): void {
    if (this.#lessonsLeft === 0 || choices?.length !== 1) return;
    this.#lessonsLeft -= 1;
    const { delta, message } = choices[0] ?? {};
    const content = message ? undefined : onlyTextOf(delta ?? {});
    if (content === undefined) return;
    // a string would hold the key with escaped quotation marks, so a single match is the key itself
    OPENING.lastIndex = line.indexOf(KEY);
    if (OPENING.lastIndex < 0 || line.includes(KEY, OPENING.lastIndex + 1)) return;
    if (!OPENING.test(line)) return;
    const start = OPENING.lastIndex;
    const escaped = JSON.stringify(content).slice(1, -1);
    if (!line.startsWith(`${escaped}"`, start)) return;
    this.#before = line.slice(0, start);
    this.#after = line.slice(start + escaped.length);
  }
}

/** Fields of a delta that add to the reply, so that a line with one must be parsed. */
const OTHERS = [
  "refusal",
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "thinking",
  "reasoning_details",
  "extra_content",
  "tool_calls",
  "function_call",
] as const;

/** The text of a delta that brings nothing else. */
function onlyTextOf(delta: Delta): string | undefined {
  const { content } = delta;
  if (typeof content !== "string" || content === "") return undefined;
  return OTHERS.some((name) => !isEmpty(delta[name])) ? undefined : content;
}

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}
