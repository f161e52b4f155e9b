import { isRecord } from "../../../platform/json/is-record.ts";
import { MAX_STATE_CHARACTERS } from "../reply-limits.ts";
import { type Delta, isThought } from "./chunk.ts";

type Detail = Record<string, unknown>;

/** Fields of details of reasoning whose parts are joined. */
const JOINED = new Set(["text", "summary", "data", "thinking"]);

/**
 * Collects what a provider wants back with the message in the next request: DeepSeek its reasoning,
 * OpenRouter the details of it, LiteLLM Claude's signed blocks, Gemini the signature of a thought.
 */
export class StateCollector {
  #reasoning = "";
  readonly #details: Detail[] = [];
  readonly #blocks: Detail[] = [];
  #extra: unknown;
  #characters = 0;

  add(delta: Delta) {
    const {
      reasoning_content: text,
      reasoning_details: details,
      thinking_blocks: blocks,
      extra_content: extra,
    } = delta;
    if (typeof text === "string") {
      this.#reasoning += text;
      this.#characters += text.length;
    }
    if (Array.isArray(details))
      for (const detail of details) this.#addTo(this.#details, detail);
    if (Array.isArray(blocks)) for (const block of blocks) this.#addTo(this.#blocks, block);
    // that a text is a thought is no signature
    if (isRecord(extra) && !isThought(delta)) this.#extra ??= extra;
  }

  /** `undefined` when nothing is to go back, or more than a request should hold. */
  get state(): Record<string, unknown> | undefined {
    const state = {
      ...(this.#reasoning && { reasoning_content: this.#reasoning }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
      ...(this.#blocks.length > 0 && { thinking_blocks: this.#blocks }),
      ...(this.#extra !== undefined && { extra_content: this.#extra }),
    };
    const isUsable =
      Object.keys(state).length > 0 && this.#characters <= MAX_STATE_CHARACTERS;
    return isUsable ? state : undefined;
  }

  #addTo(details: Detail[], detail: unknown): void {
    if (!isRecord(detail) || this.#characters > MAX_STATE_CHARACTERS) return;
    const last = details.at(-1);
    const isNext =
      last?.["type"] === detail["type"] &&
      last?.["index"] === detail["index"] &&
      !last?.["signature"];
    if (!last || !isNext) details.push({ ...detail });
    for (const [key, value] of Object.entries(detail)) {
      this.#characters += key.length + (typeof value === "string" ? value.length : 0);
      if (!last || !isNext) continue;
      const before = last[key];
      const isPart = JOINED.has(key) && typeof before === "string";
      last[key] = isPart && typeof value === "string" ? before + value : (value ?? before);
    }
  }
}
