import type { CompletionEvent } from "./contract.ts";

/** The tags between which models think, when their server leaves them in the text. */
const NAMES = ["think", "thinking", "thought", "reasoning"];
const OPENING = new Map(NAMES.map((name) => [`<${name}>`, `</${name}>`]));

/**
 * Makes reasoning of what stands between the tags at the beginning of a reply, wherever the stream
 * is cut. Everything later is text, so that a reply may write about such tags.
 */
export async function* withThinkingApart(
  batches: AsyncIterable<CompletionEvent[]>,
): AsyncGenerator<CompletionEvent[]> {
  const tags = new ThinkingTags();
  try {
    for await (const events of batches)
      yield tags.isPast ? events : events.flatMap((event) => tags.read(event));
  } catch (error) {
    const rest = tags.end();
    if (rest.length > 0) yield rest;
    throw error;
  }
}

class ThinkingTags {
  #state: "start" | "thinking" | "answer" | "past" = "start";
  /** Text that may be a part of a tag, or white space around one. */
  #held = "";
  #closing = "";

  get isPast(): boolean {
    return this.#state === "past";
  }

  read(event: CompletionEvent): CompletionEvent[] {
    if (event.type === "text_delta") return this.#readText(event.delta);
    // text is held across the model's own reasoning, and not across anything else
    return event.type === "reasoning_delta" ? [event] : [...this.end(), event];
  }

  /** What is still held. */
  end(): CompletionEvent[] {
    const type = this.#state === "thinking" ? "reasoning_delta" : "text_delta";
    const delta = this.#state === "answer" ? "" : this.#held;
    this.#state = "past";
    this.#held = "";
    return delta === "" ? [] : [{ type, delta }];
  }

  #readText(delta: string): CompletionEvent[] {
    if (this.#state === "past") return [{ type: "text_delta", delta }];
    this.#held += delta;
    const events: CompletionEvent[] = [];
    if (this.#state === "start") this.#readStart();
    if (this.#state === "thinking") this.#readThought(events);
    if (this.#state === "answer") this.#held = this.#held.trimStart();
    if (this.#state === "answer" && this.#held !== "") this.#state = "past";
    if (this.#state === "past") events.push(...this.end());
    return events;
  }

  #readStart(): void {
    const text = this.#held.trimStart();
    const tag = text.slice(0, text.indexOf(">") + 1).toLowerCase();
    const closing = OPENING.get(tag);
    if (closing !== undefined) {
      this.#state = "thinking";
      this.#closing = closing;
      this.#held = text.slice(tag.length).trimStart();
    } else if (!isBeginning(text)) this.#state = "past";
  }

  #readThought(events: CompletionEvent[]): void {
    const at = this.#held.toLowerCase().indexOf(this.#closing);
    const end = at < 0 ? this.#held.length - partOfTag(this.#held, this.#closing) : at;
    const delta = this.#held.slice(0, end);
    if (delta !== "") events.push({ type: "reasoning_delta", delta });
    this.#held = this.#held.slice(at < 0 ? end : at + this.#closing.length);
    if (at >= 0) this.#state = "answer";
  }
}

/** Whether more text could make a tag of this one. */
function isBeginning(text: string): boolean {
  const known = text.toLowerCase();
  return [...OPENING.keys()].some((tag) => tag.startsWith(known));
}

/** How many characters at the end of the text may begin the tag. */
function partOfTag(text: string, tag: string): number {
  const end = text.slice(-tag.length).toLowerCase();
  for (let at = 0; at < end.length; at += 1)
    if (tag.startsWith(end.slice(at))) return end.length - at;
  return 0;
}
