import { isRecord } from "../../../platform/json/is-record.ts";
import type { CompletionEvent, CompletionFinish } from "../contract.ts";
import { tooLongFailure } from "../provider-failures.ts";
import { MAX_REPLY_CALLS, MAX_REPLY_CHARACTERS } from "../reply-limits.ts";
import type { ToolCallDelta } from "./chunk.ts";
import { createArgumentMeter, readArguments } from "./read-arguments.ts";

/** Counted for each call beside its arguments, so that empty calls are limited too. */
const CALL_CHARACTERS = 100;

/** A part of a call, or the call of all its parts. What is absent is empty. */
interface Part {
  index: string | undefined;
  id: string;
  name: string;
  json: string;
  /** What the provider wants back with the call, such as the signature of a thought. */
  state: unknown;
}

/**
 * Joins the parts of the tool calls of one reply. Parts of a call have its index, its id, or both;
 * servers exist that number all calls 0, that send neither, or that repeat a call at the end.
 */
export class ToolCallCollector {
  readonly #calls: Part[] = [];
  #characters = 0;
  /** Characters that were read to see whether a call is whole. */
  #looked = 0;

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** @throws ProviderFailure `provider_reply_too_long`. */
  add(delta: ToolCallDelta): void {
    const part = readPart(delta);
    const call = this.#callOf(part) ?? this.#begin(part);
    if (!call.id) call.id = part.id;
    call.state ??= part.state;
    call.name = joinName(call, part);
    this.#addArguments(call, part.json);
  }

  /** The whole calls of an answer, which are ignored when calls came in parts before. */
  addWhole(deltas: readonly ToolCallDelta[]): void {
    if (!this.isEmpty) return;
    for (const delta of deltas) {
      const part = readPart(delta);
      this.#addArguments(this.#begin(part), part.json);
    }
  }

  /**
   * The calls as events. Of a reply that ended at its limit of tokens, calls that were cut are left
   * out: its end says why.
   * @throws ProviderFailure `provider_invalid`.
   */
  toEvents(finish: CompletionFinish | undefined): CompletionEvent[] {
    const meter = createArgumentMeter();
    const read = this.#calls.map((call) => ({ call, ...readArguments(call.json, meter) }));
    // parts of calls with one index and without ids may have been added to a neighbour
    const mixed = new Set(
      read.flatMap(({ call, unreadable }) =>
        unreadable === undefined ? [] : [call.index],
      ),
    );
    return read.flatMap(({ call, ...values }, at): CompletionEvent[] => {
      const isEmpty = call.json === "";
      if (finish === "length" && (isEmpty || values.unreadable !== undefined)) return [];
      const lost = isEmpty && mixed.has(call.index) ? { unreadable: "" } : undefined;
      const id = call.id || `call_${at + 1}`;
      const state = isRecord(call.state)
        ? { state: { call: { extra_content: call.state } } }
        : undefined;
      return [{ type: "tool_call", id, name: call.name, ...values, ...lost, ...state }];
    });
  }

  /** The call that the part continues. */
  #callOf(part: Part): Part | undefined {
    const { index, id } = part;
    const withIndex =
      index === undefined
        ? this.#calls
        : this.#calls.filter((call) => call.index === index);
    const sameId = id === "" ? undefined : withIndex.findLast((call) => call.id === id);
    const call = sameId ?? withIndex.at(-1);
    if (!call) return undefined;
    const isOther = sameId ? this.#isRepeatedId(call, part) : this.#isAnother(call, part);
    return isOther ? undefined : call;
  }

  /** Whether a part with the id of this call is of another call nevertheless. */
  #isRepeatedId(call: Part, { name, json }: Part): boolean {
    return name !== "" && opensObject(json) && json !== call.json && this.#isWhole(call);
  }

  /**
   * Whether a part without the id of this call, which is the last of its index, is of another call.
   * In doubt it is of this one: then neither is readable, and nothing runs that nobody wrote.
   */
  #isAnother(call: Part, { index, id, name, json }: Part): boolean {
    const hasOtherId = id !== "" && call.id !== "";
    if (hasOtherId && index === undefined) return true;
    // some servers give each part a new id
    if (name === "") return false;
    if (hasOtherId) return call.json === "" || this.#isWhole(call);
    if (call.json === "") return index === undefined && name !== call.name;
    const differs = name !== call.name || (opensObject(json) && json !== call.json);
    return differs && this.#isWhole(call);
  }

  #isWhole({ json }: Part): boolean {
    if (!json.trimEnd().endsWith("}")) return false;
    this.#looked += json.length;
    if (this.#looked > MAX_REPLY_CHARACTERS) return false;
    return readArguments(json).unreadable === undefined;
  }

  #addArguments(call: Part, json: string): void {
    if (json === "" || (json === call.json && this.#isWhole(call))) return;
    // some servers begin with an empty object
    call.json = call.json === "{}" && opensObject(json) ? json : call.json + json;
    this.#count(json.length);
  }

  #begin(part: Part): Part {
    const call = { ...part, json: "" };
    if (this.#calls.push(call) > MAX_REPLY_CALLS) throw tooLongFailure();
    this.#count(CALL_CHARACTERS);
    return call;
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
  }
}

function readPart({
  index,
  id,
  function: called,
  extra_content: extra,
}: ToolCallDelta): Part {
  const { name, arguments: given } = called ?? {};
  return {
    index: index === null || index === undefined ? undefined : String(index),
    id: typeof id === "string" || typeof id === "number" ? String(id) : "",
    name: typeof name === "string" ? name : "",
    json: typeof given === "string" ? given : toJson(given),
    state: extra,
  };
}

function toJson(given: unknown): string {
  return given === undefined || given === null ? "" : JSON.stringify(given);
}

function opensObject(json: string): boolean {
  return json.trimStart().startsWith("{");
}

/** Names come whole, in each part, growing, or in pieces. */
function joinName({ name: before, json }: Part, { name }: Part): string {
  if (name === "" || name === before) return before;
  if (before === "" || name.startsWith(before)) return name;
  return json === "" ? before + name : before;
}
