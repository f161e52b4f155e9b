/** Limits of a JSON text. Parsing costs far more than counting its brackets and commas. */
export interface JsonLimits {
  /** Levels of arrays and objects. */
  maxDepth: number;
  /** Values at any level: texts, numbers, literals, arrays and objects. */
  maxValues: number;
}

/**
 * Serializing or walking a deeper value overflows the stack. Parsing and validating more values
 * blocks the event loop, and an empty object of two characters takes 50 bytes.
 */
export const MAX_JSON_DEPTH = 100;
export const MAX_JSON_VALUES = 20_000;
const DEFAULTS: JsonLimits = { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_JSON_VALUES };

const SENTENCES = {
  json_too_deep: (levels: number) =>
    `The JSON is nested deeper than ${levels} levels. Send it flatter.`,
  json_too_many_values: (values: number) =>
    `The JSON holds more than ${values} values. Send fewer at a time.`,
  json_too_large: (bytes: number) =>
    `The JSON is larger than ${bytes} bytes. Send less at a time.`,
};

/** A `SyntaxError`, so that code that expects invalid JSON handles this as well. */
export class JsonLimitExceeded extends SyntaxError {
  override name = "JsonLimitExceeded";
  readonly code: keyof typeof SENTENCES;

  constructor(code: JsonLimitExceeded["code"], limit: number) {
    super(SENTENCES[code](limit));
    this.code = code;
  }
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const BRACKET = 91;
const BRACE = 123;
/** The number of characters to encode at a time. */
const SLICE = 64 * 1024;

/**
 * Counts the levels and values of one JSON text as its parts arrive, in linear time and constant
 * memory.
 */
export class JsonMeter {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 1;
  #inString = false;
  /** Whether the previous part ended with a backslash inside a string. */
  #escaped = false;

  constructor(limits: Partial<JsonLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** @throws JsonLimitExceeded. */
  pushText(text: string): void {
    // a character split between parts becomes another, but never a bracket, comma or quote
    for (let at = 0; at < text.length; at += SLICE)
      this.push(Buffer.from(text.slice(at, at + SLICE)));
  }

  /** The next part in UTF-8. @throws JsonLimitExceeded. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inString) at = this.#skipString(bytes, at);
      else this.#see(bytes[at]);
    }
  }

  /** A JSON string cannot contain a line break, so a string that is still open here is not JSON. */
  endLine(): void {
    this.#inString = this.#escaped = false;
  }

  /** @returns the index at which the string or the part ends. */
  #skipString(bytes: Uint8Array, at: number): number {
    const from = this.#escaped ? at + 1 : at;
    for (
      let end = bytes.indexOf(QUOTE, from);
      end >= 0;
      end = bytes.indexOf(QUOTE, end + 1)
    ) {
      if (endsEscaped(bytes, from, end)) continue;
      this.#inString = this.#escaped = false;
      return end;
    }
    this.#escaped = from <= bytes.length && endsEscaped(bytes, from, bytes.length);
    return bytes.length;
  }

  #see(code: number | undefined): void {
    if (code === QUOTE) this.#inString = true;
    else if (code === COMMA) this.#count();
    else if (code === BRACKET || code === BRACE) this.#open();
    // a closing bracket or brace has a code that is two higher than the opening one
    else if (code === BRACKET + 2 || code === BRACE + 2) this.#depth -= 1;
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.maxDepth)
      throw new JsonLimitExceeded("json_too_deep", this.#limits.maxDepth);
    this.#count();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues)
      throw new JsonLimitExceeded("json_too_many_values", this.#limits.maxValues);
  }
}

/** Whether an odd number of backslashes precedes `end`. */
function endsEscaped(bytes: Uint8Array, from: number, end: number): boolean {
  let start = end;
  while (start > from && bytes[start - 1] === BACKSLASH) start -= 1;
  return (end - start) % 2 === 1;
}

/**
 * Whether the text is too short to exceed the limits: each value takes a character, each level two.
 */
function isShort(text: string, { maxDepth, maxValues }: JsonLimits): boolean {
  return text.length <= Math.min(2 * maxDepth, maxValues - 1);
}

/** Checks a whole text before it is parsed. @throws JsonLimitExceeded. */
export function checkJson(text: string, limits: Partial<JsonLimits> = {}): void {
  const all = { ...DEFAULTS, ...limits };
  if (!isShort(text, all)) new JsonMeter(all).pushText(text);
}

/** `JSON.parse` within limits. @throws JsonLimitExceeded, SyntaxError. */
export function parseJson(text: string, limits: Partial<JsonLimits> = {}): unknown {
  checkJson(text, limits);
  return JSON.parse(text);
}

/** Whether a value is nested deeper than `levels`. */
export function isDeeper(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels <= 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
