import { deliver, pushed } from "../../platform/batches.ts";
import type { CompletionEvent } from "./contract.ts";

/** The tags between which models think, when their server leaves them in the text. */
const NAMES = ["think", "thinking", "thought", "reasoning", "reason", "seed:think"];
/** In lower case. Sources: the chat templates of Magistral, Kimi, Command, Sky-T1 and gpt-oss. */
const CLOSING_OF = new Map([
  ...NAMES.map((name): [string, string] => [`<${name}>`, `</${name}>`]),
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
  ["<|start_thinking|>", "<|end_thinking|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  [
    "<|channel|>analysis<|message|>",
    "<|end|><|start|>assistant<|channel|>final<|message|>",
  ],
]);

/**
 * Makes reasoning of what stands between the tags at the beginning of a reply, wherever the stream
 * is cut. Everything later is text, so that a reply may write about such tags.
 */
export function withThinkingApart(
  batches: AsyncIterable<CompletionEvent[]>,
): AsyncIterable<CompletionEvent[]> {
  return pushed(async (emit) => {
    const tags = new ThinkingTags();
    try {
      await deliver(batches, (events) =>
        emit(tags.isPast ? events : events.flatMap((event) => tags.read(event))),
      );
    } catch (error) {
      const rest = tags.end();
      if (rest.length > 0) await emit(rest);
      throw error;
    }
  });
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
    const known = lowerCase(text);
    const tag = [...CLOSING_OF].find(([opening]) => known.startsWith(opening));
    if (tag !== undefined) {
      this.#state = "thinking";
      this.#closing = tag[1];
      this.#held = text.slice(tag[0].length).trimStart();
    } else if (!isBeginning(text)) this.#state = "past";
  }

  #readThought(events: CompletionEvent[]): void {
    const at = lowerCase(this.#held).indexOf(this.#closing);
    const end = at < 0 ? this.#held.length - partOfTag(this.#held, this.#closing) : at;
    const delta = this.#held.slice(0, end);
    if (delta !== "") events.push({ type: "reasoning_delta", delta });
    this.#held = this.#held.slice(at < 0 ? end : at + this.#closing.length);
    if (at >= 0) this.#state = "answer";
  }
}

/** Whether more text could make a tag of this one. */
function isBeginning(text: string): boolean {
  const known = lowerCase(text);
  return [...CLOSING_OF.keys()].some((tag) => tag.startsWith(known));
}

/** How many characters at the end of the text may begin the tag. */
function partOfTag(text: string, tag: string): number {
  const end = lowerCase(text.slice(-tag.length));
  for (let at = 0; at < end.length; at += 1)
    if (tag.startsWith(end.slice(at))) return end.length - at;
  return 0;
}

/** Only of the letters that tags have: the whole of a text may change its length, as of İ. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
