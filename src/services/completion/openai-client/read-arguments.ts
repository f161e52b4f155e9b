import { JsonLimitExceeded, JsonMeter } from "../../../platform/json/json-limits.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { shortenText } from "../../../platform/shorten-text.ts";
import type { ToolCall } from "../contract.ts";
import { invalidFailure } from "../provider-failures.ts";

/** Levels of a call's arguments, which are sent on inside a request that is nested itself. */
const MAX_ARGUMENTS_DEPTH = 64;
/** Some servers encode arguments that are encoded already. */
const MAX_ENCODINGS = 3;
/** What the model reads of its own unreadable arguments. */
const MAX_UNREADABLE_CHARACTERS = 2_000;

/** Counts the arguments of all calls of a reply. */
export function createArgumentMeter(): JsonMeter {
  return new JsonMeter({ maxDepth: MAX_ARGUMENTS_DEPTH });
}

/**
 * The arguments of a call as the model wrote them. No text and `null` stand for no arguments. Text
 * that is not a JSON object, such as one that was cut, is returned as `unreadable`: a call with
 * other arguments than those that the model wrote must not run.
 * @throws ProviderFailure `provider_invalid` for JSON that is too large or nested too deep.
 */
export function readArguments(
  json: string,
  meter = createArgumentMeter(),
): Pick<ToolCall, "arguments" | "unreadable"> {
  let value: unknown = json;
  for (let depth = 0; typeof value === "string" && depth < MAX_ENCODINGS; depth += 1)
    value = value.trim() === "" ? null : parse(value, meter);
  if (value === null) return { arguments: {} };
  if (isRecord(value)) return { arguments: value };
  return { arguments: {}, unreadable: shortenText(json, MAX_UNREADABLE_CHARACTERS) };
}

function parse(json: string, meter: JsonMeter): unknown {
  try {
    meter.pushText(json);
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof JsonLimitExceeded) throw invalidFailure();
    return undefined;
  }
}
