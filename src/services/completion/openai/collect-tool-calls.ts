import type { CompletionEvent } from "../contract.ts";
import { tooLongFailure } from "../provider-failures.ts";
import { MAX_REPLY_CHARACTERS } from "../reply-limits.ts";
import type { ToolCallDelta } from "./chunk.ts";
import { createArgumentMeter, readArguments } from "./read-arguments.ts";

/** Counted for each call beside its arguments, so that empty calls are limited too. */
const CALL_CHARACTERS = 100;

interface CollectedCall {
  key: string;
  id: string;
  name: string;
  json: string;
}

/** Joins the parts of the tool calls of one reply. */
export class ToolCallCollector {
  readonly #calls: CollectedCall[] = [];
  #characters = 0;

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /**
   * Parts of one call have the same index. Servers without indexes send whole calls, or repeat the
   * id of the call.
   * @throws ProviderFailure `provider_reply_too_long`.
   */
  add({ index, id, function: part }: ToolCallDelta): void {
    const isWholeCall = part?.name && index === undefined && id === undefined;
    const key = isWholeCall ? `call ${this.#calls.length}` : this.#keyOf(index, id);
    const known = isWholeCall ? undefined : this.#calls.find((call) => call.key === key);
    const call = known ?? this.#begin(key, id);
    if (id) call.id = String(id);
    if (part?.name) call.name = String(part.name);
    if (part?.arguments) {
      call.json += part.arguments;
      this.#characters += part.arguments.length;
    }
    if (this.#characters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
  }

  /** @throws ProviderFailure `provider_invalid`. */
  toEvents(): CompletionEvent[] {
    const meter = createArgumentMeter();
    return this.#calls.map(({ id, name, json }) => ({
      type: "tool_call",
      id,
      name,
      arguments: readArguments(json, meter),
    }));
  }

  #keyOf(index: number | undefined, id: string | undefined): string {
    if (index !== undefined) return `index ${index}`;
    if (id) return `id ${id}`;
    return this.#calls.at(-1)?.key ?? "first";
  }

  #begin(key: string, id: string | undefined): CollectedCall {
    const call = {
      key,
      id: id ? String(id) : `call_${this.#calls.length + 1}`,
      name: "",
      json: "",
    };
    this.#calls.push(call);
    this.#characters += CALL_CHARACTERS;
    return call;
  }
}
